// Creates a draft campaign to the members of a segment.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Fault } from "../calls/api.ts";
import { createCampaign } from "./calls.ts";
import { firstSender } from "./first-sender.ts";
import { useTexts } from "../base/language.ts";
import { showToast } from "../parts/overlays/toast.tsx";
import { segmentsTexts } from "../texts/areas.ts";
import { useStarterContent } from "../writing/starter-content.ts";
import type { Segment } from "../segments/calls.ts";

export function useNewCampaignTo() {
  const t = useTexts(segmentsTexts);
  const navigate = useNavigate();
  const firstWords = useStarterContent();
  return useMutation({
    mutationFn: async ({ id: segmentId, name: segment }: Pick<Segment, "id" | "name">) => {
      const name = t.campaignName(segment);
      const sender = await firstSender();
      if (!sender) throw new Fault(400, "DOMAIN_NOT_VERIFIED", t.noSender);
      const words = await firstWords("visual");
      return createCampaign({ name, subject: name, ...words, ...sender, audienceType: "SEGMENT", segmentId });
    },
    onSuccess: ({ id, name }) => {
      showToast(t.campaignMade(name));
      void navigate({ to: "/campaigns/$id", params: { id } });
    },
  });
}
