// The mark on the Check tab when something needs fixing.
import { useTexts } from "../../base/language.ts";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { campaignsTexts } from "../../texts/areas.ts";
import { contentOf } from "../../writing/content.ts";
import type { Campaign } from "../calls.ts";
import { useChecks } from "./use-checks.ts";

/** Checks the saved version. */
export function CheckMark({ campaign }: { readonly campaign: Campaign }) {
  const { check: t } = useTexts(campaignsTexts);
  const { checks = [] } = useChecks(campaign, contentOf(campaign));
  const bad = checks.filter(({ is }) => is === "bad").length;
  if (bad === 0) return null;
  return (
    <>
      <StatusIcon name="failed" tone="bad" />
      <span className="hidden-text">{t.toMend(bad)}</span>
    </>
  );
}
