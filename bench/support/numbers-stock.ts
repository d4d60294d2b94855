// What stands behind the numbers of the face, added to stocked mails by SQL: opens, clicks, recipients, and sums of
// ninety days.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { CAMPAIGN, TEMPLATES } from "./emails-stock.ts";

const DAYS = 90;
const HOURS = DAYS * 24;
const HOUR_MS = 60 * 60 * 1000;
/** Of each kind, in every hour. */
const GROUPS = { template: 200, campaign: 50, provider: 11 };
const DOMAINS = 10;
const LINKS = 300;

/**
 * Every fourth mail was opened, every twentieth clicked twice, in the campaign every fifth; all mails are recipients of
 * the campaign.
 */
export function stockNumbers(dir: string, nowMs: number): void {
  const database = new Database(join(dir, "posthorn.db"));
  database.run("pragma synchronous = off");
  database.transaction(() => fill(database, nowMs)).immediate();
  database.run("pragma wal_checkpoint(truncate)");
  database.run("analyze");
  database.close();
}

function fill(database: Database, nowMs: number): void {
  const isClicked = "(seq % 20 = 1 or (campaign is 1 and seq % 5 = 1))";
  database.run(
    `update campaigns set started_at = (select min(created_at) from emails where campaign = 1) where seq = 1`,
  );
  database.run(`
    update emails set sent_at = created_at, delivered_at = case when status = 'DELIVERED' then created_at end,
      opens = 1 * (seq % 4 = 1 or ${isClicked}), opened_at = case when seq % 4 = 1 or ${isClicked} then created_at end,
      clicks = 2 * ${isClicked}, clicked_at = case when ${isClicked} then created_at end
    where status in ('SENT', 'DELIVERED')`);
  database.run(`insert into recipients (campaign, contact, email) select 1, seq, seq from emails`);
  const facts = `'from', 'hello@example.test', 'sourceType', source_type, 'templateId', '${TEMPLATES.usual}', 'campaignId', '${CAMPAIGN}'`;
  const event = (name: string, more: string, where: string) =>
    database.run(`
      insert into events (id, workspace, name, contact, email, data, created_at)
      select replace(id, '-8000-', '-${name === "email.open" ? "8001" : "8002"}-'), workspace, '${name}', contact, seq,
        jsonb_object(${facts}, ${more}), created_at
      from emails where ${where}`);
  event("email.open", "'isFirstOpen', json('true')", "opens > 0");
  for (const isFirst of ["true", "false"])
    event(
      "email.click",
      `'isFirstClick', json('${isFirst}'), 'link', 'https://example.test/' || (seq % ${LINKS})`,
      "clicks > 0",
    );
  const times = (hours: number, perHour: number) => `
    with recursive n (i) as (select 0 union all select i + 1 from n where i < ${hours * perHour - 1}),
    times as (select strftime('%Y-%m-%dT%H:%M', (${nowMs - hours * HOUR_MS} + i * ${HOUR_MS / perHour}) / 1000.0, 'unixepoch') as at from n)`;
  const numbers = (most: number) =>
    `(with recursive m (g) as (select 1 union all select g + 1 from m where g < ${most}) select g from m)`;
  const counted = ["accepted", "sent", "delivered", "opened", "clicked"];
  const sums = counted.join(", ");
  const totals = counted.map((one) => `sum(${one})`).join(", ");
  database.run(`${times(HOURS, 4)}
    insert into mail_counts (workspace, quarter, source_type, domain, ${sums})
    select 1, substr(at, 1, 14) || substr('00153045', 1 + 2 * (cast(substr(at, 15, 2) as integer) / 15), 2), type, printf('%d.example', g), 4, 4, 4, 1, 1
    from times cross join (select 'TRANSACTIONAL' as type union all select 'CAMPAIGN' union all select 'WORKFLOW') cross join ${numbers(DOMAINS)}
    where true order by 2, 3, 4 on conflict do nothing`);
  for (const [kind, most] of Object.entries(GROUPS))
    database.run(`${times(HOURS, 1)}
      insert into mail_group_counts (workspace, kind, quarter, name, ${sums})
      select 1, '${kind} by hour', substr(at, 1, 13) || ':00', printf('${kind} %d', g), g, g, g, 1, 1
      from times cross join ${numbers(most)} where true order by 2, 3, 4 on conflict do nothing`);
  const longer = `insert into mail_group_counts (workspace, kind, quarter, name, ${sums}) select workspace,`;
  database.run(`${longer} 'mails by hour', substr(quarter, 1, 13) || ':00', source_type || ' ' || domain, ${totals}
    from mail_counts group by 1, 3, 4`);
  database.run(`${longer} replace(kind, ' by hour', ' by day'), substr(quarter, 1, 10) || 'T00:00', name, ${totals}
    from mail_group_counts where kind like '% by hour' group by 1, 2, 3, 4`);
}
