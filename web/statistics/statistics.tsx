// Statistics: outcomes over time, rates against the limits of mailbox providers, and groups.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense } from "react";
import { useFormats } from "../base/formats.ts";
import { Bar } from "../parts/bar.tsx";
import { useTexts } from "../base/language.ts";
import { MailsLink } from "../overview/emails-link.tsx";
import { statisticsQuery, type MailStatistics } from "../overview/calls.ts";
import type { Range } from "../overview/range.ts";
import { DAYS, daysOf, rangeOf } from "../overview/time-range.ts";
import { Button } from "../parts/button.tsx";
import type { StatusIconName, Tone } from "../parts/icons/icon.tsx";
import { Skeleton, Panel } from "../parts/layout.tsx";
import { Number } from "../parts/number.tsx";
import { SegmentedControl } from "../parts/fields/segmented-control.tsx";
import { statisticsTexts } from "../texts/areas.ts";
import { groupingIn, mailsOf, type Totals } from "./calls.ts";
import { Groups } from "./groups.tsx";
import { Rates } from "./rates.tsx";
import { lazyPart } from "../chunks.tsx";
import "../overview/overview.css";
import "./statistics.css";

const EmailSeries = lazyPart(() => import("../overview/chart/series.tsx"), "Series");

const route = getRouteApi("/frame/statistics");

export function StatisticsScreen() {
  const t = useTexts(statisticsTexts);
  const { group: grouping, ...range } = route.useSearch();
  const by = groupingIn(grouping);
  const navigate = route.useNavigate();
  const { data, ...asked } = useQuery(statisticsQuery(range));
  const show = (next: Range) => void navigate({ search: { ...next, ...(grouping ? { group: grouping } : {}) } });
  return (
    <>
      <Bar
        title={t.title}
        call={{ path: "/statistics/mails", query: { ...rangeOf(range, new Date()), by } }}
        actions={
          <>
            {range.from !== undefined && (
              <Button
                kind="quiet"
                icon="undo"
                label={t.whole}
                onClick={() => show({ days: globalThis.Number(daysOf(range)) })}
              />
            )}
            <SegmentedControl
              label={t.days}
              choices={DAYS.map((days) => ({ value: days, content: t.lastDays(days) }))}
              value={daysOf(range)}
              onChange={(days) => show({ days: globalThis.Number(days) })}
            />
          </>
        }
      />
      <div className="page">
        <Panel title={t.overTime}>
          <div className="pad stack l">
            {data ? <Parts statistics={data} /> : <Skeleton of={asked} rows={1} columns={6} />}
            <Suspense fallback={<div className="chart" aria-busy="true" />}>
              {data ? (
                <EmailSeries statistics={data} zoom={(zoomed) => show({ ...range, ...zoomed })} />
              ) : (
                asked.isPending && <div className="chart" aria-busy="true" />
              )}
            </Suspense>
          </div>
        </Panel>
        {data?.series[0] && <Rates totals={data.series[0].totals} since={data.from} until={data.to} />}
        <Groups
          range={range}
          by={by}
          choose={(next) => void navigate({ search: { ...range, group: next }, replace: true })}
        />
      </div>
    </>
  );
}

type TotalPart = {
  readonly name: keyof Totals & ("accepted" | "sent" | "delivered" | "opened" | "clicked" | "bounced" | "complained");
  readonly icon?: StatusIconName;
  readonly tone?: Tone;
};

const PARTS: readonly TotalPart[] = [
  { name: "accepted" },
  { name: "sent", icon: "sent" },
  { name: "delivered", icon: "delivered" },
  { name: "opened", icon: "opened" },
  { name: "clicked", icon: "clicked" },
  { name: "bounced", icon: "bounced", tone: "bad" },
  { name: "complained", icon: "complained", tone: "bad" },
];

function Parts({ statistics: { from, to, series, deliveriesReported } }: { readonly statistics: MailStatistics }) {
  const t = useTexts(statisticsTexts);
  const { number } = useFormats();
  const totals = series[0]?.totals;
  if (!totals) return null;
  const shown = PARTS.filter(({ name }) => name !== "delivered" || deliveriesReported || totals.delivered > 0);
  return (
    <div className="numbers of-mails">
      {shown.map(({ name, icon, tone }) => (
        <Number
          key={name}
          value={number(totals[name])}
          label={t.what[name]}
          {...(icon ? { icon } : {})}
          {...(tone && totals[name] > 0 ? { tone } : {})}
          {...(totals[name] > 0
            ? { open: (shown) => <MailsLink filters={mailsOf(name, { from, to })}>{shown}</MailsLink> }
            : {})}
        />
      ))}
    </div>
  );
}
