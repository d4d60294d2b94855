// Mails of last year with their events, put into a data directory by SQL, while no server runs.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { HTML } from "./letter.ts";

/** Mails of a contact. */
const MAILS_A_CONTACT = 20;
const AT = "2025-06-01T09:00:00.000Z";

/** Each with a content of its own and two events. `passed`: a kind that has been gone through already. */
export function stockOldMails(dir: string, count: number, passed: string | null): void {
  using database = new Database(join(dir, "posthorn.db"));
  database.run("pragma synchronous = off");
  database.transaction(() => fill(database, count, passed)).immediate();
  database.run("pragma wal_checkpoint(truncate)");
}

function fill(database: Database, count: number, passed: string | null): void {
  const contacts = Math.ceil(count / MAILS_A_CONTACT);
  const rows = (most: number) => `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${most})`;
  const contact = `(i * 7919) % ${contacts} + 1`;
  database.run(`${rows(contacts)}
    insert into contacts (seq, id, workspace, email, subscribed, data, created_at, updated_at)
    select i, printf('0199a3b4-0000-7000-8001-%012x', i), 1, printf('person.%d@mail.example.com', i), 1, jsonb('{}'), '2025', '2025' from n`);
  database.run(`
    insert into contact_counts (workspace, shard, total, subscribed) select 1, 9, count(*), count(*) from contacts`);
  database
    .query(
      `${rows(count)}
       insert into contents (seq, workspace, domain, kind, from_address, subject, html, body_gone_at)
       select i, 1, 1, 'TRANSACTIONAL', 'hello@example.test', printf('Your order %d', i), ?, ? from n`,
    )
    .run(passed === null ? HTML : "", passed === null ? null : AT);
  database.run(`${rows(count)}
    insert into emails (seq, id, workspace, contact, content, source_type, status, lane, attempts, to_address, created_at, attempted_at, sent_at)
    select i, printf('01972a00-0000-7000-8000-%012x', i), 1, ${contact}, i, 'TRANSACTIONAL', 'SENT', 0, 1,
      printf('person.%d@mail.example.com', ${contact}), '${AT}', '${AT}', '${AT}' from n`);
  for (const [place, name] of ["email.sent", "email.open"].entries())
    database.run(`${rows(count)}
      insert into events (id, workspace, name, contact, email, data, created_at)
      select printf('01972a00-000${place}-7000-8002-%012x', i), 1, '${name}', ${contact}, i,
        jsonb(json_object('subject', 'Your order', 'from', 'hello@example.test', 'fromName', '', 'messageId', '<x@example.test>',
          'emailId', printf('01972a00-0000-7000-8000-%012x', i), 'templateId', null, 'campaignId', null,
          'sourceType', 'TRANSACTIONAL', 'sentAt', '${AT}')), '${AT}' from n`);
  if (passed !== null)
    database
      .query("insert into prunings (workspace, kind, reached, furthest, begun_at) values (1, ?, ?, ?, '2099')")
      .run(passed, count, count);
}
