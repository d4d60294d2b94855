// Dry runs: the way a contact would take, and whom the past would have started; nothing of it happens.
import { expect, test } from "bun:test";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask, everything } from "../support/scenario.ts";
import { addTemplate, addWorkflow, DAY, execution, track } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const condition = { type: "CONDITION", name: "If", config: { field: "data.plan", operator: "equals", value: "pro" } };
const waits = { type: "WAIT_FOR_EVENT", name: "Paid?", config: { eventName: "paid", timeout: 3600 } };

async function simulated(posthorn: Posthorn, { id }: Json, body: object): Promise<Json> {
  const before = await everything(posthorn);
  const reply = await ask(posthorn, `POST /workflows/${id}/simulate`, { body });
  expect(reply.status).toBe(200);
  expect(await everything(posthorn)).toEqual(before);
  return reply.body;
}

test("a simulation walks the whole way without any effect, mails and webhooks rendered (slow)", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn, { body: "<p>{{ name }} {{ event.sum }}</p>" });
  const steps = [
    { type: "UPDATE_CONTACT", name: "Set", config: { data: { plan: "pro" }, subscribed: false } },
    condition,
    { type: "DELAY", name: "Wait", config: { amount: 1, unit: "days" } },
    { type: "SEND_EMAIL", name: "Mail", config: { templateId } },
    waits,
    {
      type: "WEBHOOK",
      name: "Hook",
      config: {
        url: "https://example.com/{{ name }}",
        headers: { "X-Plan": "{{ plan }}" },
        body: { sub: "{{ subscribed }}" },
      },
    },
    { type: "EXIT", name: "End", config: { reason: "done" } },
  ];
  const workflow = await addWorkflow(posthorn, steps, { enabled: false });
  const contactId = await track(posthorn, "x", { name: "Ada B" });
  const way = await simulated(posthorn, workflow, { contactId, event: { sum: 7 } });
  expect(way).toMatchObject({
    contact: { id: contactId, email: "ada@example.com" },
    obstacle: "The workflow is disabled.",
    status: "EXITED",
    reason: "done",
  });
  expect(way.steps.map(({ name, status, at }: Json) => `${name} ${status} ${at}`)).toEqual([
    "Trigger COMPLETED 2026-03-01T09:00:00.000Z",
    "Set COMPLETED 2026-03-01T09:00:00.000Z",
    "If COMPLETED 2026-03-01T09:00:00.000Z",
    "Wait COMPLETED 2026-03-01T09:00:00.000Z",
    "Mail COMPLETED 2026-03-02T09:00:00.000Z",
    "Paid? COMPLETED 2026-03-02T09:00:00.000Z",
    "Hook COMPLETED 2026-03-02T09:00:00.000Z",
    "End COMPLETED 2026-03-02T09:00:00.000Z",
  ]);
  const output = Object.fromEntries(way.steps.map((step: Json) => [step.name, step.output]));
  expect(output["If"]).toEqual({ field: "data.plan", found: "pro", branch: "yes" });
  expect(output["Mail"].mail).toEqual({
    from: "hello@example.test",
    to: "ada@example.com",
    subject: "Welcome Ada B",
    html: "<p>Ada B 7</p>",
    text: "Ada B 7",
  });
  expect(output["Hook"].request).toEqual({
    url: "https://example.com/Ada%20B",
    method: "POST",
    headers: { "X-Plan": "pro" },
    body: '{"sub":false}',
  });
});

test("of mails that are very large so many are shown, and then the simulation ends (slow)", async () => {
  await using posthorn = await workspace();
  const body = `{% for n in (1..99) %}<p>${"x".repeat(9_990)}</p>{% endfor %}`;
  const templateId = await addTemplate(posthorn, { body });
  const mail = { type: "SEND_EMAIL", name: "Mail", config: { templateId } };
  const workflow = await addWorkflow(posthorn, Array(10).fill(mail));
  const way = await simulated(posthorn, workflow, { contactId: await track(posthorn, "x") });
  expect([way.status, way.reason, way.steps.length]).toEqual(["FAILED", expect.stringContaining("too large"), 4]);
});

test.each(["mail", "webhook"])("a simulation whose %s takes too long to render ends there (slow)", async (kind) => {
  await using posthorn = await workspace();
  const busy = "{% assign l = (1..9000) %}{% for i in l %}{% for j in l %}{% endfor %}{% endfor %}";
  const config = kind === "mail" ? { templateId: await addTemplate(posthorn, { text: busy }) } : null;
  const mail = { type: "SEND_EMAIL", name: "Mail", config };
  const webhook = { type: "WEBHOOK", name: "Hook", config: { url: "https://example.com", body: { a: busy } } };
  const workflow = await addWorkflow(posthorn, [config ? mail : webhook, { type: "EXIT", name: "End", config: {} }]);
  const way = await simulated(posthorn, workflow, { contactId: await track(posthorn, "x") });
  expect([way.status, way.reason, way.steps.length]).toEqual(["FAILED", expect.stringContaining("too long"), 1]);
});

test("waits are left by the branch that is asked for", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [waits]);
  const contactId = await track(posthorn, "x");
  const [, wait] = workflow.steps;
  const late = await simulated(posthorn, workflow, { contactId, branches: { [wait.id]: "timeout" } });
  expect(late.steps[1].output).toMatchObject({
    eventName: "paid",
    branch: "timeout",
    timeoutAt: "2026-03-01T10:00:00.000Z",
  });
  expect((await simulated(posthorn, workflow, { contactId })).steps[1].output.branch).toBe("event");
});

test("minus zero is zero, as in an event that was stored", async () => {
  await using posthorn = await workspace();
  const config = { field: "event.box", operator: "equals", value: { n: 0 } };
  const workflow = await addWorkflow(posthorn, [{ ...condition, config }]);
  const contactId = await track(posthorn, "x");
  const body = `{"contactId": "${contactId}", "event": {"box": {"n": -0}}}`;
  const { body: simulation } = await posthorn.call(`POST /workflows/${workflow.id}/simulate`, body);
  expect(simulation.steps[1].output.branch).toBe("yes");
  await posthorn.call("POST /v1/track", `{"email": "ada@example.com", "event": "signup", "data": {"box": {"n": -0}}}`);
  await posthorn.settle();
  expect((await execution(posthorn, workflow)).steps[1].output.branch).toBe("yes");
});

const INSIDE = {
  name: "Pro",
  condition: { logic: "AND", groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] },
};

test("unless data is given, a simulation takes the contact's last event of the trigger's name", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, [condition], { enabled: false });
  const contactId = await track(posthorn, "signup", { plan: "free" });
  await track(posthorn, "other", { plan: "pro" });
  const first = await simulated(posthorn, workflow, { contactId });
  expect(first.event).toEqual({
    name: "signup",
    id: expect.any(String),
    createdAt: "2026-03-01T09:00:00.000Z",
    data: { plan: "free" },
  });
  expect(first.steps[1].output).toMatchObject({ found: "free", branch: "no" });
  posthorn.clock.advance(DAY);
  await track(posthorn, "signup", { plan: "pro", coupon: { value: "X1", persistent: false } });
  const { event } = await simulated(posthorn, workflow, { contactId });
  expect([event.createdAt, event.data]).toEqual([
    "2026-03-02T09:00:00.000Z",
    { plan: "pro", coupon: { value: "X1", persistent: false } },
  ]);
  const edited = await simulated(posthorn, workflow, { contactId, event: { ...event.data, plan: "free" } });
  expect([edited.event.id, edited.event.createdAt, edited.steps[1].output.found]).toEqual([null, null, "free"]);
  // Another trigger, not saved yet, has another last event.
  const drawn = { contactId, triggerType: "EVENT", triggerConfig: { eventName: "other" } };
  expect((await simulated(posthorn, workflow, drawn)).event).toMatchObject({ name: "other", data: { plan: "pro" } });
  const stranger = await track(posthorn, "x", {}, "eve@example.com");
  const none = { name: "signup", id: null, createdAt: null, data: {} };
  expect((await simulated(posthorn, workflow, { contactId: stranger })).event).toEqual(none);
  const refused = { contactId, triggerType: "EVENT", triggerConfig: { eventName: "" } };
  expect((await ask(posthorn, `POST /workflows/${workflow.id}/simulate`, { body: refused })).status).toBe(422);
});

test.each([
  { plan: "pro" },
  { plan: { value: "pro", persistent: true } },
  { plan: { value: "pro", persistent: false } },
  { plan: { value: "pro" } },
  { plan: null },
  { email: "pro", plan: "pro" },
])("conditions judge %j in a simulation as after an event", async (data) => {
  await using posthorn = await workspace();
  const ofEvent = { ...condition, name: "Event", config: { ...condition.config, field: "event.plan" } };
  const asking = { ...condition, name: "Ask", config: { condition: INSIDE.condition } };
  const transitions = ["a", "b", "c"].map((toStepId, at, all) => ({ fromStepId: all[at - 1] ?? "trigger", toStepId }));
  const steps = [condition, ofEvent, asking].map((step, at) => ({ ...step, ref: "abc"[at] }));
  const workflow = await addWorkflow(posthorn, steps, { transitions });
  const contactId = await track(posthorn, "x", { plan: "free" });
  const judged = ({ steps }: Json) => steps.map(({ name, output }: Json) => [name, output.found, output.branch]);
  const supposed = judged(await simulated(posthorn, workflow, { contactId, event: data }));
  await track(posthorn, "signup", data);
  await posthorn.settle();
  expect(supposed).toEqual(judged(await execution(posthorn, workflow)));
});

test("an email to somebody who is suppressed is skipped, with the reason that an execution gives", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn, {});
  const step = { type: "SEND_EMAIL", name: "Mail", config: { templateId } };
  const workflow = await addWorkflow(posthorn, [step]);
  const contactId = await track(posthorn, "y");
  const mailStep = async () => (await simulated(posthorn, workflow, { contactId })).steps.at(-1);
  const suppress = (body: object) => ask(posthorn, "POST /suppressions", { body });
  await suppress({ domain: "example.com", scope: "marketing" });
  expect(await mailStep()).toMatchObject({ name: "Mail", status: "COMPLETED" });
  await suppress({ domain: "example.com" });
  const reason = "The domain is suppressed: somebody suppressed it by hand.";
  expect(await mailStep()).toMatchObject({ name: "Mail", status: "SKIPPED", output: { reason } });
});

test("whom a schedule would not start is told", async () => {
  await using posthorn = await workspace();
  const { body: segment } = await ask(posthorn, "POST /segments", { body: INSIDE });
  const triggerConfig = { cron: "0 12 * * *", timezone: "UTC", segmentId: segment.id };
  const workflow = await addWorkflow(posthorn, [], { eventName: undefined, triggerType: "SCHEDULE", triggerConfig });
  const inside = await track(posthorn, "x", { plan: "pro" }, "pro@example.com");
  const outside = await track(posthorn, "x", {}, "free@example.com");
  await posthorn.settle();
  const seen = async (contactId: string) => {
    const { obstacleReason, obstacle, event } = await simulated(posthorn, workflow, { contactId });
    return [obstacleReason, obstacle, event.data];
  };
  const data = { scheduledFor: "2026-03-01T12:00:00.000Z" };
  expect(await seen(inside)).toEqual([null, null, data]);
  expect(await seen(outside)).toEqual(["not_member", expect.stringContaining("not in the segment"), data]);
  posthorn.clock.advance(DAY);
  await posthorn.settle();
  expect((await seen(inside))[0]).toBe("entered_before");
});

test("what would fail is told, and who has been there already", async () => {
  await using posthorn = await workspace();
  const templateId = await addTemplate(posthorn);
  const workflow = await addWorkflow(posthorn, [{ type: "SEND_EMAIL", name: "Mail", config: { templateId } }]);
  await ask(posthorn, `PATCH /templates/${templateId}`, { body: { from: "x@elsewhere.example" } });
  const contactId = await track(posthorn, "signup");
  expect((await simulated(posthorn, workflow, { contactId })).obstacle).toBe(null);
  await posthorn.settle();
  expect(await simulated(posthorn, workflow, { contactId })).toMatchObject({
    obstacle: "The contact was in this workflow and may not enter again.",
    status: "FAILED",
    reason: "The domain elsewhere.example is not verified in this workspace.",
  });
});

test("the past is counted by the events that are stored", async () => {
  await using posthorn = await startPosthorn();
  for (const [days, email] of [
    [40, "a"],
    [8, "a"],
    [3, "b"],
    [2, "b"],
  ] as const) {
    posthorn.clock.jump(-days * DAY);
    await track(posthorn, "signup", {}, `${email}@example.com`);
    posthorn.clock.jump(days * DAY);
  }
  await track(posthorn, "other");
  const once = await addWorkflow(posthorn, []);
  const again = await addWorkflow(posthorn, [], { allowReentry: true });
  const count = async ({ id }: Json, days: number) =>
    (await ask(posthorn, `POST /workflows/${id}/simulate-past`, { body: { days } })).body;
  expect(await count(once, 30)).toMatchObject({
    since: "2026-01-30T09:00:00.000Z",
    events: 3,
    contacts: 2,
    wouldEnter: 2,
  });
  expect(await count(again, 7)).toMatchObject({ events: 2, contacts: 1, wouldEnter: 2 });
  const manual = await addWorkflow(posthorn, [], { eventName: undefined, triggerType: "MANUAL", triggerConfig: {} });
  expect((await count(manual, 7)).error.code).toBe("WORKFLOW_STATE");
  expect((await ask(posthorn, `POST /workflows/${once.id}/simulate-past`, { body: { days: 0 } })).status).toBe(422);
});

test("a contact is named by its id, its address or a former one", async () => {
  await using posthorn = await workspace();
  const workflow = await addWorkflow(posthorn, []);
  const id = await track(posthorn, "signup", {}, "old@example.com");
  await ask(posthorn, `PATCH /contacts/${id}`, { body: { email: "ada@example.com" } });
  for (const who of [{ contactId: id }, { email: " ADA@example.com" }, { email: "old@example.com" }])
    expect((await simulated(posthorn, workflow, who)).contact).toEqual({ id, email: "ada@example.com" });
  const refused = async (body: object) => {
    const { status, body: said } = await ask(posthorn, `POST /workflows/${workflow.id}/simulate`, { body });
    return [status, said.error.code, said.error.errors?.[0]?.field];
  };
  expect(await refused({})).toEqual([422, "VALIDATION_ERROR", "contactId"]);
  expect(await refused({ contactId: id, email: "ada@example.com" })).toEqual([422, "VALIDATION_ERROR", "contactId"]);
  expect(await refused({ email: "nobody@example.com" })).toEqual([404, "CONTACT_NOT_FOUND", undefined]);
  expect(await refused({ email: "no address" })).toEqual([422, "VALIDATION_ERROR", "email"]);
});
