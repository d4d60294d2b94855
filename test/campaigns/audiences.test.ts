// A store from the time when campaigns kept what their audience does not use (migrations/0036).
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { forSqlite, MIGRATIONS } from "../../src/store/migrations.ts";

test("campaigns lose what their audience does not use, and keep what it uses", () => {
  const database = new Database(":memory:", { strict: true });
  const at = MIGRATIONS.findIndex(({ name }) => name.endsWith("audiences"));
  for (const { sql } of MIGRATIONS.slice(0, at)) database.run(forSqlite(sql));
  database.run("insert into workspaces (id, name, created_at, updated_at) values ('w', 'w', '', '')");
  for (const id of ["a", "b"])
    database.run(
      `insert into segments (id, workspace, name, slug, type, track_membership, state, time_bound, created_at, updated_at)
       values (?1, 1, ?1, ?1, 'STATIC', 0, 'CURRENT', 0, '', '')`,
      [id],
    );
  for (const type of ["ALL", "SEGMENT", "FILTERED"])
    database.run(
      `insert into campaigns (id, workspace, name, subject, body, from_address, audience_type, audience_condition, segment_id,
         created_at, updated_at) values (?1, 1, '', '', '', '', ?1, '{}', 'a', '', '')`,
      [type],
    );
  database.run("insert into campaign_segments select c.seq, s.seq from campaigns c cross join segments s");
  database.run(forSqlite(MIGRATIONS[at]?.sql ?? ""));
  const kept = "select audience_type, segment_id, audience_condition from campaigns order by seq";
  expect(database.query(kept).values()).toEqual([
    ["ALL", null, null],
    ["SEGMENT", "a", null],
    ["FILTERED", null, "{}"],
  ]);
  expect(database.query("select campaign, segment from campaign_segments order by campaign, segment").values()).toEqual(
    [
      [2, 1],
      [3, 1],
      [3, 2],
    ],
  );
});
