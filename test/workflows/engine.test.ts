// Workflows at work: what starts them, what their steps do and decide, and what their traces tell.
import { expect, test } from "bun:test";
import { contactById, type Contact } from "../../src/audience/contacts/queries.ts";
import { deleteContactsOf } from "../../src/audience/contacts/removal-queries.ts";
import { unsubscribe } from "../../src/audience/contacts/contact.ts";
import { KEY_VOICE } from "../../src/audience/contacts/voices.ts";
import { AppError } from "../../src/base/errors.ts";
import { createLog } from "../../src/base/log.ts";
import { Dispatcher } from "../../src/tenant/events/dispatch.ts";
import { emit } from "../../src/tenant/events/emit.ts";
import type { Tx } from "../../src/store/store.ts";
import { advanceEach } from "../../src/programs/workflows/execution/advance.ts";
import { workflowConsumer } from "../../src/programs/workflows/execution/consumer.ts";
import { EXECUTIONS, type DueExecution } from "../../src/programs/workflows/execution/queries.ts";
import { Versions } from "../../src/programs/workflows/definition/version.ts";
import { startEach } from "../../src/programs/workflows/execution/execution.ts";
import { RunLoop } from "../../src/programs/workflows/execution/run-loop.ts";
import { apply, planStep } from "../../src/programs/workflows/execution/steps/plan.ts";
import { MailSupplies } from "../../src/programs/workflows/execution/steps/mail-step.ts";
import { addStep } from "../../src/programs/workflows/definition/step.ts";
import { holdWorkflow, type Workflow } from "../../src/programs/workflows/definition/queries.ts";
import { removeWorkflow } from "../../src/programs/workflows/definition/workflow.ts";
import { ENGINE } from "../support/database.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { mailsSent } from "../support/mails.ts";
import {
  addTemplate,
  addWorkflow,
  DAY,
  execution,
  executions,
  HOUR,
  MINUTE,
  path,
  track,
} from "../support/workflows.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const delay = (amount: number, unit: string, name = "Wait") => ({ type: "DELAY", name, config: { amount, unit } });
const exit = (name = "End", reason?: string) => ({ type: "EXIT", name, config: reason ? { reason } : {} });
const mail = (templateId: string, name = "Mail") => ({ type: "SEND_EMAIL", name, config: { templateId } });
const waitFor = (eventName: string, timeout?: number) => ({
  type: "WAIT_FOR_EVENT",
  name: "Wait",
  config: { eventName, ...(timeout ? { timeout } : {}) },
});
const update = (config: object, name = "Update") => ({ type: "UPDATE_CONTACT", name, config });

test("an event starts a workflow, whose mail has the event in it and the trace every step (slow)", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn);
  const workflow = await addWorkflow(posthorn, [mail(templateId), exit("End", "done")]);
  const contactId = await track(posthorn, "signup", { name: "Ada", plan: { value: "pro", persistent: false } });
  const [sent] = await mailsSent(posthorn);
  expect([sent?.subject, String(sent?.html)]).toEqual(["Welcome Ada", expect.stringContaining("<p>pro</p>")]);
  const one = await execution(posthorn, workflow);
  const { id: emailId } = (await ask(posthorn, "GET /emails")).body.data[0];
  const at = "2026-03-01T09:00:00.000Z";
  const step = { id: expect.any(String), stepId: expect.any(String), attempts: [], startedAt: at, endedAt: at };
  expect(one).toEqual({
    id: expect.any(String),
    workflowId: workflow.id,
    status: "EXITED",
    contactId,
    contact: { id: contactId, email: "ada@example.com" },
    currentStep: { id: workflow.steps[2].id, name: "End", type: "EXIT" },
    eventName: "signup",
    context: { name: "Ada", plan: "pro" },
    waitingFor: null,
    resumesAt: null,
    reason: "done",
    startedAt: at,
    endedAt: at,
    steps: [
      { ...step, name: "Trigger", type: "TRIGGER", status: "COMPLETED", output: { eventName: "signup" } },
      {
        ...step,
        name: "Mail",
        type: "SEND_EMAIL",
        status: "COMPLETED",
        output: { emailId, to: "ada@example.com", templateId },
      },
      { ...step, name: "End", type: "EXIT", status: "COMPLETED", output: null },
    ],
  });
  const { body: email } = await ask(posthorn, `GET /emails/${emailId}`);
  expect(email).toMatchObject({ sourceType: "WORKFLOW", templateId, status: "SENT" });
});

test("an event has its own email and id beside the contact's: neither overrides the other", async () => {
  await using posthorn = await workspace();
  const body =
    "<p>{{ event.id }} {{ event.email }} {{ email }} {{ data.email }} {{ id }} {{ event.manageUrl }} {{ manageUrl }}</p>";
  const templateId = await addTemplate(posthorn, { body });
  const config = { field: "event.id", operator: "equals", value: "ord_17" };
  const steps = [{ type: "CONDITION", name: "If", config }, mail(templateId)];
  const workflow = await addWorkflow(posthorn, steps);
  await track(posthorn, "signup", { id: "ord_17", email: "eve@example.com", manageUrl: "theirs" });
  const [sent] = await mailsSent(posthorn);
  expect(sent?.to).toMatchObject({ text: "ada@example.com" });
  expect(String(sent?.text)).toMatch(/^ord_17 eve@example\.com ada@example\.com theirs\nhttps?:\S+\/manage\//);
  expect((await execution(posthorn, workflow)).steps[1].output).toMatchObject({ found: "ord_17", branch: "yes" });
});

test("internal events start workflows too, other events and other workspaces' do not", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [exit()], { eventName: "contact.unsubscribed" });
  await track(posthorn, "signup");
  await posthorn.settle();
  expect(await executions(posthorn, workflow)).toEqual([]);
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", subscribed: false } });
  await posthorn.settle();
  expect(await execution(posthorn, workflow)).toMatchObject({ status: "EXITED", eventName: "contact.unsubscribed" });
});

test("a disabled workflow starts nothing, and what runs goes on", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [waitFor("paid"), delay(1, "days"), exit()]);
  await track(posthorn, "signup");
  await posthorn.settle();
  await ask(posthorn, `PATCH /workflows/${workflow.id}`, { body: { enabled: false } });
  await track(posthorn, "signup", {}, "bob@example.com");
  await track(posthorn, "paid");
  await posthorn.settle();
  posthorn.clock.advance(DAY);
  await posthorn.settle();
  expect((await execution(posthorn, workflow)).status).toBe("EXITED");
});

test("a delay goes on when its time has come, not before", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay(3, "days"), update({ data: { late: true } })]);
  await track(posthorn, "signup");
  await posthorn.settle();
  expect(await execution(posthorn, workflow)).toMatchObject({
    status: "WAITING",
    resumesAt: "2026-03-04T09:00:00.000Z",
    currentStep: { name: "Wait" },
    endedAt: null,
  });
  posthorn.clock.advance(3 * DAY - 1);
  await posthorn.settle();
  expect((await execution(posthorn, workflow)).status).toBe("WAITING");
  posthorn.clock.advance(1);
  await posthorn.settle();
  const one = await execution(posthorn, workflow);
  expect([one.status, path(one)]).toEqual(["COMPLETED", ["Trigger COMPLETED", "Wait COMPLETED", "Update COMPLETED"]]);
  expect(one.steps[1]).toMatchObject({ startedAt: "2026-03-01T09:00:00.000Z", endedAt: "2026-03-04T09:00:00.000Z" });
});

const branching = (steps: readonly (readonly [name: string, branch: string])[], first: object) => ({
  steps: [{ ...first, ref: "first" }, ...steps.map(([name]) => ({ ...exit(name, name), ref: name }))],
  transitions: [
    { fromStepId: "trigger", toStepId: "first" },
    ...steps.map(([name, branch]) => ({ fromStepId: "first", toStepId: name, condition: { branch } })),
  ],
});

test("an update renders its texts, and one that is a single variable keeps the type of its value", async () => {
  await using posthorn = await workspace();
  const data = {
    greeting: "Hi {{ name }} of {{ contact.email }}",
    sum: "{{ event.sum }}",
    total: " {{ event.sum | plus: total }} ",
    tags: "{{ event.tags }}",
    vip: "{{ event.vip }}",
    plan: '{{ event.plan ?? "free" }}',
    old: "{{ event.none }}",
    deep: { first: ["{{ event.tags.first }}", "{% if event.vip %}yes{% endif %}"] },
    plain: "as it is",
  };
  const workflow = await addWorkflow(posthorn, [update({ data })]);
  await ask(posthorn, "POST /contacts", {
    body: { email: "ada@example.com", data: { name: "Ada", total: 5, old: "x" } },
  });
  const passing = (value: unknown) => ({ value, persistent: false });
  const event = { sum: passing(7.5), tags: passing(["a", "b"]), vip: passing(true) };
  const contactId = await track(posthorn, "signup", event);
  const { body } = await ask(posthorn, `POST /workflows/${workflow.id}/simulate`, {
    body: { contactId, event: { sum: 7.5, tags: ["a", "b"], vip: true } },
  });
  await posthorn.settle();
  const after = {
    ...{ name: "Ada", greeting: "Hi Ada of ada@example.com", sum: 7.5, total: 12.5, tags: ["a", "b"], vip: true },
    ...{ plan: "free", deep: { first: ["a", "yes"] }, plain: "as it is" },
  };
  expect((await ask(posthorn, `GET /contacts/${contactId}`)).body.data).toEqual(after);
  expect(body.steps[1].output.data).toEqual(after);
});

test("the first update of a process is done, however slow code is that has never run", () => {
  const code = `
    import { renderedData } from "./src/programs/workflows/definition/texts.ts";
    const contact = { email: "ada@example.com" };
    const texts = Array.from({ length: 10 }, (_, n) => "{{ event.sum | plus: " + n + " }} of {{ contact.email }}");
    console.log(JSON.stringify(renderedData({ texts }, { contact, event: { sum: 7 } })));`;
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", code], { cwd: `${import.meta.dir}/../..` });
  expect(String(stderr)).toBe("");
  expect(JSON.parse(String(stdout)).texts.slice(0, 2)).toEqual(["7 of ada@example.com", "8 of ada@example.com"]);
});

test("an update whose texts take too long to render fails the execution, in a simulation as well", async () => {
  await using posthorn = await workspace();
  const slow = `{{ event.list | ${Array(40).fill("sort | reverse").join(" | ")} | size }}`;
  const workflow = await addWorkflow(posthorn, [update({ data: { slow } }), exit()]);
  const list = Array.from({ length: 8_000 }, (_, n) => (n * 7_919) % 8_000);
  const contactId = await track(posthorn, "signup", { list: { value: list, persistent: false } });
  await posthorn.settle();
  const failure = { status: "FAILED", reason: expect.stringMatching(/more than 10 ms/) };
  expect(await execution(posthorn, workflow)).toMatchObject(failure);
  const simulation = { body: { contactId, event: { list } } };
  expect((await ask(posthorn, `POST /workflows/${workflow.id}/simulate`, simulation)).body).toMatchObject(failure);
});

/** Those that began at the same moment are in no order. */
const byAddress = (one: Json, other: Json) => (one.contact.email < other.contact.email ? -1 : 1);

test("a wait goes on by the event, with its data, or by the timeout", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(
    posthorn,
    [],
    branching(
      [
        ["Paid", "event"],
        ["Late", "timeout"],
      ],
      waitFor("paid", 3600),
    ),
  );
  await track(posthorn, "paid", { sum: 1 }); // before it waits: counts for nothing
  await track(posthorn, "signup", { plan: "pro" });
  await track(posthorn, "signup", {}, "bob@example.com");
  await posthorn.settle();
  await track(posthorn, "paid", { sum: 7 });
  await track(posthorn, "paid", { sum: 8 });
  await posthorn.settle();
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  const [ada, bob] = (await executions(posthorn, workflow)).toSorted(byAddress);
  expect(ada).toMatchObject({ status: "EXITED", reason: "Paid", context: { plan: "pro", sum: 7 } });
  expect(ada.steps[1].output).toMatchObject({
    eventName: "paid",
    branch: "event",
    receivedAt: "2026-03-01T09:00:00.000Z",
  });
  expect(bob).toMatchObject({ status: "EXITED", reason: "Late", endedAt: "2026-03-01T10:00:00.000Z" });
  expect(bob.steps[1].output).toEqual({ eventName: "paid", timedOut: true, branch: "timeout" });
});

test("an event that comes before the wait has been come to is not missed, but the one that starts the workflow is not it", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [
    { type: "UPDATE_CONTACT", name: "Note", config: { data: { seen: true } } },
    { type: "WAIT_FOR_EVENT", name: "Wait", config: { eventName: "paid", timeout: 60 } },
  ]);
  const again = await addWorkflow(posthorn, [
    { type: "WAIT_FOR_EVENT", name: "Wait", config: { eventName: "signup" } },
  ]);
  await track(posthorn, "signup");
  await track(posthorn, "paid", { amount: 7 });
  await posthorn.settle();
  expect(await execution(posthorn, workflow)).toMatchObject({ status: "COMPLETED", context: { amount: 7 } });
  expect(await execution(posthorn, again)).toMatchObject({ status: "WAITING", waitingFor: "signup" });
});

test("an event that came while the execution stood at an earlier step counts for one wait, and its data is merged", async () => {
  await using posthorn = await workspace();
  const steps = [delay(1, "hours"), waitFor("paid"), delay(1, "hours"), waitFor("paid", 60), exit("End", "done")];
  const named = steps.map((step, at) => ({ ...step, name: `${at}` }));
  const workflow = await addWorkflow(posthorn, named, {
    triggerType: "MANUAL",
    triggerConfig: {},
    eventName: undefined,
  });
  const contactId = await track(posthorn, "paid", { sum: 1 });
  await ask(posthorn, `POST /workflows/${workflow.id}/executions`, { body: { contactId } });
  await track(posthorn, "paid", { sum: 2 });
  await track(posthorn, "other", { sum: 3 });
  await posthorn.settle();
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  const first = await execution(posthorn, workflow);
  expect(first).toMatchObject({ status: "WAITING", context: { sum: 2 } });
  expect(first.steps[2].output).toMatchObject({
    eventName: "paid",
    branch: "event",
    receivedAt: "2026-03-01T09:00:00.000Z",
  });
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  expect(await execution(posthorn, workflow)).toMatchObject({ status: "WAITING", waitingFor: "paid" });
  posthorn.clock.advance(MINUTE);
  await posthorn.settle();
  expect((await execution(posthorn, workflow)).steps[4].output).toMatchObject({ timedOut: true });
});

test("an event that is stored but not dispatched when a wait begins counts once", async () => {
  await using posthorn = await workspace();
  const waits = ["One", "Two"].map((name) => ({ ...waitFor("paid"), name }));
  const workflow = await addWorkflow(posthorn, [delay(1, "hours"), ...waits, exit("End", "done")]);
  await track(posthorn, "signup");
  await posthorn.settle();
  posthorn.clock.advance(HOUR);
  await track(posthorn, "paid", { sum: 1 });
  const { store, clock } = posthorn;
  await new RunLoop({
    store,
    clock,
    log: createLog({ level: "error", format: "text", clock, write: () => {} }),
  }).step();
  expect(path(await execution(posthorn, workflow)).slice(2)).toEqual(["One COMPLETED", "Two WAITING"]);
  await posthorn.settle();
  expect(path(await execution(posthorn, workflow)).slice(2)).toEqual(["One COMPLETED", "Two WAITING"]);
  await track(posthorn, "paid", { sum: 2 });
  await posthorn.settle();
  expect(await execution(posthorn, workflow)).toMatchObject({ status: "EXITED", context: { sum: 2 } });
});

/** SQLite has one writer: there nobody else's transaction is under way. */
test.skipIf(ENGINE === "sqlite")(
  "an event that is committed while a delay before the wait is being left is not missed",
  async () => {
    await using posthorn = await workspace();
    const workflow = await addWorkflow(posthorn, [delay(1, "hours"), waitFor("paid"), exit("End", "done")]);
    await track(posthorn, "signup");
    await posthorn.settle();
    const { store, clock } = posthorn;
    const log = createLog({ level: "error", format: "text", clock, write: () => {} });
    const dispatcher = new Dispatcher({ store, clock, log, consumers: [workflowConsumer] });
    const [emitted, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    clock.advance(HOUR - 1);
    const emitting = store.write(async (tx) => {
      const { seq } = (await tx.get<{ seq: number }>`select seq from contacts`) as { seq: number };
      await emit(tx, { workspace: 1, name: "paid", contact: seq, data: {} });
      emitted.resolve();
      await left.promise;
    });
    await emitted.promise;
    clock.advance(1);
    let dispatching: Promise<unknown> | undefined;
    await store.write(async (tx) => {
      const [execution] = (await EXECUTIONS.take(tx, 1, 1)) as [DueExecution];
      await advanceEach(tx, [{ execution, version: await new Versions().bySeq(tx, execution.version) }]);
      left.resolve();
      await emitting;
      dispatching ??= dispatcher.step();
      await tx.get`select ${0} as waited from pg_sleep(0.2)`;
    });
    await dispatching;
    await posthorn.settle();
    expect((await execution(posthorn, workflow)).status).toBe("EXITED");
  },
);

test("an event that comes when the timeout is over is too late, however late the run loop is", async () => {
  await using posthorn = await workspace();
  const wait = { type: "WAIT_FOR_EVENT", name: "Wait", config: { eventName: "paid", timeout: 60 } };
  const workflow = await addWorkflow(posthorn, [wait]);
  for (const [email, afterMs] of Object.entries({
    "in.time@example.com": MINUTE - 1,
    "late@example.com": MINUTE + 1,
  })) {
    await track(posthorn, "signup", {}, email);
    await posthorn.settle();
    posthorn.clock.advance(afterMs);
    await track(posthorn, "paid", {}, email);
    await posthorn.settle();
  }
  const branches = (await executions(posthorn, workflow)).map(({ steps }) => steps[1].output.branch);
  expect(branches).toEqual(["event", "timeout"]);
});

test("an event that came in time counts, however late it is dispatched", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [waitFor("paid", 60), waitFor("paid", 60), exit("End", "done")]);
  await track(posthorn, "signup");
  await posthorn.settle();
  posthorn.clock.advance(MINUTE - 1);
  await track(posthorn, "paid", { sum: 1 });
  posthorn.clock.advance(MINUTE);
  const { store, clock } = posthorn;
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  await new RunLoop({ store, clock, log }).step();
  await posthorn.settle();
  const one = await execution(posthorn, workflow);
  expect(one).toMatchObject({ status: "WAITING", context: { sum: 1 } });
  expect(one.steps[1]).toMatchObject({ status: "COMPLETED", output: { branch: "event" } });
  posthorn.clock.advance(MINUTE);
  await posthorn.settle();
  expect((await execution(posthorn, workflow)).steps[2].output).toMatchObject({ timedOut: true });
});

test("a wait without a timeout waits for ever", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [waitFor("paid"), exit()]);
  await track(posthorn, "signup");
  await posthorn.settle();
  posthorn.clock.advance(1000 * DAY);
  await posthorn.settle();
  expect(await execution(posthorn, workflow)).toMatchObject({ status: "WAITING", waitingFor: "paid", resumesAt: null });
});

type Case = readonly [field: string, operator: string, value: unknown, holds: boolean];
const cases: readonly Case[] = [
  ["data.plan", "equals", "pro", true],
  ["data.plan", "equals", "free", false],
  ["data.age", "equals", "7", false],
  ["data.age", "equals", 7, true],
  ["data.plan", "notEquals", "free", true],
  ["data.none", "notEquals", "free", false],
  ["data.user.name", "equals", "Ada", true],
  ["contact.data.user.name", "contains", "da", true],
  ["data.user.name", "notContains", "x", true],
  ["data.tags", "contains", "b", true],
  ["data.tags", "contains", "x", false],
  ["data.age", "greaterThan", 6, true],
  ["data.tags", "contains", "B", true],
  ["data.tags", "notContains", "b", false],
  ["data.plan", "contains", "RO", true],
  ["data.age", "greaterThanOrEqual", 7, true],
  ["data.age", "greaterThanOrEqual", "7", false],
  ["data.age", "lessThan", 7, false],
  ["data.day", "lessThanOrEqual", "2026-01-31", true],
  ["data.day", "equals", "2026-01-30T01:00+0100", true],
  ["data.plan", "greaterThan", 1, false],
  ["data.none", "equals", null, true],
  ["data.none", "exists", undefined, false],
  ["data.none", "notExists", undefined, true],
  ["contact.email", "contains", "@example.com", true],
  ["contact.email", "equals", " Ada@Example.com", true],
  ["contact.createdAt", "equals", "2026-03-01", true],
  ["contact.subscribed", "equals", true, true],
  ["event.sum", "greaterThan", 99, true],
  ["event.plan", "equals", "pro", true],
];

test("conditions look at the contact and the event (slow)", async () => {
  await using posthorn = await workspace();
  const workflows: Json[] = [];
  for (const [field, operator, value] of cases) {
    const config = { field, operator, ...(value === undefined ? {} : { value }) };
    const condition = { type: "CONDITION", name: "If", config };
    workflows.push(
      await addWorkflow(
        posthorn,
        [],
        branching(
          [
            ["yes", "yes"],
            ["no", "no"],
          ],
          condition,
        ),
      ),
    );
  }
  const data = { plan: "pro", age: 7, user: { name: "Ada" }, tags: ["a", "b"], day: "2026-01-30" };
  await track(posthorn, "signup", { ...data, sum: { value: 100, persistent: false } });
  await posthorn.settle();
  for (const [at, [field, operator, value, holds]] of cases.entries()) {
    const { reason } = await execution(posthorn, workflows[at]);
    expect([field, operator, value, reason]).toEqual([field, operator, value, holds ? "yes" : "no"]);
  }
  const [, decided] = (await execution(posthorn, workflows[0])).steps;
  expect(decided.output).toEqual({ field: "data.plan", found: "pro", branch: "yes" });
});

test("a condition of several branches takes the first that holds, or the default", async () => {
  await using posthorn = await workspace();
  const config = {
    mode: "multi",
    field: "data.age",
    branches: [
      { id: "old", operator: "greaterThan", value: 60 },
      { id: "adult", operator: "greaterThan", value: 17 },
    ],
  };
  const ways = [
    ["Old", "old"],
    ["Adult", "adult"],
    ["Young", "default"],
  ] as const;
  const workflow = await addWorkflow(posthorn, [], branching(ways, { type: "CONDITION", name: "Age", config }));
  for (const [name, age] of [
    ["a", 70],
    ["b", 20],
    ["c", 9],
  ] as const)
    await track(posthorn, "signup", { age }, `${name}@example.com`);
  await posthorn.settle();
  expect((await executions(posthorn, workflow)).map(({ reason }) => reason)).toEqual(["Old", "Adult", "Young"]);
});

test("steps without transitions go on, whatever a condition decides and a wait comes to", async () => {
  await using posthorn = await workspace();
  const condition = { type: "CONDITION", name: "If", config: { field: "data.vip", operator: "exists" } };
  const branches = [
    { id: "a", operator: "equals", value: 1 },
    { id: "b", operator: "equals", value: 2 },
  ];
  const several = { type: "CONDITION", name: "Which", config: { mode: "multi", field: "event.n", branches } };
  const wait = { type: "WAIT_FOR_EVENT", name: "Paid?", config: { eventName: "paid", timeout: 60 } };
  const inOrder = await addWorkflow(posthorn, [condition, several, wait, exit()]);
  const added = await addWorkflow(posthorn, [], { name: "Added" });
  for (const step of [condition, several, wait, exit()])
    expect((await ask(posthorn, `POST /workflows/${added.id}/steps`, { body: step })).status).toBe(201);
  for (const [n, name] of ["ann", "bea", "cat"].entries())
    await track(posthorn, "signup", { n, ...(n === 0 ? { vip: true } : {}) }, `${name}@example.com`);
  await posthorn.settle();
  await track(posthorn, "paid", {}, "ann@example.com");
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  for (const workflow of [inOrder, added])
    expect((await executions(posthorn, workflow)).map(({ status }) => status)).toEqual(["EXITED", "EXITED", "EXITED"]);
});

test("a step between a condition and the next is taken out, and both branches lead on", async () => {
  await using posthorn = await workspace();
  const condition = { type: "CONDITION", name: "If", config: { field: "data.vip", operator: "exists" } };
  const workflow = await addWorkflow(posthorn, [condition, delay(1, "days"), exit()]);
  const { id } = workflow.steps.find(({ type }: Json) => type === "DELAY");
  expect((await ask(posthorn, `DELETE /workflows/${workflow.id}/steps/${id}?splice=true`)).status).toBe(204);
  await track(posthorn, "signup", { vip: true });
  await track(posthorn, "signup", {}, "bob@example.com");
  await posthorn.settle();
  expect((await executions(posthorn, workflow)).map(({ status }) => status)).toEqual(["EXITED", "EXITED"]);
});

test("a branch that leads nowhere ends the workflow, a way without branch is taken by any", async () => {
  await using posthorn = await workspace();
  const condition = { type: "CONDITION", name: "If", config: { field: "data.vip", operator: "exists" } };
  const nowhere = await addWorkflow(posthorn, [], {
    steps: [
      { ...condition, ref: "if" },
      { ...exit(), ref: "end" },
    ],
    transitions: [
      { fromStepId: "trigger", toStepId: "if" },
      { fromStepId: "if", toStepId: "end", condition: { branch: "no" } },
    ],
  });
  const anyway = await addWorkflow(posthorn, [], {
    steps: [
      { ...condition, ref: "if" },
      { ...exit(), ref: "end" },
    ],
    transitions: [
      { fromStepId: "trigger", toStepId: "if" },
      { fromStepId: "if", toStepId: "end" },
    ],
  });
  await track(posthorn, "signup", { vip: 1 });
  await posthorn.settle();
  expect((await execution(posthorn, nowhere)).status).toBe("COMPLETED");
  expect((await execution(posthorn, anyway)).status).toBe("EXITED");
});

test("a contact is changed, and what follows from that happens", async () => {
  await using posthorn = await workspace();
  const steps = [update({ data: { plan: "free", old: null }, subscribed: false }), exit()];
  const workflow = await addWorkflow(posthorn, steps);
  const next = await addWorkflow(posthorn, [exit()], { eventName: "contact.unsubscribed" });
  const contact = await track(posthorn, "signup", { plan: "pro", old: 1, name: "Ada" });
  await posthorn.settle();
  const { body } = await ask(posthorn, `GET /contacts/${contact}`);
  expect([body.data, body.subscribed]).toEqual([{ plan: "free", name: "Ada" }, false]);
  expect((await execution(posthorn, workflow)).steps[1].output).toEqual({ keys: ["plan", "old"], subscribed: false });
  expect((await execution(posthorn, next)).status).toBe("EXITED");
  expect(await posthorn.eventNames()).toEqual(["signup", "contact.unsubscribed"]);
});

test("without re-entry a contact comes in once for ever, with it one at a time", async () => {
  await using posthorn = await workspace();
  const once = await addWorkflow(posthorn, [delay(1, "hours")]);
  const again = await addWorkflow(posthorn, [delay(1, "hours")], { allowReentry: true });
  for (let hour = 0; hour < 3; hour++) {
    await track(posthorn, "signup");
    await track(posthorn, "signup");
    await posthorn.settle();
    posthorn.clock.advance(HOUR);
    await posthorn.settle();
  }
  expect((await executions(posthorn, once)).map(({ status }) => status)).toEqual(["COMPLETED"]);
  expect((await executions(posthorn, again)).map(({ status }) => status)).toEqual([
    "COMPLETED",
    "COMPLETED",
    "COMPLETED",
  ]);
  await ask(posthorn, `PATCH /workflows/${again.id}`, { body: { allowReentry: false } });
  await track(posthorn, "signup");
  await posthorn.settle();
  expect(await executions(posthorn, again)).toHaveLength(3);
});

test("what runs keeps to the version on which it started", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay(1, "days"), update({ data: { seen: "old" } })]);
  const ada = await track(posthorn, "signup");
  await posthorn.settle();
  const step = `/workflows/${workflow.id}/steps/${workflow.steps[2].id}`;
  await ask(posthorn, `PATCH ${step}`, { body: { config: { data: { seen: "new" } }, name: "Other" } });
  const bob = await track(posthorn, "signup", {}, "bob@example.com");
  await posthorn.settle();
  await ask(posthorn, `DELETE ${step}`);
  posthorn.clock.advance(DAY);
  await posthorn.settle();
  const seen = async (id: string) => (await ask(posthorn, `GET /contacts/${id}`)).body.data.seen;
  expect([await seen(ada), await seen(bob)]).toEqual(["old", "new"]);
  const [first, second] = await executions(posthorn, workflow);
  expect([path(first)[2], path(second)[2]]).toEqual(["Update COMPLETED", "Other COMPLETED"]);
});

test("people start workflows by hand, with a context", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay(1, "hours")], {
    eventName: undefined,
    triggerType: "MANUAL",
    triggerConfig: {},
  });
  const contactId = await track(posthorn, "other");
  const start = (body: object) => ask(posthorn, `POST /workflows/${workflow.id}/executions`, { body });
  const { status, body } = await start({ contactId, context: { plan: "pro" } });
  expect([status, body]).toMatchObject([
    201,
    { status: "RUNNING", contactId, eventName: null, context: { plan: "pro" } },
  ]);
  expect((await start({ contactId })).body.error.code).toBe("CONFLICT");
  expect((await start({ contactId: "0199a3b4-0000-7000-8000-000000000000" })).body.error.code).toBe(
    "CONTACT_NOT_FOUND",
  );
  await ask(posthorn, `PATCH /workflows/${workflow.id}`, { body: { enabled: false } });
  expect((await start({ contactId })).body.error.code).toBe("WORKFLOW_STATE");
  await posthorn.settle();
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  expect((await execution(posthorn, workflow)).status).toBe("COMPLETED");
});

test("a context or an event that cannot be read is refused by its own name", async () => {
  await using posthorn = await workspace();
  const { id } = await addWorkflow(posthorn, [exit()]);
  const contactId = await track(posthorn, "other");
  const fields = async (route: string, body: string) =>
    (await ask(posthorn, `POST /workflows/${id}/${route}`, { body })).body.error.errors.map(({ field }: Json) => field);
  const input = (field: string) => `{"contactId":"${contactId}","${field}":{"sums":[1e999]}}`;
  expect(await fields("executions", input("context"))).toEqual(["context.sums.0"]);
  expect(await fields("simulate", input("event"))).toEqual(["event.sums.0"]);
});

test("a start that was not stored leaves nothing behind: the next one is shown as its own workflow", async () => {
  await using posthorn = await workspace();
  const byHand = { eventName: undefined, triggerType: "MANUAL", triggerConfig: {} };
  const one = await addWorkflow(posthorn, [{ type: "EXIT", name: "Way out", config: {} }], byHand);
  const other = await addWorkflow(posthorn, [delay(1, "hours")], byHand);
  const contactId = await track(posthorn, "other");
  const start = (workflow: Json) => ask(posthorn, `POST /workflows/${workflow.id}/executions`, { body: { contactId } });
  const write = posthorn.store.write.bind(posthorn.store);
  posthorn.store.write = (work) =>
    write(async (tx) => {
      await work(tx);
      throw new AppError("STORE_UNAVAILABLE", "The disk is full.");
    });
  expect((await start(one)).status).toBe(503);
  posthorn.store.write = write;
  expect((await start(other)).body.workflowId).toBe(other.id);
});

test("an execution is cancelled once, and does nothing more (slow)", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn);
  const workflow = await addWorkflow(posthorn, [delay(1, "hours"), mail(templateId)]);
  await track(posthorn, "signup");
  await posthorn.settle();
  const { id } = await execution(posthorn, workflow);
  const cancel = () => ask(posthorn, `DELETE /workflows/${workflow.id}/executions/${id}`);
  const { status, body } = await cancel();
  expect([status, body.status, body.reason, path(body)[1]]).toEqual([
    200,
    "CANCELLED",
    "Cancelled by hand.",
    "Wait CANCELLED",
  ]);
  expect((await cancel()).body.error.code).toBe("WORKFLOW_STATE");
  posthorn.clock.advance(HOUR);
  expect(await mailsSent(posthorn)).toEqual([]);
});

test("a workflow in which somebody is cannot be deleted; all are cancelled at once, and then it goes whole", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay(1, "hours")]);
  for (let n = 0; n < 5; n++) await track(posthorn, "signup", {}, `c${n}@example.com`);
  await posthorn.settle();
  const remove = () => ask(posthorn, `DELETE /workflows/${workflow.id}`);
  expect((await remove()).body.error.code).toBe("CONFLICT");
  const all = await ask(posthorn, `POST /workflows/${workflow.id}/executions/cancel-all`);
  expect([all.status, all.body]).toEqual([200, { cancelled: 5 }]);
  expect((await remove()).status).toBe(204);
  expect((await ask(posthorn, `GET /workflows/${workflow.id}/executions`)).body.error.code).toBe("WORKFLOW_NOT_FOUND");
  await posthorn.settle();
  for (const table of ["workflows", "executions", "execution_steps", "workflow_versions", "interests"])
    expect([table, await rowsOf(posthorn, table)]).toEqual([table, 0]);
});

test.skipIf(ENGINE !== "postgres")(
  "a change or deletion of a workflow waits until the executions being started have started",
  async () => {
    await using posthorn = await workspace();
    const { id } = await addWorkflow(posthorn, [delay(1, "hours")]);
    const contact = (await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } })).body.id;
    const { store } = posthorn;
    const duringStart = async (change: (tx: Tx) => Promise<unknown>): Promise<unknown> => {
      let changing: Promise<unknown> | undefined;
      await store.write(async (tx) => {
        const held = (await tx.get<{ seq: number }>`select seq from workflows`) as { seq: number };
        const workflow = (await holdWorkflow(tx, held.seq)) as Workflow;
        changing ??= store.write(change).catch((error: unknown) => error);
        await tx.get`select ${0} as waited from pg_sleep(0.2)`;
        const { seq } = (await contactById(tx, 1, contact)) as { seq: number };
        await startEach(tx, workflow, [{ contact: seq, event: null, context: {} }]);
      });
      return changing;
    };
    expect(await duringStart((tx) => removeWorkflow(tx, 1, id))).toMatchObject({ code: "CONFLICT" });
    await ask(posthorn, `POST /workflows/${id}/executions/cancel-all`);
    await ask(posthorn, `PATCH /workflows/${id}`, { body: { allowReentry: true } });
    await duringStart((tx) => addStep(tx, 1, id, { type: "EXIT", name: "End" }));
    const versions = await store.read(
      (reader) => reader.all<{ definition: string }>`select definition from workflow_versions order by revision`,
    );
    expect(versions.map(({ definition }) => JSON.parse(definition).steps.length)).toEqual([2, 2]);
  },
);

async function rowsOf(posthorn: Posthorn, table: string): Promise<number> {
  const { Sql } = await import("../../src/store/sql.ts");
  const row = await posthorn.store.read(
    (reader) => reader.get<{ count: number }>`select count(*) as count from ${new Sql([table], [])}`,
  );
  return Number(row?.count);
}

test("executions are listed by page and state", async () => {
  await using posthorn = await workspace();
  const condition = { type: "CONDITION", name: "If", config: { field: "data.gone", operator: "exists" } };
  const workflow = await addWorkflow(posthorn, [], {
    steps: [
      { ...condition, ref: "if" },
      { ...delay(1, "days"), ref: "wait" },
    ],
    transitions: [
      { fromStepId: "trigger", toStepId: "if" },
      { fromStepId: "if", toStepId: "wait", condition: { branch: "no" } },
    ],
  });
  for (let n = 0; n < 5; n++) await track(posthorn, "signup", n < 2 ? {} : { gone: 1 }, `c${n}@example.com`);
  await posthorn.settle();
  const list = async (query: string) => (await ask(posthorn, `GET /workflows/${workflow.id}/executions?${query}`)).body;
  expect(await list("pageSize=2&page=2")).toMatchObject({ total: 5, page: 2, pageSize: 2, totalPages: 3 });
  const waiting = await list("status=WAITING");
  expect(waiting.data.map((one: Json) => one.contact.email)).toEqual(["c1@example.com", "c0@example.com"]);
  expect(waiting.executions).toEqual(waiting.data);
  expect((await list("status=COMPLETED")).total).toBe(3);
  expect((await ask(posthorn, `GET /workflows/${workflow.id}/executions?status=ODD`)).status).toBe(400);
});

test("a list leaves out a context that is very long, the execution itself has it", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [exit()]);
  const note = "x".repeat(10_000);
  await track(posthorn, "signup", { note: { value: note, persistent: false } });
  await track(posthorn, "signup", { note: "short" }, "bob@example.com");
  await posthorn.settle();
  const { body } = await ask(posthorn, `GET /workflows/${workflow.id}/executions`);
  expect(body.data.map(({ context }: Json) => context)).toEqual([{ note: "short" }, null]);
  expect((await executions(posthorn, workflow))[0].context).toEqual({ note });
});

test("marketing mail is skipped for who is not subscribed, and the workflow goes on", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn, { type: "MARKETING" });
  const workflow = await addWorkflow(posthorn, [mail(templateId), exit()]);
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", subscribed: false } });
  await track(posthorn, "signup");
  await track(posthorn, "signup", {}, "bob@example.com");
  expect((await mailsSent(posthorn)).map(({ to }) => to && "text" in to && to.text)).toEqual(["bob@example.com"]);
  const [ada, bob] = await executions(posthorn, workflow);
  expect([ada.status, path(ada)]).toEqual(["EXITED", ["Trigger COMPLETED", "Mail SKIPPED", "End COMPLETED"]]);
  expect(ada.steps[1].output).toEqual({ reason: "The recipient is not subscribed to marketing email." });
  expect(path(bob)[1]).toBe("Mail COMPLETED");
});

// SQLite has one writer at a time.
test.skipIf(ENGINE !== "postgres")("so it is for who unsubscribes while the mail is being queued", async () => {
  await using posthorn = await workspace();
  const { store } = posthorn;
  const templateId = await addTemplate(posthorn, { type: "MARKETING" });
  const { body: ada } = await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com" } });
  const step = { id: "s", name: "Mail", type: "SEND_EMAIL", config: { templateId } } as const;
  const [workflow, execution] = [
    { id: "w", name: "W" },
    { id: "e", startedAt: ada.createdAt },
  ];
  const at = { workspace: 1, workflow, execution, context: { contact: ada, event: {} }, nowMs: posthorn.clock.nowMs() };
  const contact = (await store.read((reader) => contactById(reader, 1, ada.id))) as Contact;
  const leaves = () => store.write((tx) => unsubscribe(tx, 1, contact));
  const result = await store.write(async (tx) => {
    const plan = await planStep(tx, step, at, new MailSupplies(tx));
    await leaves();
    return apply(tx, plan, at);
  });
  expect(result).toMatchObject({
    ...{ kind: "done", skipped: true, branch: null },
    output: { reason: "The recipient is not subscribed to marketing email." },
  });
  expect(await mailsSent(posthorn)).toEqual([]);
});

test("a mail to somebody named is about the contact", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn, { subject: "New: {{ contact.email }}", body: "<p>{{ name }}</p>" });
  const step = { type: "SEND_EMAIL", name: "Mail", config: { templateId, to: "Team@Example.com" } };
  await addWorkflow(posthorn, [step]);
  await track(posthorn, "signup", { name: "Ada" });
  const [sent] = await mailsSent(posthorn);
  expect([sent?.subject, String(sent?.html)]).toEqual(["New: ada@example.com", expect.stringContaining("<p>Ada</p>")]);
  expect(posthorn.transport.recipients).toEqual(["team@example.com"]);
});

test.each<[string, (posthorn: Posthorn, templateId: string) => Promise<unknown>, string]>([
  [
    "a template that has lost its sender",
    (posthorn, id) => ask(posthorn, `PATCH /templates/${id}`, { body: { from: null } }),
    'The template "Welcome" has no from address.',
  ],
  [
    "a domain that is not verified",
    (posthorn, id) => ask(posthorn, `PATCH /templates/${id}`, { body: { from: "x@elsewhere.example" } }),
    "The domain elsewhere.example is not verified in this workspace.",
  ],
])("%s fails the execution, and the trace says why", async (_, spoil, reason) => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn);
  const workflow = await addWorkflow(posthorn, [mail(templateId), exit()]);
  await spoil(posthorn, templateId);
  await track(posthorn, "signup");
  await posthorn.settle();
  const one = await execution(posthorn, workflow);
  expect([one.status, one.reason, path(one)]).toEqual(["FAILED", reason, ["Trigger COMPLETED", "Mail FAILED"]]);
  expect(posthorn.transport.sent).toEqual([]);
});

test("a template that was deleted since an execution started fails it", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn);
  const workflow = await addWorkflow(posthorn, [delay(1, "hours"), mail(templateId)]);
  await track(posthorn, "signup");
  await posthorn.settle();
  await ask(posthorn, `DELETE /workflows/${workflow.id}/steps/${workflow.steps[2].id}`);
  expect((await ask(posthorn, `DELETE /templates/${templateId}`)).status).toBe(204);
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  expect(await execution(posthorn, workflow)).toMatchObject({
    status: "FAILED",
    reason: `The template ${templateId} has been deleted.`,
  });
});

test("an update that a contact cannot hold fails the execution", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [update({ data: { much: "x".repeat(40_000) } })]);
  await track(posthorn, "signup", { more: "x".repeat(40_000) });
  await posthorn.settle();
  expect(await execution(posthorn, workflow)).toMatchObject({
    status: "FAILED",
    reason: expect.stringContaining("64 KB"),
  });
});

test("workflows that start each other round in a circle are cut off, and say so (slow)", async () => {
  await using posthorn = await workspace();
  const changes = { allowReentry: true };
  const off = await addWorkflow(posthorn, [update({ subscribed: false })], {
    ...changes,
    eventName: "contact.subscribed",
  });
  const on = await addWorkflow(posthorn, [update({ subscribed: true })], {
    ...changes,
    eventName: "contact.unsubscribed",
  });
  await track(posthorn, "x");
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", subscribed: false } });
  await posthorn.settle();
  const all = [...(await executions(posthorn, off)), ...(await executions(posthorn, on))];
  const cut = all.filter(({ status }) => status === "FAILED");
  expect([all.length, cut.length]).toEqual([41, 1]);
  expect(cut[0]).toMatchObject({
    reason: "Started 20 times within an hour for this contact: cut off for the rest of it.",
    steps: [],
  });
});

test("forwarding every event by webhooks is no circle (slow)", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [exit()], { allowReentry: true });
  for (let n = 0; n < 50; n++) {
    await track(posthorn, "signup", { n });
    await posthorn.settle();
  }
  expect((await executions(posthorn, workflow)).filter(({ status }) => status === "EXITED")).toHaveLength(50);
});

test("a contact that is erased takes its executions along", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay(1, "hours"), update({ data: { a: 1 } })]);
  await track(posthorn, "signup");
  await posthorn.settle();
  await posthorn.store.write((tx) => deleteContactsOf(tx, 1, 1));
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  expect(await executions(posthorn, workflow)).toEqual([]);
});

test("what belongs to a disabled workspace waits, and goes on when it is enabled", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay(1, "hours"), exit()]);
  await track(posthorn, "signup");
  await posthorn.settle();
  const set = (at: string | null) => posthorn.store.write((tx) => tx.run`update workspaces set disabled_at = ${at}`);
  await set("2026-03-01T09:00:00.000Z");
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  await set(null);
  expect((await execution(posthorn, workflow)).status).toBe("WAITING");
  posthorn.clock.advance(10 * MINUTE);
  await posthorn.settle();
  expect((await execution(posthorn, workflow)).status).toBe("EXITED");
});

test("of two who see that something is due one runs it, and the other rests", async () => {
  await using posthorn = await workspace();
  await addWorkflow(posthorn, [delay(1, "hours"), exit()]);
  await track(posthorn, "signup");
  await posthorn.settle();
  posthorn.clock.advance(HOUR);
  const { store, clock } = posthorn;
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const rests = await Promise.all([1, 2].map(() => new RunLoop({ store, clock, log }).step()));
  expect(rests.filter((restMs) => restMs === 0)).toHaveLength(1);
});

test("hundreds that are due at once all go on, each once (slow)", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [delay(1, "hours"), update({ data: { done: true } })]);
  await posthorn.store.write(async (tx) => {
    const { upsertContact } = await import("../../src/audience/contacts/upsert.ts");
    const { emit } = await import("../../src/tenant/events/emit.ts");
    for (let n = 0; n < 250; n++) {
      const input = {
        email: `c${n}@example.com`,
        subscribed: undefined,
        voice: KEY_VOICE,
        subscribedIfNew: true,
        data: {},
      };
      const { contact } = await upsertContact(tx, 1, input);
      await emit(tx, { workspace: 1, name: "signup", contact: contact.seq, data: {} });
    }
  });
  await posthorn.settle();
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  const { body } = await ask(posthorn, `GET /workflows/${workflow.id}/executions?status=COMPLETED`);
  expect([body.total, await rowsOf(posthorn, "execution_steps")]).toEqual([250, 500]);
});

test("a contact that enters a segment enters the workflow that listens to it, and its name then stays", async () => {
  await using posthorn = await workspace();
  const condition = { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] };
  const { body: segment } = await ask(posthorn, "POST /segments", {
    body: { name: "Pro", condition, trackMembership: true },
  });
  await posthorn.settle();
  const workflow = await addWorkflow(posthorn, [exit()], { eventName: "segment.pro.entry" });
  await track(posthorn, "x", { plan: "pro" });
  await posthorn.settle();
  expect(await execution(posthorn, workflow)).toMatchObject({
    eventName: "segment.pro.entry",
    context: { segmentId: segment.id, segmentName: "Pro" },
  });
  const rename = () => ask(posthorn, `PATCH /segments/${segment.id}`, { body: { name: "Rich" } });
  expect((await rename()).body.error.code).toBe("CONFLICT");
  await ask(posthorn, `PATCH /workflows/${workflow.id}`, { body: { enabled: false } });
  expect((await rename()).status).toBe(200);
});

test("a workspace goes with its workflows, whatever they use", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn);
  const { body: segment } = await ask(posthorn, "POST /segments", { body: { name: "All", type: "STATIC" } });
  const schedule = { cron: "0 9 * * *", segmentId: segment.id };
  await addWorkflow(posthorn, [mail(templateId)], {
    eventName: undefined,
    triggerType: "SCHEDULE",
    triggerConfig: schedule,
  });
  await addWorkflow(posthorn, [delay(1, "days"), mail(templateId)]);
  await track(posthorn, "signup");
  await posthorn.settle();
  await posthorn.store.write(async (tx) => {
    await deleteContactsOf(tx, 1, 10);
    await tx.run`delete from contents`;
    await tx.run`delete from workspaces`;
  });
  for (const table of ["workflows", "workflow_steps", "workflow_versions", "executions", "templates", "segments"])
    expect([table, await rowsOf(posthorn, table)]).toEqual([table, 0]);
});

test("at most fifty workflows listen to one event (slow)", async () => {
  await using posthorn = await workspace();
  for (let n = 0; n < 50; n++) await addWorkflow(posthorn, []);
  const body = { name: "One more", eventName: "signup", enabled: true };
  const refused = await ask(posthorn, "POST /workflows", { body });
  expect([refused.status, refused.body.error.suggestion]).toEqual([409, expect.stringContaining("Disable another")]);
  expect((await ask(posthorn, "POST /workflows", { body: { ...body, enabled: false } })).status).toBe(201);
  await track(posthorn, "signup");
  await posthorn.settle();
  expect(await rowsOf(posthorn, "executions")).toBe(50);
});

test("mails of one template share what they say, each with its own variables, until the template is another", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn);
  await addWorkflow(posthorn, [mail(templateId)]);
  for (const [name, plan] of [
    ["ada", "pro"],
    ["bob", "free"],
    ["cyd", "team"],
  ] as const)
    await track(posthorn, "signup", { name, plan: { value: plan, persistent: false } }, `${name}@example.com`);
  const sent = await mailsSent(posthorn);
  expect(sent.map(({ subject, html }) => [subject, /<p>(.*?)<.p>/.exec(String(html))?.[1]])).toEqual([
    ["Welcome ada", "pro"],
    ["Welcome bob", "free"],
    ["Welcome cyd", "team"],
  ]);
  expect([await rowsOf(posthorn, "contents"), await rowsOf(posthorn, "shared_contents")]).toEqual([1, 1]);
  await ask(posthorn, `PATCH /templates/${templateId}`, { body: { subject: "Hello {{ name }}" } });
  await track(posthorn, "signup", { name: "dan" }, "dan@example.com");
  expect((await mailsSent(posthorn)).at(-1)?.subject).toBe("Hello dan");
  expect(await rowsOf(posthorn, "contents")).toBe(2);
});

test("however many executions of one workspace are due, another's goes on in the next batch (slow)", async () => {
  await using posthorn = await workspace();
  const { store, clock } = posthorn;
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  const steps = [{ type: "DELAY", name: "Wait", config: { amount: 1, unit: "hours" } }];
  await addWorkflow(posthorn, steps);
  for (let n = 0; n < 150; n++) await track(posthorn, "signup", {}, `a${n}@example.com`);
  clock.advance(1_000);
  const key = { bearer: other.secret };
  await ask(posthorn, "POST /workflows", { key, body: { name: "Theirs", eventName: "signup", enabled: true, steps } });
  await ask(posthorn, "POST /v1/track", { key, body: { email: "bob@example.com", event: "signup" } });
  await posthorn.settle();
  clock.advance(2 * HOUR);
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  // A clock that stands still lets a batch be done whole.
  await new RunLoop({ store, clock, log }).step();
  const rows = await store.read(
    (reader) => reader.all<{ workspace: number }>`select workspace from executions where status = 'COMPLETED'`,
  );
  expect([rows.length, rows.filter(({ workspace }) => workspace === 2).length]).toEqual([expect.any(Number), 1]);
  expect(rows.length).toBeLessThan(150);
});
