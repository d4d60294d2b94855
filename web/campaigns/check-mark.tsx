// On the tab of the checks: that something is to be mended.
import { useTexts } from "../language.ts";
import { StatusIcon } from "../parts/icon.tsx";
import { campaignsTexts } from "../texts/areas.ts";
import { writtenOf, type Campaign } from "./calls.ts";
import { useChecks } from "./looking.ts";

/** Of what is saved. */
export function CheckMark({ campaign }: { readonly campaign: Campaign }) {
  const { check: t } = useTexts(campaignsTexts);
  const { checks = [] } = useChecks(campaign, writtenOf(campaign));
  const bad = checks.filter(({ is }) => is === "bad").length;
  if (bad === 0) return null;
  return (
    <>
      <StatusIcon name="failed" tone="bad" />
      <span className="hidden-text">{t.toMend(bad)}</span>
    </>
  );
}
