// Contacts put into a data directory by SQL, while no server runs.
import { Database } from "bun:sqlite";
import { join } from "node:path";

const PAST = "2026-01-01T00:00:00.000Z";
const DATA = JSON.stringify({ name: "Ada Lovelace", plan: "pro", city: "Bonn", orders: 17 });
/** Coprime to the counts, so that neighbours by age are none by address. */
const STRIDE = 7919;

/** Adds `count` contacts to the workspace of the first start: four of five are subscribed. */
export function stockContacts(dir: string, count: number): void {
  const database = new Database(join(dir, "posthorn.db"));
  database.run("pragma synchronous = off");
  database
    .query(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?1), people (i, email) as (
         select i, printf('person.%d@%s.example.com', (i * ${STRIDE}) % (?1 + 3), case i % 3 when 0 then 'mail' when 1 then 'post' else 'box' end)
         from n)
       insert into contacts (id, workspace, email, subscribed, data, sought, created_at, updated_at)
       select printf('0199a3b4-0000-7000-8001-%012x', i), 1, email, i % 5 > 0, jsonb(?2),
         email || char(10) || 'ada lovelace' || char(10), ?3, ?3
       from people`,
    )
    .run(count, DATA, PAST);
  database.run(
    `insert into contact_counts (workspace, shard, total, subscribed)
     select 1, 0, count(*), sum(subscribed) from contacts where workspace = 1
     on conflict do update set total = excluded.total, subscribed = excluded.subscribed`,
  );
  database.run("insert into contacts_sought (rowid, sought) select seq, sought from contacts");
  database.run("update contacts_sought_to set seq = (select max(seq) from contacts)");
  // What a server does by and by.
  database.run(`insert into contacts_sought (rowid, sought)
    select seq, sought from contacts where seq > (select seq from contacts_sought_to)`);
  database.run("update contacts_sought_to set seq = (select max(seq) from contacts)");
  database.run("pragma wal_checkpoint(truncate)");
  database.close();
}
