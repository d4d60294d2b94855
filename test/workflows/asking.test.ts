// A step that asks a condition as segments have it: of the one contact, at the moment in which it comes there.
import { expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, everything, type Key } from "../support/scenario.ts";
import { addWorkflow, DAY, execution, executions, track } from "../support/workflows.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const filter = (field: string, operator: string, more: object = {}) => ({ field, operator, ...more });
const all = (...filters: readonly object[]) => ({ logic: "AND", groups: [{ filters }] });
const asks = (condition: unknown) => ({ ref: "ask", type: "CONDITION", name: "Ask", config: { condition } });
const isPro = filter("data.plan", "equals", { value: "pro" });
const end = (reason: string) => ({ ref: reason, type: "EXIT", name: reason, config: { reason } });
const ENDS = {
  transitions: [
    { fromStepId: "trigger", toStepId: "ask" },
    { fromStepId: "ask", toStepId: "loyal", condition: { branch: "yes" } },
    { fromStepId: "ask", toStepId: "other", condition: { branch: "no" } },
  ],
};

function addAsking(posthorn: Posthorn, condition: unknown, changes: object = {}): Promise<Json> {
  return addWorkflow(posthorn, [asks(condition), end("loyal"), end("other")], { ...ENDS, ...changes });
}

let segmentsMade = 0;

async function addSegment(posthorn: Posthorn, condition: unknown, key: Key = "secret"): Promise<string> {
  return (await ask(posthorn, "POST /segments", { key, body: { name: `Pro ${++segmentsMade}`, condition } })).body.id;
}

test("nested groups, past events and segments decide which branch is taken (slow)", async () => {
  await using posthorn = await workspace();
  const segment = await addSegment(posthorn, all(isPro));
  const condition = {
    logic: "OR",
    groups: [
      { filters: [filter(`segment.${segment}`, "memberOf"), filter("event.order", "triggered")] },
      { filters: [], conditions: all(filter("email", "equals", { value: "Eve@Example.com" })) },
    ],
  };
  const workflow = await addAsking(posthorn, condition);
  expect(workflow.steps.find(({ type }: Json) => type === "CONDITION").config).toEqual({ condition });
  await ask(posthorn, "POST /contacts", { body: { email: "bob@example.com", data: { plan: "pro" } } });
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { plan: "pro" } } });
  await track(posthorn, "order");
  await track(posthorn, "order", {}, "cyd@example.com");
  for (const name of ["ada", "bob", "cyd", "eve"]) await track(posthorn, "signup", {}, `${name}@example.com`);
  await posthorn.settle();
  const ended = await executions(posthorn, workflow);
  expect(ended.map(({ reason }: Json) => reason)).toEqual(["loyal", "other", "other", "loyal"]);
  expect(ended[0]?.["steps"][1]).toMatchObject({ name: "Ask", status: "COMPLETED", output: { branch: "yes" } });
});

test("the contact is asked as it is then, and not about the event that started it", async () => {
  await using posthorn = await workspace();
  const delay = { ref: "wait", type: "DELAY", name: "Wait", config: { amount: 3, unit: "days" } };
  const condition = all(isPro, filter("event.signup", "triggeredOlderThan", { value: 2, unit: "days" }));
  const transitions = [
    { fromStepId: "trigger", toStepId: "wait" },
    { fromStepId: "wait", toStepId: "ask" },
  ];
  const workflow = await addWorkflow(posthorn, [delay, asks(condition), end("loyal"), end("other")], {
    transitions: [...transitions, ...ENDS.transitions.slice(1)],
  });
  const byHand = await addAsking(posthorn, all(filter("data.coupon", "exists")), {
    triggerType: "MANUAL",
    eventName: null,
  });
  await track(posthorn, "signup");
  await posthorn.settle();
  const { contact } = await execution(posthorn, workflow);
  const context = { coupon: "SPRING" };
  await ask(posthorn, `POST /workflows/${byHand.id}/executions`, { body: { contactId: contact.id, context } });
  await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", data: { plan: "pro" } } });
  posthorn.clock.advance(3 * DAY);
  await posthorn.settle();
  expect((await execution(posthorn, workflow)).reason).toBe("loyal");
  expect((await execution(posthorn, byHand)).reason).toBe("other");
});

test("a simulation asks the contact as earlier steps would leave it, without any effect", async () => {
  await using posthorn = await workspace();
  const set = { ref: "set", type: "UPDATE_CONTACT", name: "Set", config: { data: { plan: "pro" }, subscribed: false } };
  const contactId = await track(posthorn, "x");
  const asked = all(isPro, filter("subscribed", "equals", { value: false }));
  const workflow = await addAsking(posthorn, asked, { enabled: false });
  const before = await everything(posthorn);
  const simulated = async (body: object): Promise<Json> =>
    (await ask(posthorn, `POST /workflows/${workflow.id}/simulate`, { body: { contactId, ...body } })).body;
  expect((await simulated({})).reason).toBe("other");
  const steps = [set, asks(asked), end("loyal"), end("other")];
  const transitions = [
    { fromStepId: "trigger", toStepId: "set" },
    { fromStepId: "set", toStepId: "ask" },
    ...ENDS.transitions.slice(1),
  ];
  const tried = await simulated({ steps, transitions });
  expect([tried.reason, tried.steps[2].output]).toEqual(["loyal", { branch: "yes" }]);
  expect(await everything(posthorn)).toEqual(before);
});

test("while members of large segments are still being found nobody is sent the wrong way", async () => {
  await using posthorn = await workspace();
  const contactId = await track(posthorn, "x", { plan: "pro" });
  const large = all(...Array.from({ length: 100 }, () => isPro));
  const segments = [];
  for (let at = 0; at < 4; at++) segments.push(await addSegment(posthorn, large));
  const workflow = await addAsking(posthorn, all(...segments.map((id) => filter(`segment.${id}`, "memberOf"))));
  await posthorn.settle();
  const become = (state: string) => posthorn.store.write((tx) => tx.run`update segments set state = ${state}`);
  await become("NEW");
  await track(posthorn, "signup");
  await posthorn.settle();
  const { status, steps: passed } = await execution(posthorn, workflow);
  expect([status, passed.map(({ name }: Json) => name)]).toEqual(["RUNNING", ["Trigger"]]);
  const { steps } = (await ask(posthorn, `POST /workflows/${workflow.id}/simulate`, { body: { contactId } })).body;
  expect(steps.map(({ name, status }: Json) => `${name} ${status}`)).toEqual(["Trigger COMPLETED", "Ask SKIPPED"]);
  expect(steps[1].output.reason).toContain("are still being found");
  await become("CURRENT");
  posthorn.clock.advance(5_000);
  await posthorn.settle();
  expect((await execution(posthorn, workflow)).reason).toBe("loyal");
});

test("every fault of it is told at its place, by checks as by saving", async () => {
  await using posthorn = await workspace();
  const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  const theirs = await addSegment(posthorn, all(isPro), { bearer: secret });
  const workflow = await addAsking(posthorn, all(isPro), { enabled: false });
  const faultsOf = async (config: object): Promise<readonly string[]> => {
    const body = { steps: [{ ...asks(null), config }], transitions: [{ fromStepId: "trigger", toStepId: "ask" }] };
    const { faults } = (await ask(posthorn, `POST /workflows/${workflow.id}/check`, { body })).body;
    const saved = await ask(posthorn, `PUT /workflows/${workflow.id}`, { body });
    const named = ({ field, code }: Json) => `${field} ${code}`;
    expect([saved.status, saved.body.error.errors.map(named)]).toEqual([422, faults.map(named)]);
    return faults.map((fault: Json) => `${named(fault)} ${fault.ref}`);
  };
  const at = "steps.0.config.condition";
  expect(await faultsOf({ condition: all(filter("data.", "exists"), filter("data.a", "like")) })).toEqual([
    `${at}.groups.0.filters.0.field unknown_field ask`,
    `${at}.groups.0.filters.1.operator invalid ask`,
  ]);
  expect(await faultsOf({ condition: all(filter(`segment.${theirs}`, "memberOf")) })).toEqual([
    `${at}.groups.0.filters.0.field unknown_segment ask`,
  ]);
  expect(await faultsOf({ condition: "pro" })).toEqual([`${at} invalid_type ask`]);
  expect(await faultsOf({ condition: all(isPro), field: "data.plan", operator: "exists" })).toEqual([
    `${at} invalid ask`,
  ]);
  const { body } = await ask(posthorn, `GET /workflows/${workflow.id}`);
  expect(body.steps.find(({ type }: Json) => type === "CONDITION").config).toEqual({ condition: all(isPro) });
});
