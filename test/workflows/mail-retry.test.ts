// A step that could not make its mails is tried again for all for whom it failed; and how many of its mails wait.
import { expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addTemplate, addWorkflow, executions, HOUR, path, track } from "../support/workflows.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const end = { type: "EXIT", name: "Done", config: {} };
const isPro = { ref: "if", type: "CONDITION", name: "Other?" };
const PRO = { ...isPro, config: { field: "event.plan", operator: "notEquals", value: "pro" } };

async function unverify(posthorn: Posthorn): Promise<void> {
  await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
}

async function verify(posthorn: Posthorn): Promise<void> {
  await posthorn.store.write((tx) => tx.run`update domains set verified_at = created_at`);
}

async function sending(posthorn: Posthorn, changes: object = {}): Promise<{ workflow: Json; step: string }> {
  const mail = { ref: "mail", type: "SEND_EMAIL", name: "Mail", config: { templateId: await addTemplate(posthorn) } };
  const workflow = await addWorkflow(posthorn, [PRO, mail], {
    transitions: [
      { fromStepId: "trigger", toStepId: "if" },
      { fromStepId: "if", toStepId: "mail", condition: { branch: "no" } },
    ],
    ...changes,
  });
  return { workflow, step: workflow.steps.find(({ type }: Json) => type === "SEND_EMAIL").id };
}

const retry = async (posthorn: Posthorn, { workflow, step }: { workflow: Json; step: string }) =>
  (await ask(posthorn, `POST /workflows/${workflow.id}/steps/${step}/retry`)).body;

const sent = (posthorn: Posthorn) => posthorn.transport.sent.map(({ envelope }) => envelope.recipient).sort();

async function countsAt(posthorn: Posthorn, { workflow, step }: { workflow: Json; step: string }): Promise<Json> {
  const { body } = await ask(posthorn, `GET /workflows/${workflow.id}/counts`);
  return body.steps.find(({ stepId }: Json) => stepId === step);
}

async function enter(posthorn: Posthorn, ...names: readonly string[]): Promise<void> {
  for (const name of names) await track(posthorn, "signup", { plan: "pro" }, `${name}@example.com`);
  await posthorn.settle();
}

test("an execution that stopped at a mail step goes on from it and mails once, however often it is tried again (slow)", async () => {
  await using posthorn = await workspace();
  const flow = await sending(posthorn);
  await enter(posthorn, "ada");
  await unverify(posthorn);
  await enter(posthorn, "bob", "cyd");
  expect(await countsAt(posthorn, flow)).toMatchObject({ passed: 1, failed: 2, stopped: 2 });
  // Nothing has changed: they fail again, and nothing is lost.
  expect(await retry(posthorn, flow)).toEqual({ retried: 2, hasMore: false });
  await posthorn.settle();
  expect(await countsAt(posthorn, flow)).toMatchObject({ passed: 1, failed: 2, stopped: 2 });
  await verify(posthorn);
  expect((await retry(posthorn, flow)).retried).toBe(2);
  expect((await retry(posthorn, flow)).retried).toBe(0);
  await posthorn.settle();
  expect((await retry(posthorn, flow)).retried).toBe(0);
  await posthorn.settle();
  expect(sent(posthorn)).toEqual(["ada@example.com", "bob@example.com", "cyd@example.com"]);
  expect(await countsAt(posthorn, flow)).toMatchObject({ passed: 3, failed: 0, stopped: 0 });
  const all = await executions(posthorn, flow.workflow);
  expect(all.map(({ status, reason, completedAt }) => [status, reason ?? null, completedAt !== null])).toEqual(
    Array.from({ length: 3 }, () => ["COMPLETED", null, true]),
  );
  expect(path(all[1] as Json)).toEqual(["Trigger COMPLETED", "Other? COMPLETED", "Mail COMPLETED"]);
});

test("a step right after the trigger, and one of an earlier version, are tried again as they were", async () => {
  await using posthorn = await workspace();
  const config = { templateId: await addTemplate(posthorn) };
  const mail = { ref: "mail", type: "SEND_EMAIL", name: "Mail", config };
  const workflow = await addWorkflow(posthorn, [mail]);
  const flow = { workflow, step: workflow.steps[1].id };
  await unverify(posthorn);
  await enter(posthorn, "ada");
  // It is followed by an end from now on.
  await ask(posthorn, `POST /workflows/${workflow.id}/steps`, { body: end });
  await verify(posthorn);
  expect((await retry(posthorn, flow)).retried).toBe(1);
  await posthorn.settle();
  expect(sent(posthorn)).toEqual(["ada@example.com"]);
  expect((await executions(posthorn, workflow))[0]).toMatchObject({ status: "COMPLETED" });
});

test("who failed twice is tried again once, and who is in the workflow again not at all", async () => {
  await using posthorn = await workspace();
  const flow = await sending(posthorn, { allowReentry: true });
  await unverify(posthorn);
  await enter(posthorn, "ada", "bob");
  await enter(posthorn, "ada", "bob");
  await track(posthorn, "signup", { plan: "pro" }, "bob@example.com");
  await posthorn.store.write(
    (tx) =>
      tx.run`update executions set status = 'WAITING', due_at = null where seq = (select max(seq) from executions)`,
  );
  await verify(posthorn);
  expect((await retry(posthorn, flow)).retried).toBe(1);
  await posthorn.settle();
  expect(sent(posthorn)).toEqual(["ada@example.com"]);
});

test("hundreds go back in batches (slow)", async () => {
  await using posthorn = await workspace();
  const flow = await sending(posthorn);
  await unverify(posthorn);
  await enter(posthorn, ...Array.from({ length: 230 }, (_, at) => `p${at}`));
  await verify(posthorn);
  expect(await retry(posthorn, flow)).toEqual({ retried: 230, hasMore: false });
  await posthorn.settle();
  expect(new Set(sent(posthorn)).size).toBe(230);
  expect(posthorn.transport.sent).toHaveLength(230);
});

test("mails that wait or failed are counted at their step, and listed by each number (slow)", async () => {
  await using posthorn = await workspace();
  const flow = await sending(posthorn);
  const other = await sending(posthorn, { eventName: "other" });
  const outcomes = { bob: "later", cyd: "failed", dan: "unreachable", eve: "later" } as const;
  posthorn.transport.answer = async ({ envelope: { recipient } }) => {
    const kind = outcomes[recipient.split("@")[0] as keyof typeof outcomes];
    return { kind: kind ?? "accepted", reply: kind ? "451 4.7.1 no" : "250 Ok" };
  };
  await enter(posthorn, "ada", "bob", "cyd", "dan", "eve");
  // As an operator sets a mail aside.
  await posthorn.store.write((tx) => tx.run`update emails set hold = 'operator' where to_address = 'eve@example.com'`);
  expect((await countsAt(posthorn, flow)).mails).toEqual({ queued: 1, retrying: 1, held: 1, failed: 1 });
  const listed = async (query: string, key = flow): Promise<string[]> => {
    const { body } = await ask(
      posthorn,
      `GET /emails?limit=100&workflowId=${key.workflow.id}&stepId=${key.step}&${query}`,
    );
    return body.data.map(({ to }: Json) => to.split("@")[0]);
  };
  expect(await listed("held=false&retrying=true")).toEqual(["bob"]);
  expect(await listed("status=FAILED")).toEqual(["cyd"]);
  expect(await listed("held=false&retrying=false")).toEqual(["dan"]);
  expect(await listed("held=true")).toEqual(["eve"]);
  expect(await listed("retrying=true")).toEqual(["eve", "bob"]);
  expect(await listed("status=QUEUED")).toEqual(["eve", "dan", "bob"]);
  expect(await listed("status=SENT")).toEqual(["ada"]);
  expect(await listed("retrying=true", other)).toEqual([]);
  expect((await countsAt(posthorn, other)).mails).toEqual({ queued: 0, retrying: 0, held: 0, failed: 0 });
  const { body } = await ask(posthorn, `GET /emails?stepId=${flow.step}`);
  expect([body.error.code, body.error.errors[0].field]).toEqual(["INVALID_PARAMETERS", "stepId"]);
  // A stranger who knows both ids finds nothing.
  const { secret } = await addWorkspace(posthorn, { name: "curious", domain: "curious.test" });
  const path = `/emails?limit=9&workflowId=${flow.workflow.id}&stepId=${flow.step}&status=`;
  for (const status of ["FAILED", "QUEUED", "SENT"])
    expect((await ask(posthorn, `GET ${path}${status}`, { key: { bearer: secret } })).body.data).toEqual([]);
  // Those that failed are sent again, each once, when the relay answers again.
  const filter = { workflowId: flow.workflow.id, stepId: flow.step };
  posthorn.transport.answer = async () => ({ kind: "accepted", reply: "250 Ok" });
  expect((await ask(posthorn, "POST /emails/retry", { body: { filter } })).status).toBe(202);
  await posthorn.settle();
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  expect(sent(posthorn).filter((to) => to.startsWith("cyd"))).toHaveLength(2);
  expect((await ask(posthorn, "POST /emails/retry", { body: { filter } })).status).toBe(422);
});
