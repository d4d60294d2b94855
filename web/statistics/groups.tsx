// Statistics by provider, sender domain, template, campaign or type. Each number links to its emails.
import { useQueries, useQuery } from "@tanstack/react-query";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import type { MailFilters } from "../mail/filter/filters.ts";
import type { MailStatistics } from "../overview/calls.ts";
import { CountNotes } from "../overview/chart/count-notes.tsx";
import { MailsLink } from "../overview/emails-link.tsx";
import type { Range } from "../overview/range.ts";
import { StatusIcon } from "../parts/icons/icon.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { SegmentedControl } from "../parts/fields/segmented-control.tsx";
import { statisticsTexts } from "../texts/areas.ts";
import {
  GROUPINGS,
  filterOf,
  groupsQuery,
  mailsOf,
  nameQuery,
  type Grouping,
  type Series,
  type Totals,
} from "./calls.ts";
import { MIN_EMAILS, rateOf, verdictOf, type LimitedRate } from "./limits.ts";

type GroupsProps = { readonly range: Range; readonly by: Grouping; readonly choose: (by: Grouping) => void };

export function Groups({ range, by, choose }: GroupsProps) {
  const t = useTexts(statisticsTexts);
  const { data, ...asked } = useQuery(groupsQuery(range, by));
  const told = data?.deliveriesReported || data?.series.some(({ totals }) => totals.delivered > 0);
  const shown = SHOWN.filter(({ name }) => name !== "delivered" || told);
  const names = useNames(by, data?.series ?? []);
  return (
    <section className="panel" aria-label={t.apart}>
      <header className="groups-head">
        <h2>{t.apart}</h2>
        <SegmentedControl
          small
          label={t.apart}
          choices={GROUPINGS.map((one) => ({ value: one, content: t.by[one] }))}
          value={by}
          onChange={choose}
        />
      </header>
      {!data && <Skeleton of={asked} rows={5} columns={6} />}
      {data && (
        <div className="scroll-x" tabIndex={0} role="region" aria-label={t.by[by]}>
          <table className="groups">
            <thead>
              <tr>
                <th>{t.one[by]}</th>
                {shown.map(({ name }) => (
                  <th key={name} className="end">
                    {t.what[name]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.series.map((series) => (
                <Line
                  key={series.group ?? ""}
                  shown={shown}
                  series={series}
                  name={series.group === null ? t.others : (names.get(series.group) ?? t.named(by, series.group))}
                  group={series.group === null ? null : filterOf(by, series.group)}
                  span={data}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data?.series.length === 0 && <p className="pad dim row-text">{t.nothing[by]}</p>}
      {data && <CountNotes statistics={data} className="pad disabled-reason" />}
      <p className="pad dim row-text">
        {[t.note, ...(by === "provider" ? [t.ofProviders] : []), ...(data && !told ? [t.noDeliveries] : [])].join(" ")}
      </p>
    </section>
  );
}

function useNames(by: Grouping, series: readonly Series[]): ReadonlyMap<string, string> {
  const queries = useQueries({ queries: series.map(({ group }) => nameQuery(by, group)) });
  return new Map(
    series.flatMap(({ group }, at) => {
      const name = queries[at]?.data;
      return group !== null && typeof name === "string" ? [[group, name] as const] : [];
    }),
  );
}

type GroupRate = {
  readonly name: "sent" | "delivered" | "opened" | "clicked" | "bounced" | "complained";
  readonly limited?: LimitedRate;
};

const SHOWN: readonly GroupRate[] = [
  { name: "sent" },
  { name: "delivered" },
  { name: "opened" },
  { name: "clicked" },
  { name: "bounced", limited: "bounced" },
  { name: "complained", limited: "complained" },
];

type GroupLineProps = {
  readonly shown: readonly GroupRate[];
  readonly series: Series;
  readonly name: string;
  /** Null: the list has no filter for these emails. */
  readonly group: MailFilters | null;
  readonly span: Pick<MailStatistics, "from" | "to">;
};

function Line({ shown: columns, series: { totals }, name, group, span }: GroupLineProps) {
  const { number } = useFormats();
  const link = (what: GroupRate["name"]) => {
    const shown = number(totals[what]);
    if (group === null || totals[what] === 0) return shown;
    return <MailsLink filters={{ ...group, ...mailsOf(what, span) }}>{shown}</MailsLink>;
  };
  const { from: since, to: until } = span;
  return (
    <tr>
      <th className="cut">
        {group === null ? name : <MailsLink filters={{ ...group, since, until }}>{name}</MailsLink>}
      </th>
      {columns.map(({ name: what, limited }) => (
        <td key={what} className="end">
          {link(what)}
          <Share totals={totals} what={what} limited={limited} />
        </td>
      ))}
    </tr>
  );
}

type ShareProps = {
  readonly totals: Totals;
  readonly what: GroupRate["name"];
  readonly limited: LimitedRate | undefined;
};

function Share({ totals, what, limited }: ShareProps) {
  const t = useTexts(statisticsTexts);
  const { percent } = useFormats();
  if (what === "sent" || totals.sent === 0) return <span className="share" />;
  const rate = limited ? (rateOf(limited, totals) ?? 0) : totals[what] / totals.sent;
  const verdict = limited && totals.sent >= MIN_EMAILS ? verdictOf(limited, rate) : "ok";
  return (
    <span className={`share ${verdict === "ok" ? "dim" : verdict}`}>
      {verdict !== "ok" && limited && (
        <>
          <StatusIcon name="warn" tone={verdict} />
          <span className="hidden-text">{t.verdict[limited][verdict]}</span>
        </>
      )}
      {percent(rate)}
    </span>
  );
}
