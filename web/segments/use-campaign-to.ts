// A new campaign to the people of a segment: a draft, made at once and then written.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Fault } from "../api.ts";
import { makeCampaign } from "../campaigns/calls.ts";
import { firstSender } from "../campaigns/first.ts";
import { useTexts } from "../language.ts";
import { showToast } from "../parts/toast.tsx";
import { segmentsTexts } from "../texts/areas.ts";
import { useFirstWords } from "../writing/first.ts";
import type { Segment } from "./calls.ts";

export function useCampaignTo() {
  const t = useTexts(segmentsTexts);
  const navigate = useNavigate();
  const firstWords = useFirstWords();
  return useMutation({
    mutationFn: async ({ id: segmentId, name: segment }: Pick<Segment, "id" | "name">) => {
      const name = t.campaignName(segment);
      const sender = await firstSender();
      if (!sender) throw new Fault(400, "DOMAIN_NOT_VERIFIED", t.noSender);
      const words = await firstWords("visual");
      return makeCampaign({ name, subject: name, ...words, ...sender, audienceType: "SEGMENT", segmentId });
    },
    onSuccess: ({ id, name }) => {
      showToast(t.campaignMade(name));
      void navigate({ to: "/campaigns/$id", params: { id } });
    },
  });
}
