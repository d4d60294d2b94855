// The turns of workspaces against the work that waits: held after every test that has a server.
import { expect } from "bun:test";
import { iso } from "../../src/base/clock.ts";
import { CLOCK_IS_IN_DOUBT, isTrulyDue } from "../../src/store/clock-queries.ts";
import { sql } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import type { TestClock } from "./clock.ts";

const WAITING = sql`
  select case lane when 0 then 'transactional' else 'marketing' end as queue, workspace, due_at from emails where hold is null
  union all select 'executions', workspace, due_at from executions
  union all select 'webhooks', workspace, due_at from webhook_deliveries
  union all select 'messages', coalesce(workspace, 0), due_at from messages
  union all select case for_endpoints when 0 then 'outbox' else 'endpoints' end, workspace, due_at from outbox
  union all select 'sweeps', workspace, sweep_due_at from segments where time_bound = 0 or not ${CLOCK_IS_IN_DOUBT}`;

/**
 * Work without a turn would wait for ever. A turn may come too early; once work is due, now is early enough. What waits
 * for the clock to be believed has none.
 */
export async function expectTurnsInTime(store: Store, clock: TestClock): Promise<void> {
  const now = iso(clock.nowMs());
  const late = await store.read(
    (reader) => reader.all`
      select w.queue, w.workspace, min(w.due_at) as due_at, min(t.due_at) as turn_at
      from (${WAITING}) w left join turns t on t.queue = w.queue and t.workspace = w.workspace
      where w.due_at is not null and ${isTrulyDue(sql`w.due_at`)}
        and (t.due_at is null or (t.due_at > w.due_at and t.due_at > ${now}))
      group by w.queue, w.workspace`,
  );
  expect(late).toEqual([]);
}
