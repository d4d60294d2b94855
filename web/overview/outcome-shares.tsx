// Outcomes of sent email, as shares.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { StatusIcon, type StatusIconName, type Tone } from "../parts/icons/icon.tsx";
import { Panel } from "../parts/layout.tsx";
import { overviewTexts } from "../texts/areas.ts";
import type { MailFilters } from "../mail/filter/filters.ts";
import { statesQuery, statisticsQuery } from "./calls.ts";
import { MailsLink } from "./emails-link.tsx";

const route = getRouteApi("/frame/");

type Share = {
  readonly name: "bounced" | "complained" | "opened" | "clicked" | "unsubscribed" | "leftTopic";
  readonly icon: StatusIconName;
};
type OutcomeShare = Share & { readonly tone?: Tone; readonly status?: string };

const SHARES: readonly OutcomeShare[] = [
  { name: "bounced", icon: "bounced", tone: "bad", status: "BOUNCED" },
  { name: "complained", icon: "complained", tone: "bad", status: "COMPLAINED" },
  { name: "opened", icon: "opened" },
  { name: "clicked", icon: "clicked" },
  { name: "unsubscribed", icon: "unsub" },
  { name: "leftTopic", icon: "unsub" },
];

export function OutcomeShares() {
  const t = useTexts(overviewTexts).fares;
  const { number } = useFormats();
  const { days } = route.useSearch();
  const range = days === undefined ? {} : { days };
  const { data: states } = useQuery(statesQuery(range));
  const { from = "", series } = useQuery(statisticsQuery(range)).data ?? {};
  const totals = series?.[0]?.totals;
  if (!states || !totals) return null;
  const { since, sent, bounced, complained } = states;
  const all = sent + bounced + complained;
  if (all === 0) return null;
  const counts = { ...totals, bounced, complained };
  const filtersOf = ({ name, status }: OutcomeShare): MailFilters =>
    status ? { status, since } : { happened: name, since: from };
  return (
    <Panel title={t.title(number(all))}>
      <div className="rows fares">
        {SHARES.filter(({ name }) => name !== "leftTopic" || counts.leftTopic > 0).map((share) => (
          <Row key={share.name} share={share} count={counts[share.name]} of={all} filters={filtersOf(share)} />
        ))}
      </div>
    </Panel>
  );
}

type RowProps = {
  readonly share: OutcomeShare;
  readonly count: number;
  readonly of: number;
  readonly filters: MailFilters;
};

function Row({ share, count, of, filters }: RowProps) {
  const t = useTexts(overviewTexts).fares;
  const { number, percent } = useFormats();
  const { name, icon, tone = "dim" } = share;
  return (
    <div className="line">
      <StatusIcon name={icon} tone={count > 0 ? tone : "dim"} />
      <span>{t[name]}</span>
      <span className="dim end">
        {count > 0 ? <MailsLink filters={filters}>{number(count)}</MailsLink> : number(count)}
      </span>
      <b className="end">{percent(count / of)}</b>
    </div>
  );
}
