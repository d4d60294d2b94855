// The numbers told apart: by provider, sender domain, template, campaign or kind. Each opens its mails.
import { useQueries, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { MailsLink } from "../overview/mails-link.tsx";
import type { Range } from "../overview/range.ts";
import { Mark } from "../parts/icon.tsx";
import { Bones } from "../parts/layout.tsx";
import { Seg } from "../parts/seg.tsx";
import { statisticsTexts } from "../texts/statistics.ts";
import { BY, filterOf, groupsQuery, nameQuery, type By, type Series, type Totals } from "./calls.ts";
import { FEW_MAILS, rateOf, verdictOf, type Limited } from "./limits.ts";

type GroupsProps = { readonly range: Range; readonly by: By; readonly choose: (by: By) => void };

export function Groups({ range, by, choose }: GroupsProps) {
  const t = useTexts(statisticsTexts);
  const { data } = useQuery(groupsQuery(range, by));
  const names = useNames(by, data?.series ?? []);
  const counted = data?.countedFrom;
  return (
    <section className="panel" aria-label={t.by[by]}>
      <header className="groups-head">
        <h2>{t.apart}</h2>
        <Seg
          small
          label={t.apart}
          choices={BY.map((one) => ({ value: one, content: t.by[one] }))}
          value={by}
          onChange={choose}
        />
      </header>
      {!data && <Bones rows={5} columns={6} />}
      {data && (
        <div className="scroll-x" tabIndex={0} role="region" aria-label={t.by[by]}>
          <table className="groups">
            <thead>
              <tr>
                <th>{t.one[by]}</th>
                {SHOWN.map(({ name }) => (
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
                  series={series}
                  name={series.group === null ? t.others : (names.get(series.group) ?? t.named(by, series.group))}
                  filters={
                    series.group === null ? null : { ...filterOf(by, series.group), since: data.from, until: data.to }
                  }
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data?.series.length === 0 && <p className="pad dim row-text">{t.nothing[by]}</p>}
      {counted != null && counted > data!.from && <p className="pad off-why">{t.stillCounting}</p>}
      <p className="pad dim row-text">{by === "provider" ? `${t.note} ${t.ofProviders}` : t.note}</p>
    </section>
  );
}

function useNames(by: By, series: readonly Series[]): ReadonlyMap<string, string> {
  const asked = useQueries({ queries: series.map(({ group }) => nameQuery(by, group)) });
  return new Map(
    series.flatMap(({ group }, at) => {
      const name = asked[at]?.data;
      return group !== null && typeof name === "string" ? [[group, name] as const] : [];
    }),
  );
}

type Shown = {
  readonly name: "sent" | "delivered" | "opened" | "clicked" | "bounced" | "complained";
  readonly status?: string;
  readonly limited?: Limited;
};

const SHOWN: readonly Shown[] = [
  { name: "sent", status: "SENT,DELIVERED,COMPLAINED" },
  { name: "delivered", status: "DELIVERED" },
  { name: "opened" },
  { name: "clicked" },
  { name: "bounced", status: "BOUNCED", limited: "bounced" },
  { name: "complained", status: "COMPLAINED", limited: "complained" },
];

type LineProps = {
  readonly series: Series;
  readonly name: string;
  /** Null: no list has these mails. */
  readonly filters: Readonly<Record<string, string>> | null;
};

function Line({ series: { totals }, name, filters }: LineProps) {
  const { number } = useFormats();
  const door = (status: string | undefined, shown: ReactNode) =>
    filters === null || status === undefined ? shown : <MailsLink filters={{ ...filters, status }}>{shown}</MailsLink>;
  return (
    <tr>
      <th className="cut">{filters === null ? name : <MailsLink filters={filters}>{name}</MailsLink>}</th>
      {SHOWN.map(({ name: what, status, limited }) => (
        <td key={what} className="end">
          {totals[what] > 0 ? door(status, number(totals[what])) : number(0)}
          <Share totals={totals} what={what} limited={limited} />
        </td>
      ))}
    </tr>
  );
}

type ShareProps = {
  readonly totals: Totals;
  readonly what: Shown["name"];
  readonly limited: Limited | undefined;
};

function Share({ totals, what, limited }: ShareProps) {
  const t = useTexts(statisticsTexts);
  const { percent } = useFormats();
  if (what === "sent" || totals.sent === 0) return <span className="share" />;
  const rate = limited ? (rateOf(limited, totals) ?? 0) : totals[what] / totals.sent;
  const verdict = limited && totals.sent >= FEW_MAILS ? verdictOf(limited, rate) : "ok";
  return (
    <span className={`share ${verdict === "ok" ? "dim" : verdict}`}>
      {verdict !== "ok" && limited && (
        <>
          <Mark name="warn" tone={verdict} />
          <span className="hidden-text">{t.verdict[limited][verdict]}</span>
        </>
      )}
      {percent(rate)}
    </span>
  );
}
