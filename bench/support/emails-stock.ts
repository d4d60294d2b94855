// The mails of ninety days put into a data directory by SQL, while no server runs: of two workspaces, in every state.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { HTML } from "./letter.ts";

export const CAMPAIGN = "0199a3b4-0000-7000-8004-000000000001";
export const WORKFLOW = "0199a3b4-0000-7000-8005-000000000001";
export const TEMPLATES = {
  usual: "0199a3b4-0000-7000-8006-000000000001",
  seldom: "0199a3b4-0000-7000-8006-000000000002",
};

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 90;
/** Mails that share a content. */
const MAILS_A_CONTENT = 4;
/** Mails of a contact. */
const MAILS_A_CONTACT = 5;
/** Coprime to the counts, so that neighbours by time are none by address. */
const STRIDE = 7919;

export type Stock = { readonly contactId: string; readonly emailId: string; readonly address: string };

/**
 * One mail in five is the second workspace's. A tenth are one campaign's, one in twenty is a workflow's, one in a
 * hundred has failed, bounced or come from outside; the oldest thousand are held, the newest thousand queued. Answers a
 * mail in the middle, and whose it is.
 */
export function stockEmails(dir: string, count: number, nowMs: number): Stock {
  const database = new Database(join(dir, "posthorn.db"));
  database.run("pragma synchronous = off");
  database.transaction(() => fill(database, count, nowMs)).immediate();
  database.run("pragma wal_checkpoint(truncate)");
  const found = database
    .query(
      `select p.id as contactId, e.id as emailId, e.to_address as address from emails e join contacts p on p.seq = e.contact
       where e.workspace = 1 and e.seq > ? and e.status = 'SENT' limit 1`,
    )
    .get(count / 2) as Stock;
  database.close();
  return found;
}

function fill(database: Database, count: number, nowMs: number): void {
  const contacts = Math.ceil(count / MAILS_A_CONTACT);
  const contents = Math.ceil(count / MAILS_A_CONTENT);
  const stepMs = Math.floor((DAYS * DAY_MS) / count);
  const startMs = nowMs - count * stepMs;
  const rows = (most: number) => `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${most})`;
  const time = (ms: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', (${ms}) / 1000.0, 'unixepoch')`;
  database.run(`
    insert into workspaces (seq, id, name, webhook_secret, created_at, updated_at)
    values (2, '0199a3b4-0000-7000-8007-000000000002', 'other', '', '', '')`);
  database.run(`
    insert into campaigns (seq, id, workspace, name, audience_type, status, paused, from_address, created_at, updated_at, subject, body)
    values (1, '${CAMPAIGN}', 1, 'News', 'ALL', 'SENDING', 1, 'news@example.test', '', '', 'News', '<p>News</p>')`);
  database.run(`${rows(contacts)}
    insert into contacts (seq, id, workspace, email, subscribed, data, created_at, updated_at)
    select i, printf('0199a3b4-0000-7000-8001-%012x', i), 1,
      printf('person.%d@mail.example.com', (i * ${STRIDE}) % (${contacts} + 3)), 1, jsonb('{}'), '2026', '2026' from n`);
  database.run(`
    insert into contact_counts (workspace, shard, total, subscribed)
    select workspace, 0, count(*), sum(subscribed) from contacts group by workspace
    on conflict do update set total = excluded.total, subscribed = excluded.subscribed`);
  database
    .query(
      `${rows(contents)}
       insert into contents (seq, workspace, domain, kind, template_id, from_address, subject, html, request_id)
       select i, 1 + (i % 5 = 0), 1, 'TRANSACTIONAL',
         case when i % 10 = 1 then '${TEMPLATES.usual}' when i % 10000 = 2 then '${TEMPLATES.seldom}' end, 'hello@example.test',
         printf('Your order %d is on its way', i), substr(?, 1, 500), printf('order-%d', i) from n`,
    )
    .run(HTML);
  database.run(`${rows(count)}, mails as (
      select i, (i - 1) / ${MAILS_A_CONTENT} + 1 as content, ${startMs} + i * ${stepMs} as ms,
        ((i - 1) / ${MAILS_A_CONTENT} + 1) * ${STRIDE} % ${contacts} + 1 as contact,
        case when i <= 1000 then 'HELD' when i > ${count} - 1000 then 'QUEUED' when i % 100 = 11 then 'FAILED' when i % 100 = 12 then 'BOUNCED'
          when i % 100 = 13 then 'RECEIVED' when i % 3 = 0 then 'DELIVERED' else 'SENT' end as state,
        i > ${count} * 0.4 and i <= ${count} * 0.5 as inCampaign
      from n)
    insert into emails (seq, id, workspace, contact, content, campaign, source_type, status, lane, due_at, to_address, workflow_id, created_at)
    select i, printf('%08x-%04x-7000-8000-%012x', ms >> 16, ms & 65535, i), 1 + (content % 5 = 0), iif(content % 5 = 0, null, contact), content,
      case when inCampaign or state = 'HELD' then 1 end,
      case when state = 'RECEIVED' then 'INBOUND' when inCampaign or state = 'HELD' then 'CAMPAIGN' when i % 20 = 5 then 'WORKFLOW' else 'TRANSACTIONAL' end,
      case state when 'HELD' then 'QUEUED' else state end, case state when 'HELD' then 21 else 0 end,
      case when state in ('HELD', 'QUEUED') then '2099-01-01T00:00:00.000Z' end,
      printf('person.%d@mail.example.com', (contact * ${STRIDE}) % (${contacts} + 3)),
      case when i % 20 = 5 and not inCampaign and state not in ('RECEIVED', 'HELD') then '${WORKFLOW}' end, ${time("ms")} from mails`);
}
