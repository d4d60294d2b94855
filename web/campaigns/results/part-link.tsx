// A number in the results that opens its recipients.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { compact } from "../../base/compact.ts";
import { useTexts } from "../../base/language.ts";
import { accountTexts } from "../../texts/areas.ts";
import type { CampaignStatistics } from "./calls.ts";
import { tellsDeliveries, type PartName } from "./parts.ts";

export function usePartLabel(statistics: CampaignStatistics): (name: PartName) => string {
  const t = useTexts(accountTexts);
  return (name) => (name === "noWord" && !tellsDeliveries(statistics) ? t.byRelay : t.parts[name]);
}

type PartLinkProps = {
  readonly name: PartName;
  readonly link?: string;
  readonly className?: string;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
};

export function PartLink({ name, link, className = "opens", isCurrent = false, children }: PartLinkProps) {
  return (
    <Link
      from="/campaigns/$id"
      to="."
      className={className}
      aria-current={isCurrent ? "true" : undefined}
      activeOptions={{ exact: true }}
      resetScroll={false}
      search={({ course }) => ({ tab: "results" as const, part: name, ...compact({ link, course }) })}
    >
      {children}
    </Link>
  );
}
