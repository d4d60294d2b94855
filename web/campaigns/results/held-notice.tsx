// Why a campaign is held, and how to fix it.
import { Link } from "@tanstack/react-router";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { accountTexts } from "../../texts/areas.ts";
import type { Campaign } from "../calls.ts";
import { useSenderDomain } from "../sender.tsx";

export function HeldNotice({ campaign }: { readonly campaign: Campaign }) {
  return campaign.blocked === null ? null : <HeldReason campaign={campaign} />;
}

/** A translated text for known reasons, else the server's words. */
function HeldReason({ campaign }: { readonly campaign: Campaign }) {
  const t = useTexts(accountTexts);
  const { domain } = useSenderDomain(campaign);
  const isOfDomain = domain !== undefined && domain?.verified !== true;
  return (
    <Banner
      tone="warn"
      role="status"
      actions={
        isOfDomain && (
          <Link to="/settings/domains/{-$id}" params={{ id: domain?.id }}>
            {t.toDomain}
          </Link>
        )
      }
    >
      <b>{t.held}</b> {isOfDomain ? t.noDomain : campaign.blocked}
    </Banner>
  );
}
