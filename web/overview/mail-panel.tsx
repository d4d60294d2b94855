// Emails of the last days: a sum with links for its parts, and the chart.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense } from "react";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { Sum } from "../parts/number.tsx";
import { SegmentedControl } from "../parts/fields/segmented-control.tsx";
import { overviewTexts } from "../texts/areas.ts";
import { statesQuery, statisticsQuery, type MailStatistics } from "./calls.ts";
import { MailsLink, SENT_BY_US } from "./emails-link.tsx";
import { fromFirst } from "./chart/first-point.ts";
import type { Range } from "./range.ts";
import { DAYS, daysOf, type Days } from "./time-range.ts";
import { lazyPart } from "../chunks.tsx";

const Series = lazyPart(() => import("./chart/series.tsx"), "Series");

const route = getRouteApi("/frame/");

export function MailPanel() {
  const t = useTexts(overviewTexts).mail;
  const range = route.useSearch();
  const navigate = route.useNavigate();
  const { data, isPending } = useQuery(statisticsQuery(range));
  const choose = (days: Days) => void navigate({ search: { days: Number(days) }, replace: true });
  const zoom = (chosen: Range) => void navigate({ search: { ...range, ...chosen } });
  const isZoomed = range.from !== undefined;
  return (
    <section className="panel" aria-labelledby="mail">
      <header>
        <h2 id="mail">{t.title}</h2>
        {data && <Span statistics={data} />}
        <span className="push inline">
          {isZoomed && (
            <Button small kind="quiet" icon="undo" onClick={() => choose(daysOf(range))}>
              {t.whole}
            </Button>
          )}
          <SegmentedControl
            small
            label={t.days}
            choices={DAYS.map((days) => ({ value: days, content: t.lastDays(days) }))}
            value={daysOf(range)}
            onChange={choose}
          />
        </span>
      </header>
      <div className="pad stack l">
        <Parts range={range} />
        {data ? (
          <Suspense fallback={<div className="chart" aria-busy="true" />}>
            <Series statistics={data} zoom={zoom} />
          </Suspense>
        ) : (
          isPending && <div className="chart" aria-busy="true" />
        )}
      </div>
    </section>
  );
}

/** The first and the last day of the chart. */
function Span({ statistics: { from, series } }: { readonly statistics: MailStatistics }) {
  const t = useTexts(overviewTexts).mail;
  const { day } = useFormats();
  const shown = fromFirst(series[0]?.points ?? []);
  const [first = from, last = from] = [shown[0]?.at, shown.at(-1)?.at];
  return <span className="dim row-text wide-only cut">{t.span(day(new Date(first)), day(new Date(last)))}</span>;
}

/** accepted = sent + … Each part links to its emails. */
function Parts({ range }: { readonly range: Range }) {
  const t = useTexts(overviewTexts).mail;
  const { number } = useFormats();
  const { data, ...asked } = useQuery(statesQuery(range));
  if (!data) return <Skeleton of={asked} rows={1} columns={4} />;
  const { since, accepted, isLowerBound } = data;
  const link = (status: string) => (shown: string) => <MailsLink filters={{ status, since }}>{shown}</MailsLink>;
  const all = isLowerBound ? t.atLeast(number(accepted)) : number(accepted);
  return (
    <Sum
      parts={[
        { id: "accepted", value: all, label: t.accepted, open: link(SENT_BY_US) },
        { id: "sent", value: data.sent, label: t.sent, icon: "sent", open: link("SENT,DELIVERED") },
        { id: "failed", value: data.failed, label: t.failed, icon: "failed", tone: "bad", open: link("FAILED") },
        { id: "bounced", value: data.bounced, label: t.bounced, icon: "bounced", tone: "bad", open: link("BOUNCED") },
        ...(data.complained > 0
          ? [
              {
                id: "complained",
                value: data.complained,
                label: t.complained,
                icon: "complained" as const,
                tone: "bad" as const,
                open: link("COMPLAINED"),
              },
            ]
          : []),
        ...(["skipped", "cancelled"] as const)
          .filter((what) => data[what] > 0)
          .map((what) => ({ id: what, value: data[what], label: t[what], icon: what, open: link(what.toUpperCase()) })),
        ...(data.perhapsDelivered > 0
          ? [
              {
                id: "perhaps",
                value: data.perhapsDelivered,
                label: t.perhaps,
                icon: "waiting" as const,
                tone: "warn" as const,
                open: link("PERHAPS_DELIVERED"),
              },
            ]
          : []),
        { id: "waiting", value: data.waiting, label: t.waiting, icon: "queued", open: link("QUEUED,SENDING") },
      ]}
    />
  );
}
