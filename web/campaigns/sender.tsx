// The sender of a campaign, and a link to change it.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { domainsQuery } from "../settings/domains/calls.ts";
import { SenderTag } from "../settings/sender-choice.tsx";
import { campaignsTexts } from "../texts/areas.ts";
import type { Campaign } from "./calls.ts";
import { CampaignSettings } from "./settings.tsx";

type SenderProps = {
  readonly campaign: Campaign;
  readonly disabledReason: string | undefined;
  readonly flush: () => Promise<void>;
};

export function Sender({ campaign, disabledReason, flush }: SenderProps) {
  const t = useTexts(campaignsTexts);
  const [changes, setChanges] = useState(false);
  return (
    <>
      <span className="cut">
        {campaign.fromName} <span className="dim">{campaign.from || t.noSender}</span>
      </span>
      <span className="inline">
        <SenderTag address={campaign.from} />
        <Button kind="quiet" small disabledReason={disabledReason} onClick={() => setChanges(true)}>
          {t.change}
        </Button>
      </span>
      {changes && <CampaignSettings campaign={campaign} flush={flush} close={() => setChanges(false)} />}
    </>
  );
}

/** `domain`: null = the workspace does not have it; undefined = not loaded. */
export function useSenderDomain({ from }: Pick<Campaign, "from">) {
  const name = from.slice(from.lastIndexOf("@") + 1);
  const asked = useQuery(domainsQuery);
  const { data } = asked;
  return { name, domain: data && (data.find(({ domain }) => domain === name) ?? null), asked };
}
