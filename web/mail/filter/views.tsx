// The views of the list, each with its count if no other filter is set.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { compact } from "../../base/compact.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { mailTexts } from "../../texts/areas.ts";
import { SavedViews } from "../../views/saved-views.tsx";
import { isSame, viewsQuery } from "../../views/saved.ts";
import { FilterTokens } from "./filter-tokens.tsx";
import { inView, VIEWS, viewOf, type ViewName } from "./search-query.ts";
import type { MailFilters, MailSearch } from "./filters.ts";
import { countsQuery, queueQuery, type MailQueue } from "../calls.ts";

type ViewsProps = { readonly filters: MailFilters; readonly search: MailSearch };

export function Views({ filters, search }: ViewsProps) {
  const t = useTexts(mailTexts);
  const { status: _, held: __, ...others } = filters;
  const numbers = useViewCounts(Object.keys(others).length === 0);
  const here = viewOf(filters);
  const saved = useQuery(viewsQuery("mails")).data ?? [];
  const isSaved = saved.some((view) => isSame(view.filter, filters));
  const { tab } = search;
  return (
    <nav className="tabs views" aria-label={t.views}>
      {(Object.keys(VIEWS) as ViewName[]).map((view) => (
        <Link
          key={view}
          to="."
          search={{ ...inView(filters, view), ...(tab === undefined ? {} : { tab }) }}
          activeOptions={{ exact: true }}
          aria-current={view === here && !isSaved ? "true" : "false"}
          preload={false}
        >
          {t.viewNames[view]}
          {numbers[view] !== undefined && <span className="n">{numbers[view]}</span>}
        </Link>
      ))}
      <SavedViews
        list="mails"
        to="/mail"
        filters={filters}
        beside={tab === undefined ? {} : { tab }}
        isKnown={Object.values(VIEWS).some((view) => isSame(view, filters))}
        shown={<FilterTokens filters={filters} />}
      />
    </nav>
  );
}

function useViewCounts(isWhole: boolean): Partial<Record<ViewName, string>> {
  const { number } = useFormats();
  const counts = useQuery({ ...countsQuery, enabled: isWhole }).data;
  const queue = useQuery(queueQuery).data;
  if (!isWhole) return {};
  const countText = (status: "FAILED" | "BOUNCED" | "RECEIVED") => counts && number(counts.get(status) ?? 0);
  return {
    ...compact({ failed: countText("FAILED"), bounced: countText("BOUNCED"), received: countText("RECEIVED") }),
    ...(queue ? queueCounts(queue, number) : {}),
  };
}

const HELD_REASONS: readonly string[] = [
  "CAMPAIGN_PAUSED",
  "DOMAIN_NOT_VERIFIED",
  "MARKETING_STOPPED",
  "OPERATOR",
  "PROVIDER_PACE",
];

function queueCounts({ reasons }: MailQueue, number: (value: number) => string) {
  const sum = (parts: readonly { readonly count: number; readonly isLowerBound: boolean }[]) =>
    number(parts.reduce((total, { count }) => total + count, 0)) + (parts.some((part) => part.isLowerBound) ? "+" : "");
  const of = (held: boolean) =>
    reasons
      .filter(({ reason }) => HELD_REASONS.includes(reason) === held && reason !== "PERHAPS_DELIVERED")
      .map(({ count }) => count);
  return { held: sum(of(true)), queued: sum(of(false)) };
}
