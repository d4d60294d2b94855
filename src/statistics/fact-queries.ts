// What became of mails as single facts: found in the logs, and noted by triggers where no log keeps them.
import { Sql, sql } from "../store/sql.ts";

/** What is counted, as the columns of mail_counts are called. */
export const COUNTED = [
  "accepted",
  "sent",
  "delivered",
  "failed",
  "hard_bounced",
  "soft_bounced",
  "complained",
  "opened",
  "clicked",
  "unsubscribed",
  "skipped",
  "cancelled",
] as const;

export type Sums = Readonly<Record<(typeof COUNTED)[number], number>>;

/** `emails`: what was accepted; `events`: what became of it. */
export type LogName = "emails" | "events";

export function text(words: string): Sql {
  return new Sql([words], []);
}

export const COLUMNS = text(COUNTED.join(", "));
export const SUMS = text(COUNTED.map((one) => `sum(case when what = '${one}' then 1 else 0 end) as ${one}`).join(", "));

/** What is added to the sums that a table has. */
export function addedTo(table: "mail_counts" | "mail_group_counts"): string {
  return COUNTED.map((one) => `${one} = ${table}.${one} + excluded.${one}`).join(", ");
}

export const TOTALS = text(COUNTED.map((one) => `cast(sum(${one}) as bigint) as ${one}`).join(", "));

/** `2026-03-01T09:15` of a moment. */
export function quarterOf(moment: Sql): Sql {
  return sql`(substr(${moment}, 1, 14) || case when substr(${moment}, 15, 2) < '15' then '00'
    when substr(${moment}, 15, 2) < '30' then '15' when substr(${moment}, 15, 2) < '45' then '30' else '45' end)`;
}

/** What follows the last @. */
export function domainOf(address: Sql): Sql {
  return sql`substr(${address}, length(rtrim(${address}, replace(${address}, '@', ''))) + 1)`;
}

/**
 * The facts of a piece of a log: workspace, quarter, source_type, domain, what; template, campaign and recipient (a
 * domain) may be null.
 */
export function factsIn(log: LogName, piece: Sql): Sql {
  return log === "emails" ? acceptances(piece) : outcomes(piece);
}

function acceptances(piece: Sql): Sql {
  return sql`
    select l.workspace, ${quarterOf(sql`l.created_at`)} as quarter, l.source_type, ${domainOf(sql`c.from_address`)} as domain,
      'accepted' as what, c.template_id as template, (select id from campaigns where seq = l.campaign) as campaign,
      ${domainOf(sql`l.to_address`)} as recipient
    from emails l join contents c on c.seq = l.content where ${piece} and l.source_type <> 'INBOUND'`;
}

/** An event about a mail names its sender and its source. Further opens and clicks of a mail are no facts. */
function outcomes(piece: Sql): Sql {
  return sql`
    select l.workspace, ${quarterOf(sql`l.created_at`)} as quarter, l.data ->> 'sourceType' as source_type,
      ${domainOf(sql`(l.data ->> 'from')`)} as domain, case
        when l.name = 'email.sent' then 'sent'
        when l.name = 'email.delivery' then 'delivered'
        when l.name = 'email.complaint' then 'complained'
        when l.name = 'email.bounce' then case when l.data ->> 'bounceType' = 'Permanent' then 'hard_bounced' else 'soft_bounced' end
        when l.name = 'email.open' and cast(l.data -> 'isFirstOpen' as text) = 'true' then 'opened'
        when l.name = 'email.click' and cast(l.data -> 'isFirstClick' as text) = 'true' then 'clicked' end as what,
      l.data ->> 'templateId' as template, l.data ->> 'campaignId' as campaign, ${domainOf(sql`m.to_address`)} as recipient
    from events l left join emails m on m.seq = l.email
    where ${piece} and l.name in ('email.sent', 'email.delivery', 'email.bounce', 'email.complaint', 'email.open', 'email.click')`;
}

export function marked(piece: Sql): Sql {
  return sql`
    select l.workspace, ${quarterOf(sql`l.at`)} as quarter, l.source_type, l.domain, l.what,
      l.template, l.campaign, l.recipient
    from uncounted l where ${piece}`;
}
