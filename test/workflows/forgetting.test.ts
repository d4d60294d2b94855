// Executions that ended long ago: their traces go, and that somebody was there is still known.
import { expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkflow, DAY, executions, HOUR, path, track } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const hook = { type: "WEBHOOK", name: "Hook", config: { url: "https://192.0.2.1/" } };
const delay = { type: "DELAY", name: "Wait", config: { amount: 365, unit: "days" } };

async function pass(posthorn: Posthorn, days: number): Promise<void> {
  posthorn.clock.advance(days * DAY + HOUR);
  await posthorn.settle();
}

async function rowsOf(posthorn: Posthorn, table: string): Promise<number> {
  const count = await posthorn.store.read(
    (reader) => reader.all<{ steps: number; deliveries: number; attempts: number }>`
      select (select count(*) from execution_steps) as steps, (select count(*) from webhook_deliveries) as deliveries,
        (select count(*) from webhook_attempts) as attempts`,
  );
  return (count[0] as Json)[table];
}

test("what ended ninety days ago loses its trace, what still waits keeps it (slow)", async () => {
  await using posthorn = await workspace();
  const over = await addWorkflow(posthorn, [hook]);
  const waiting = await addWorkflow(posthorn, [delay]);
  await track(posthorn, "signup", { secret: "x" });
  await posthorn.settle();
  await pass(posthorn, 89);
  expect((await executions(posthorn, over)).map(path)).toEqual([["Trigger COMPLETED", "Hook FAILED"]]);
  await pass(posthorn, 1);
  expect(await executions(posthorn, over)).toMatchObject([{ status: "COMPLETED", context: {}, steps: [] }]);
  expect((await executions(posthorn, waiting)).map(path)).toEqual([["Trigger COMPLETED", "Wait WAITING"]]);
  expect([
    await rowsOf(posthorn, "steps"),
    await rowsOf(posthorn, "deliveries"),
    await rowsOf(posthorn, "attempts"),
  ]).toEqual([1, 0, 0]);
});

test("a contact that may enter once does not enter again, and of several executions the last one stays", async () => {
  await using posthorn = await workspace();
  const once = await addWorkflow(posthorn, [hook]);
  const often = await addWorkflow(posthorn, [hook], { allowReentry: true });
  for (let times = 0; times < 3; times++) {
    await track(posthorn, "signup", { times });
    await posthorn.settle();
  }
  await pass(posthorn, 91);
  await track(posthorn, "signup", { times: 3 });
  await posthorn.settle();
  expect((await executions(posthorn, once)).map(path)).toEqual([[]]);
  expect((await executions(posthorn, often)).map(({ context }) => context)).toEqual([{}, { times: 3 }]);
  const [{ id }] = await executions(posthorn, once);
  const { body } = await ask(posthorn, `DELETE /workflows/${once.id}/executions/${id}`);
  expect(body.error.code).toBe("WORKFLOW_STATE");
});

test("however many there are, all go, piece by piece (slow)", async () => {
  await using posthorn = await workspace();
  await addWorkflow(posthorn, [hook]);
  for (let at = 0; at < 120; at++) await track(posthorn, "signup", {}, `c${at}@example.com`);
  await posthorn.settle();
  expect(await rowsOf(posthorn, "steps")).toBe(120);
  await pass(posthorn, 90);
  expect(await rowsOf(posthorn, "steps")).toBe(0);
});

test("the configuration says for how many days they are kept, 0 is for ever (slow)", async () => {
  const left: Record<number, number> = {};
  for (const executionDays of [0, 1]) {
    await using posthorn = await workspace({ config: { limits: { executionDays } } });
    await addWorkflow(posthorn, [hook]);
    await track(posthorn, "signup");
    await posthorn.settle();
    await pass(posthorn, executionDays === 1 ? 1 : 1_000);
    left[executionDays] = await rowsOf(posthorn, "steps");
  }
  expect(left).toEqual({ 0: 1, 1: 0 });
});
