// A new campaign to the people of a segment: a draft, made at once and then written.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, Fault, told } from "../api.ts";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { showToast } from "../parts/toast.tsx";
import { queries } from "../queries.ts";
import { useOff } from "../session.ts";
import { segmentsTexts } from "../texts/segments.ts";
import type { Segment } from "./calls.ts";

/** The sender of the campaign before, or the first domain that may send. */
async function sender(noSender: string): Promise<string> {
  const { data } = await told(api.GET("/campaigns", { params: { query: { page: 1, pageSize: 1 } } }));
  const last = data[0]?.from;
  if (last) return last;
  const domains = await told(api.GET("/domains", {}));
  const verified = domains.data.find((one) => one.verified);
  if (!verified) throw new Fault(400, "DOMAIN_NOT_VERIFIED", noSender);
  return `news@${verified.domain}`;
}

const BODY = '<p>Hello {{ name ?? "there" }},</p>\n<p></p>\n';

export function ToThese({ segment }: { readonly segment: Segment }) {
  const t = useTexts(segmentsTexts);
  const off = useOff("campaigns.write");
  const navigate = useNavigate();
  const making = useMutation({
    mutationFn: async () => {
      const name = t.campaignName(segment.name);
      const audience = { audienceType: "SEGMENT", segmentId: segment.id } as const;
      const from = await sender(t.noSender);
      return told(api.POST("/campaigns", { body: { name, subject: name, body: BODY, from, ...audience } }));
    },
    onSuccess: ({ data }) => {
      void queries.invalidateQueries({ queryKey: ["campaigns"] });
      showToast(t.campaignMade(data.name));
      void navigate({ to: "/campaigns/$id", params: { id: data.id } });
    },
  });
  return (
    <Button icon="campaigns" label={t.campaign} off={off} busy={making.isPending} onClick={() => making.mutate()}>
      <span className="wide-only">{t.campaign}</span>
    </Button>
  );
}
