// The domains of the workspace with their status.
import { Link } from "@tanstack/react-router";
import { useTexts } from "../../base/language.ts";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { domainsTexts } from "../../texts/areas.ts";
import type { Domain } from "./calls.ts";
import { needsChange, conditionOf, CONDITIONS, countFound } from "./state.ts";

type DomainListProps = { readonly domains: readonly Domain[]; readonly shown: string | undefined };

export function DomainList({ domains, shown }: DomainListProps) {
  return (
    <div className="rows">
      {domains.map((domain) => (
        <Line key={domain.id} domain={domain} isShown={domain.id === shown} />
      ))}
    </div>
  );
}

function Line({ domain, isShown }: { readonly domain: Domain; readonly isShown: boolean }) {
  const t = useTexts(domainsTexts);
  const condition = conditionOf(domain);
  const { icon, tone } = CONDITIONS[condition];
  return (
    <Link
      className="line"
      to="/settings/domains/{-$id}"
      params={{ id: domain.id }}
      aria-current={isShown ? "true" : undefined}
      activeOptions={{ exact: true }}
      activeProps={{ "aria-current": "true" }}
    >
      <StatusIcon name={icon} tone={tone} />
      <span className="cut">
        <b className="cut">{domain.domain}</b>
        <span className="dim small cut">
          {t.conditions[condition]}, {t.found(countFound(domain), needsChange(domain).length)}
        </span>
      </span>
    </Link>
  );
}
