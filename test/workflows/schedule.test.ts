// Workflows that start on a schedule, for each member of a segment.
import { expect, test } from "bun:test";
import { upsertContact } from "../../src/audience/contacts/upsert.ts";
import { KEY_VOICE } from "../../src/audience/contacts/voices.ts";
import { createLog } from "../../src/base/log.ts";
import { nextTime } from "../../src/programs/workflows/definition/trigger.ts";
import { startScheduled } from "../../src/programs/workflows/execution/schedule-loop.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkflow, DAY, executions, HOUR } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const times: readonly [cron: string, timezone: string | undefined, after: string, next: string | null][] = [
  ["0 9 * * *", undefined, "2026-03-01T09:00:00.000Z", "2026-03-02T09:00:00.000Z"],
  ["0 9 * * *", "Europe/Berlin", "2026-03-28T12:00:00.000Z", "2026-03-29T07:00:00.000Z"],
  ["0 9 * * *", "Europe/Berlin", "2026-03-27T12:00:00.000Z", "2026-03-28T08:00:00.000Z"],
  ["30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00.000Z", "2026-03-29T01:00:00.000Z"],
  ["30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00.000Z", "2026-10-25T00:30:00.000Z"],
  ["30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"],
  ["0 * * * *", "Europe/Berlin", "2026-10-25T00:00:00.000Z", "2026-10-25T01:00:00.000Z"],
  ["0 8 * * 1", "America/New_York", "2026-03-06T12:00:00.000Z", "2026-03-09T12:00:00.000Z"],
  ["*/15 * * * *", undefined, "2026-03-01T09:01:00.000Z", "2026-03-01T09:15:00.000Z"],
  ["0 0 29 2 *", undefined, "2026-03-01T09:00:00.000Z", "2028-02-29T00:00:00.000Z"],
  ["0 0 30 2 *", undefined, "2026-03-01T09:00:00.000Z", null],
];

test.each(times)("%s in %p after %s is %p", (cron, timezone, after, next) => {
  expect(nextTime({ cron, ...(timezone ? { timezone } : {}) }, Date.parse(after))).toBe(next);
});

test("the next runs of a schedule are told before anything is saved", async () => {
  await using posthorn = await workspace();
  const asked = async (body: object) => (await ask(posthorn, "POST /workflows/next-runs", { body })).body;
  expect(await asked({ cron: "0 9 * * 1", timezone: "Europe/Berlin" })).toEqual({
    timezone: "Europe/Berlin",
    nextRuns: ["2026-03-02T08:00:00.000Z", "2026-03-09T08:00:00.000Z", "2026-03-16T08:00:00.000Z"],
  });
  expect((await asked({ cron: "0 8 L * *" })).nextRuns).toEqual([
    "2026-03-31T08:00:00.000Z",
    "2026-04-30T08:00:00.000Z",
    "2026-05-31T08:00:00.000Z",
  ]);
  for (const query of [{ cron: "0 0 30 2 *" }, { cron: "0 9 * * *", timezone: "Mars/Olympus" }])
    expect((await asked(query)).error.errors[0]).toMatchObject({
      field: "timezone" in query ? "timezone" : "cron",
      code: "timezone" in query ? "invalid_timezone" : "invalid_cron",
    });
});

/** A segment of so many members. */
async function addSegment({ store }: Posthorn, members: number): Promise<string> {
  const id = Bun.randomUUIDv7();
  await store.write(async (tx) => {
    const row = await tx.get<{ seq: number }>`
      insert into segments (id, workspace, name, slug, type, track_membership, state, time_bound, created_at, updated_at)
      values (${id}, 1, ${id}, ${id}, 'STATIC', 0, 'CURRENT', 0, ${tx.now}, ${tx.now}) returning seq`;
    for (let n = 0; n < members; n++) {
      const input = {
        email: `m${n}@example.com`,
        subscribed: undefined,
        voice: KEY_VOICE,
        subscribedIfNew: true,
        data: {},
      };
      const { contact } = await upsertContact(tx, 1, input);
      await tx.run`
        insert into segment_members (segment, contact, entered_at) values (${row?.seq ?? 0}, ${contact.seq}, ${tx.now})`;
    }
    await tx.run`update segments set member_count = ${members} where id = ${id}`;
  });
  return id;
}

const daily = (segmentId: string, changes: object = {}) => ({
  eventName: undefined,
  triggerType: "SCHEDULE",
  triggerConfig: { cron: "0 12 * * *", timezone: "UTC", segmentId, ...changes },
});
const end = { type: "EXIT", name: "End", config: {} };

test("every member is started at each time, once, however many there are (slow)", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [end], {
    ...daily(await addSegment(posthorn, 205)),
    allowReentry: true,
  });
  const total = async () => (await ask(posthorn, `GET /workflows/${workflow.id}/executions`)).body.total;
  posthorn.clock.advance(3 * HOUR - 1);
  await posthorn.settle();
  expect(await total()).toBe(0);
  posthorn.clock.advance(1);
  await posthorn.settle();
  expect(await total()).toBe(205);
  const [one] = (await ask(posthorn, `GET /workflows/${workflow.id}/executions`)).body.data;
  expect(one).toMatchObject({
    status: "EXITED",
    eventName: null,
    context: { scheduledFor: "2026-03-01T12:00:00.000Z" },
  });
  await posthorn.settle();
  expect(await total()).toBe(205);
  posthorn.clock.advance(DAY);
  await posthorn.settle();
  expect(await total()).toBe(410);
});

test("a scheduled workflow that cannot be started keeps no other from its time (slow)", async () => {
  await using posthorn = await workspace();
  const one = await addWorkflow(posthorn, [end], daily(await addSegment(posthorn, 1), { cron: "0 11 * * *" }));
  const other = await addWorkflow(posthorn, [end], daily(await addSegment(posthorn, 1)));
  const broken = await posthorn.store.write(async (tx) => {
    const row = await tx.get<{ was: string }>`select trigger_config as was from workflows where id = ${one.id}`;
    await tx.run`update workflows set trigger_config = '{' where id = ${one.id}`;
    return row?.was ?? "";
  });
  posthorn.clock.advance(3 * HOUR);
  await posthorn.settle();
  expect(await executions(posthorn, other)).toHaveLength(1);
  expect(posthorn.logLines.join("\n")).toContain(`workflow=${one.id}`);
  await posthorn.store.write((tx) => tx.run`update workflows set trigger_config = ${broken} where id = ${one.id}`);
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  expect(await executions(posthorn, one)).toHaveLength(1);
});

test.each(["NEW", "CHANGED"])("while a segment that is %s finds its members, nobody is started", async (state) => {
  await using posthorn = await workspace();
  const segment = await addSegment(posthorn, 2);
  const workflow = await addWorkflow(posthorn, [end], daily(segment));
  const setState = (to: string) =>
    posthorn.store.write((tx) => tx.run`update segments set state = ${to} where id = ${segment}`);
  await setState(state);
  posthorn.clock.advance(3 * HOUR);
  await posthorn.settle();
  expect(await executions(posthorn, workflow)).toHaveLength(0);
  await setState("CURRENT");
  posthorn.clock.advance(5_000);
  await posthorn.settle();
  expect(await executions(posthorn, workflow)).toHaveLength(2);
});

test("of two who see that it is time one starts everybody, and the other rests", async () => {
  await using posthorn = await workspace();
  await addWorkflow(posthorn, [end], daily(await addSegment(posthorn, 1)));
  posthorn.clock.advance(3 * HOUR);
  const { store, clock } = posthorn;
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const rests = await Promise.all([1, 2].map(() => startScheduled({ store, clock, log })));
  expect(rests.filter((restMs) => restMs === 0)).toHaveLength(1);
});

test("times that were missed are made up for once", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [end], { ...daily(await addSegment(posthorn, 1)), allowReentry: true });
  posthorn.clock.advance(10 * DAY);
  await posthorn.settle();
  expect(await executions(posthorn, workflow)).toHaveLength(1);
  posthorn.clock.advance(3 * HOUR);
  await posthorn.settle();
  expect(await executions(posthorn, workflow)).toHaveLength(2);
});

test("a disabled workflow has no times; another schedule takes the place of the first, another name does not", async () => {
  await using posthorn = await workspace();
  const segment = await addSegment(posthorn, 1);
  const workflow = await addWorkflow(posthorn, [end], { ...daily(segment), allowReentry: true });
  const change = (body: object) => ask(posthorn, `PATCH /workflows/${workflow.id}`, { body });
  await change({ enabled: false });
  posthorn.clock.advance(DAY);
  await posthorn.settle();
  expect(await executions(posthorn, workflow)).toEqual([]);
  await change({ enabled: true, triggerConfig: { cron: "0 10 * * *" } });
  await change({ name: "Other" });
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  expect(await executions(posthorn, workflow)).toHaveLength(1);
  posthorn.clock.advance(2 * HOUR);
  await posthorn.settle();
  expect(await executions(posthorn, workflow)).toHaveLength(1);
});

const faults: readonly [changes: object, status: number, what: string][] = [
  [{ cron: "every day" }, 422, "triggerConfig.cron invalid_cron"],
  [{ cron: "* * * * * *" }, 422, "triggerConfig.cron invalid_cron"],
  [{ cron: "0 0 30 2 *" }, 422, "triggerConfig.cron invalid_cron"],
  [{ timezone: "Mars/Olympus" }, 422, "triggerConfig.timezone invalid_timezone"],
  [{ cron: undefined }, 422, "triggerConfig.cron required"],
  [{ segmentId: undefined }, 422, "triggerConfig.segmentId required"],
  [{ segmentId: "0199a3b4-0000-7000-8000-000000000000" }, 404, "SEGMENT_NOT_FOUND"],
];

test.each(faults)("%j is refused", async (changes, status, what) => {
  await using posthorn = await workspace();
  const body = { name: "W", ...daily(await addSegment(posthorn, 0), changes) };
  const reply = await ask(posthorn, "POST /workflows", { body });
  const told = reply.body.error.errors?.map((one: Json) => `${one.field} ${one.code}`).join() ?? reply.body.error.code;
  expect([reply.status, told]).toEqual([status, what]);
});

test("a segment that a workflow starts from cannot be deleted", async () => {
  await using posthorn = await workspace();
  const id = await addSegment(posthorn, 1);
  const workflow = await addWorkflow(posthorn, [end], daily(id));
  const remove = () => posthorn.store.write((tx) => tx.run`delete from segments where id = ${id}`);
  expect(remove()).rejects.toMatchObject({ kind: "foreignKey" });
  expect((await ask(posthorn, `DELETE /workflows/${workflow.id}`)).status).toBe(204);
  expect(await remove()).toBe(1);
});
