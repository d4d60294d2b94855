// Mails put into a data directory by SQL, while no server runs: a backlog to send, or the past of a large installation.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { HTML, SENDER, SUBJECT } from "./letter.ts";

const ROWS_A_TRANSACTION = 20_000;
const PAST = "2026-01-01T00:00:00.000Z";

/**
 * Adds `count` mails to the workspace of the first start, each with its own content and contact; SENT ones with their
 * event.
 */
export function stock(dir: string, count: number, status: "QUEUED" | "SENT"): void {
  const database = new Database(join(dir, "posthorn.db"));
  database.run("pragma synchronous = off");
  for (let left = count; left > 0; left -= ROWS_A_TRANSACTION) {
    database.transaction(() => addRows(database, Math.min(left, ROWS_A_TRANSACTION), status)).immediate();
  }
  database.run("pragma wal_checkpoint(truncate)");
  database.close();
}

function addRows(database: Database, count: number, status: "QUEUED" | "SENT"): void {
  const { last } = database
    .query(
      "select max((select coalesce(max(seq), 0) from contents), (select coalesce(max(seq), 0) from emails)) as last",
    )
    .get() as { last: number };
  const rows = `with recursive n (i) as (select ${last} + 1 union all select i + 1 from n where i < ${last} + ${count})`;
  const id = (kind: number) => `printf('0199a3b4-0000-7000-800${kind}-%012x', i)`;
  database
    .query(
      `${rows} insert into contents (seq, workspace, domain, kind, from_address, subject, html)
       select i, 1, 1, 'TRANSACTIONAL', ?, ?, ? from n`,
    )
    .run(SENDER, SUBJECT, HTML);
  database
    .query(
      `${rows} insert into contacts (seq, id, workspace, email, subscribed, data, created_at, updated_at)
       select i, ${id(1)}, 1, printf('u%d.stock@example.com', i), 0, jsonb('{}'), ?1, ?1 from n`,
    )
    .run(PAST);
  database.run(
    `insert into contact_counts (workspace, shard, total, subscribed) values (1, 0, ${count}, 0)
     on conflict do update set total = total + excluded.total`,
  );
  const settled = status === "SENT";
  database
    .query(
      `${rows} insert into emails (seq, id, workspace, contact, content, source_type, status, lane, due_at, to_address, created_at, sent_at)
       select i, ${id(2)}, 1, i, i, 'TRANSACTIONAL', ?, 0, ?, printf('u%d.stock@example.com', i), ?, ? from n`,
    )
    .run(status, settled ? null : PAST, PAST, settled ? PAST : null);
  if (!settled) return;
  database
    .query(
      `${rows} insert into events (id, workspace, name, contact, email, data, created_at)
       select ${id(3)}, 1, 'email.sent', i, i, jsonb(?), ? from n`,
    )
    .run(JSON.stringify({ subject: SUBJECT, from: SENDER, sentAt: PAST, sourceType: "TRANSACTIONAL" }), PAST);
}
