// A workflow drawn as a whole: checked, tried and replaced in one call; and its versions.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, everything } from "../support/scenario.ts";
import { addTemplate, addWorkflow, track } from "../support/workflows.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

let posthorn: Posthorn;
beforeAll(async () => void (posthorn = await workspace()));
afterAll(() => posthorn[Symbol.asyncDispose]());

const wait = { type: "WAIT_FOR_EVENT", name: "Paid?", config: { eventName: "paid", timeout: 3600 } };
const delay = { type: "DELAY", name: "A day", config: { amount: 1, unit: "days" } };
const exit = { type: "EXIT", name: "End", config: {} };

type Drawing = { readonly steps: readonly Json[]; readonly transitions: readonly Json[] };

/** As an editor has it: each step under its own id. */
function drawingOf({ steps, transitions }: Json): Drawing {
  return {
    steps: steps.map(({ id: ref, type, name, config }: Json) => ({ ref, type, name, config })),
    transitions: transitions.map(({ fromStepId, toStepId, condition }: Json) => ({ fromStepId, toStepId, condition })),
  };
}

const replace = (id: string, body: object) => ask(posthorn, `PUT /workflows/${id}`, { body });
const check = async (id: string, body: object): Promise<Json[]> =>
  (await ask(posthorn, `POST /workflows/${id}/check`, { body })).body.faults;

test("what stays keeps its id, what is new gets one, what is not drawn goes", async () => {
  const workflow = await addWorkflow(posthorn, [wait, delay, exit], { enabled: false });
  const [trigger, paid, , end] = workflow.steps;
  const { steps, transitions } = drawingOf(workflow);
  const hook = { ref: "hook", type: "WEBHOOK", name: "Tell", config: { url: "https://example.com" } };
  const drawn = {
    name: "Renamed",
    steps: [...steps.filter(({ name }) => name !== "A day"), hook],
    transitions: [
      ...transitions.filter(({ toStepId }) => toStepId === paid.id),
      { fromStepId: paid.id, toStepId: "hook", condition: { branch: "event" } },
      { fromStepId: "hook", toStepId: end.id },
    ],
  };
  const { status, body } = await replace(workflow.id, drawn);
  expect([status, body.name, body.version]).toEqual([200, "Renamed", workflow.version + 1]);
  expect(body.steps.map(({ name }: Json) => name)).toEqual(["Trigger", "Paid?", "End", "Tell"]);
  expect(body.steps.slice(0, 3).map(({ id }: Json) => id)).toEqual([trigger.id, paid.id, end.id]);
  expect(body.transitions).toHaveLength(3);
  expect(body.transitions[0]).toEqual(workflow.transitions[0]);
  expect((await ask(posthorn, `GET /workflows/${workflow.id}`)).body).toEqual(body);
  const again = await replace(workflow.id, drawingOf(body));
  expect([again.body.transitions, again.body.steps.map(({ id }: Json) => id)]).toEqual([
    body.transitions,
    body.steps.map(({ id }: Json) => id),
  ]);
});

test("the trigger may be left out, and changed beside the steps", async () => {
  const workflow = await addWorkflow(posthorn, [exit], { enabled: false });
  const drawn = {
    ...{ eventName: "order", allowReentry: true, enabled: true },
    steps: [{ ref: "end", ...exit }],
    transitions: [{ fromStepId: "trigger", toStepId: "end" }],
  };
  const { body } = await replace(workflow.id, drawn);
  expect(body).toMatchObject({ triggerConfig: { eventName: "order" }, allowReentry: true, enabled: true });
  expect(body.steps.map(({ type }: Json) => type)).toEqual(["TRIGGER", "EXIT"]);
  expect(body.steps[0].id).toBe(workflow.steps[0].id);
});

test("a single edit touches its own step and transitions, and leaves the others as they were", async () => {
  const workflow = await addWorkflow(posthorn, [wait, delay, exit], { enabled: false });
  const [trigger, paid, day, end] = workflow.steps;
  const path = `/workflows/${workflow.id}`;
  posthorn.clock.advance(60_000);
  const changed = await ask(posthorn, `PATCH ${path}/steps/${day.id}`, { body: { name: "One day" } });
  expect([changed.status, changed.body.name]).toEqual([200, "One day"]);
  const twice = { fromStepId: day.id, toStepId: end.id };
  const refused = await ask(posthorn, `POST ${path}/transitions`, { body: twice });
  expect([refused.status, refused.body.error.errors[0].field]).toEqual([422, "fromStepId"]);
  const edited = (await ask(posthorn, `GET ${path}`)).body;
  expect(edited.transitions).toEqual(workflow.transitions);
  expect(edited.steps).toEqual([trigger, paid, changed.body, end]);
  await ask(posthorn, `DELETE ${path}/steps/${day.id}?splice=true`);
  const spliced = (await ask(posthorn, `GET ${path}`)).body;
  const stamp = ({ id, updatedAt }: Json) => [id, updatedAt];
  expect(spliced.steps.map(stamp)).toEqual([trigger, paid, end].map(stamp));
  const kept = workflow.transitions.filter((one: Json) => one.fromStepId !== day.id && one.toStepId !== day.id);
  expect(spliced.transitions.slice(0, kept.length)).toEqual(kept);
  const ways = spliced.transitions.map(({ fromStepId, toStepId }: Json) => [fromStepId, toStepId]);
  expect(ways.slice(kept.length)).toEqual(Array.from({ length: 2 }, () => [paid.id, end.id]));
});

test("two steps of one request are not called alike", async () => {
  const steps = [
    { ref: "end", ...exit },
    { ref: "end", ...exit },
  ];
  const { status, body } = await ask(posthorn, "POST /workflows", {
    body: { name: "Twins", triggerType: "EVENT", triggerConfig: { eventName: "twins" }, steps },
  });
  expect([status, body.error.errors]).toEqual([
    422,
    [{ field: "steps", message: 'Two steps are called "end".', code: "duplicate" }],
  ]);
});

test("who has not seen the latest change overwrites nothing", async () => {
  const workflow = await addWorkflow(posthorn, [exit], { enabled: false });
  posthorn.clock.advance(1_000);
  const drawn = { ...drawingOf(workflow), ifUpdatedAt: workflow.updatedAt };
  expect((await replace(workflow.id, { ...drawn, name: "Mine" })).status).toBe(200);
  posthorn.clock.advance(1_000);
  const { status, body } = await replace(workflow.id, { ...drawn, name: "Theirs" });
  expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
  expect((await ask(posthorn, `GET /workflows/${workflow.id}`)).body.name).toBe("Mine");
});

test("every fault is told at once, with its place and its step, and nothing changes", async () => {
  const noSender = await addTemplate(posthorn, { from: null });
  const workflow = await addWorkflow(posthorn, [exit], { enabled: false });
  const before = await everything(posthorn);
  const mail = (ref: string, templateId: string) => ({ ref, type: "SEND_EMAIL", name: ref, config: { templateId } });
  const drawn = {
    steps: [
      { ref: "late", type: "DELAY", name: "Late", config: { amount: 0, unit: "days" } },
      mail("gone", "0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e0f"),
      { ref: "many", type: "CONDITION", name: "Many", config: { mode: "multi", field: "x", branches: [{ id: "a" }] } },
      { ref: "port", type: "WEBHOOK", name: "Port", config: { url: "https://example.com:25" } },
    ],
    transitions: [
      { fromStepId: "trigger", toStepId: "nobody" },
      { fromStepId: "trigger", toStepId: "late" },
      { fromStepId: "late", toStepId: "many", condition: { branch: "yes" } },
      { fromStepId: "many", toStepId: "port", condition: { branch: "a" } },
    ],
  };
  const faults = await check(workflow.id, drawn);
  const told = faults.map(({ field, ref, canSave }) => `${field} ${ref} ${canSave}`);
  expect(told.sort()).toEqual([
    "steps.0.config.amount late false",
    "steps.1.config.templateId gone false",
    "steps.2.config.branches.0.operator many false",
    "steps.2.config.field many false",
    "steps.3.config.url port false",
    "transitions.0.toStepId trigger false",
    "transitions.2.condition.branch late false",
  ]);
  const { status, body } = await replace(workflow.id, drawn);
  expect([status, body.error.errors.map(({ field }: Json) => field).sort()]).toEqual([
    422,
    faults.map(({ field }) => field).sort(),
  ]);
  const lacking = { steps: [mail("unsigned", noSender), { ref: "lost", ...exit }], transitions: [] };
  const lacks = await check(workflow.id, lacking);
  expect(lacks.map(({ field, ref, canSave }) => `${field} ${ref} ${canSave}`)).toEqual([
    "steps.0.config.templateId unsigned true",
    "steps.0 unsigned true",
    "steps.1 lost true",
  ]);
  expect((await replace(workflow.id, { ...lacking, enabled: true })).status).toBe(422);
  expect(
    await check(workflow.id, { ...lacking, triggerType: "SCHEDULE", triggerConfig: { cron: "x" } }),
  ).toContainEqual(
    expect.objectContaining({ field: expect.stringContaining("triggerConfig"), ref: null, canSave: false }),
  );
  expect(await everything(posthorn)).toEqual(before);
  expect((await replace(workflow.id, lacking)).status).toBe(200);
});

test("circles, twins and changed types are refused where they are", async () => {
  const workflow = await addWorkflow(posthorn, [delay, exit], { enabled: false });
  const { steps } = drawingOf(workflow);
  const [, first, last] = steps as [Json, Json, Json];
  const fieldOf = async (body: object): Promise<string> =>
    (await replace(workflow.id, body)).body.error.errors[0].field;
  const circle = [
    { fromStepId: first.ref, toStepId: "b" },
    { fromStepId: "b", toStepId: first.ref },
  ];
  expect(await fieldOf({ steps: [first, { ref: "b", ...delay }], transitions: circle })).toBe("transitions.0.toStepId");
  expect(
    await fieldOf({
      steps: [
        { ref: "a", ...exit },
        { ref: "a", ...exit },
      ],
      transitions: [],
    }),
  ).toBe("steps");
  expect(await fieldOf({ steps: [{ ...last, type: "DELAY", config: delay.config }], transitions: [] })).toBe(
    "steps.0.type",
  );
});

test("what is not saved is tried, with what events bring", async () => {
  const workflow = await addWorkflow(posthorn, [exit], { enabled: false });
  const contactId = await track(posthorn, "x", { name: "Ada" });
  const before = await everything(posthorn);
  const drawn = {
    steps: [
      { ref: "wait", ...wait },
      {
        ref: "sum",
        type: "CONDITION",
        name: "Much?",
        config: { field: "event.sum", operator: "greaterThan", value: 5 },
      },
    ],
    transitions: [
      { fromStepId: "trigger", toStepId: "wait" },
      { fromStepId: "wait", toStepId: "sum" },
    ],
  };
  const tried = async (more: object): Promise<Json> =>
    (await ask(posthorn, `POST /workflows/${workflow.id}/simulate`, { body: { contactId, ...drawn, ...more } })).body;
  const { steps } = await tried({ events: { wait: { sum: 9 } } });
  expect(steps.map(({ stepId, output }: Json) => [stepId, output.branch])).toEqual([
    ["trigger", undefined],
    ["wait", "event"],
    ["sum", "yes"],
  ]);
  const late = await tried({ events: { wait: { sum: 9 } }, branches: { wait: "timeout" } });
  expect(late.steps.at(-1).output.branch).toBe("no");
  const wrong = await tried({ transitions: [{ fromStepId: "x", toStepId: "y" }] });
  expect(wrong.error.errors[0].field).toBe("transitions.0.fromStepId");
  expect(await everything(posthorn)).toEqual(before);
});

test("what the past would have started is told of another event, too", async () => {
  const workflow = await addWorkflow(posthorn, [], { eventName: "never", enabled: false });
  for (const email of ["a@past.test", "a@past.test", "b@past.test"]) await track(posthorn, "order", {}, email);
  const past = async (more: object): Promise<Json> =>
    (await ask(posthorn, `POST /workflows/${workflow.id}/simulate-past`, { body: { days: 30, ...more } })).body;
  expect(await past({})).toMatchObject({ events: 0, wouldEnter: 0, isLowerBound: false });
  expect(await past({ eventName: "order" })).toMatchObject({ events: 3, contacts: 2, wouldEnter: 2 });
  expect(await past({ eventName: "order", allowReentry: true })).toMatchObject({ wouldEnter: 3 });
});

test("versions on which people started are listed, and can be drawn again", async () => {
  const workflow = await addWorkflow(posthorn, [delay, exit], { eventName: "versioned" });
  await track(posthorn, "versioned", {}, "old@versions.test");
  await posthorn.settle();
  const { body } = await replace(workflow.id, {
    steps: [{ ref: "end", ...exit }],
    transitions: [{ fromStepId: "trigger", toStepId: "end" }],
  });
  await track(posthorn, "versioned", {}, "new@versions.test");
  await posthorn.settle();
  const { versions } = (await ask(posthorn, `GET /workflows/${workflow.id}/versions`)).body;
  expect(versions.map(({ version, inside, isCurrent }: Json) => [version, inside, isCurrent])).toEqual([
    [body.version, 0, true],
    [workflow.version, 1, false],
  ]);
  const old = (await ask(posthorn, `GET /workflows/${workflow.id}/versions/${workflow.version}`)).body;
  expect(old.steps.map(({ name }: Json) => name)).toEqual(["Trigger", "A day", "End"]);
  const restored = (await replace(workflow.id, drawingOf(old))).body;
  expect(restored.transitions).toHaveLength(2);
  for (const version of ["99", "x"])
    expect((await ask(posthorn, `GET /workflows/${workflow.id}/versions/${version}`)).body.error.code).toBe(
      "VERSION_NOT_FOUND",
    );
});

test("a step that shows data which a public key may send is warned of, and nothing is kept from being saved", async () => {
  const showing = await addTemplate(posthorn, { body: "<p>{{ event.link }}</p>" });
  const silent = await addTemplate(posthorn, { body: "<p>The event is {{ name }}</p>" });
  const mail = (templateId: string) => ({ type: "SEND_EMAIL", name: "Mail", config: { templateId } });
  const hook = (config: object) => ({
    type: "WEBHOOK",
    name: "Tell",
    config: { url: "https://example.com", ...config },
  });
  const steps = [
    mail(showing),
    mail(silent),
    hook({}),
    hook({ body: { who: "{{ contact.email }}" } }),
    hook({ body: { what: "{{ event.link }}" } }),
  ];
  const workflow = await addWorkflow(posthorn, steps, { enabled: false });
  const drawn = drawingOf(workflow);
  const risks = async (more: object = {}) => {
    const { body } = await ask(posthorn, `POST /workflows/${workflow.id}/check`, { body: { ...drawn, ...more } });
    expect(body.faults).toEqual([]);
    return body.risks.filter(({ code }: Json) => code === "public_event").map(({ field, code }: Json) => [field, code]);
  };
  const allow = (events: readonly string[] | null) =>
    ask(posthorn, "PATCH /workspace", { body: { publicKeys: { events } } });
  const three = [1, 3, 5].map((at) => [`steps.${at}`, "public_event"]);
  expect(await risks()).toEqual(three);
  await allow(["visit"]);
  expect(await risks()).toEqual([]);
  expect(await risks({ eventName: "visit" })).toEqual(three);
  expect(await risks({ eventName: "email.received" })).toEqual([]);
  expect(await risks({ triggerType: "MANUAL", triggerConfig: {} })).toEqual([]);
  await allow(["paid"]);
  const waiting = { ref: "wait", ...wait };
  const { steps: known, transitions } = drawn;
  const later = {
    steps: [...known, waiting],
    transitions: [...transitions, { fromStepId: known.at(-1).ref, toStepId: "wait" }],
  };
  expect(await risks(later)).toEqual(three);
  await allow(null);
});

test("a check names the events that have never happened and that no form sends", async () => {
  const waits = { ...wait, config: { ...wait.config, eventName: "never.paid" } };
  const workflow = await addWorkflow(posthorn, [waits], { enabled: false, eventName: "never.joined" });
  const risks = async (more: object = {}) => {
    const body = { ...drawingOf(workflow), ...more };
    const { risks: found } = (await ask(posthorn, `POST /workflows/${workflow.id}/check`, { body })).body;
    return found.filter(({ code }: Json) => code === "never_happened").map(({ field }: Json) => field);
  };
  expect(await risks()).toEqual(["triggerConfig.eventName", "steps.1.config.eventName"]);
  expect(await risks({ eventName: "contact.subscribed" })).toEqual(["steps.1.config.eventName"]);
  expect(await risks({ triggerType: "MANUAL", triggerConfig: {} })).toEqual(["steps.1.config.eventName"]);
  const form = (await ask(posthorn, "POST /forms", { body: { name: "News", event: "never.joined" } })).body;
  await ask(posthorn, "POST /v1/track", { body: { email: "ada@example.com", event: "never.paid" } });
  expect(await risks()).toEqual([]);
  await ask(posthorn, `PATCH /forms/${form.id}`, { body: { enabled: false } });
  expect(await risks()).toEqual(["triggerConfig.eventName"]);
});

test("strangers neither draw, check nor see versions", async () => {
  const workflow = await addWorkflow(posthorn, [exit], { enabled: false });
  const { secret } = await addWorkspace(posthorn, { name: "curious", domain: "curious.test" });
  const key = { bearer: secret };
  for (const route of [`PUT /workflows/${workflow.id}`, `POST /workflows/${workflow.id}/check`])
    expect((await ask(posthorn, route, { key, body: { steps: [], transitions: [] } })).status).toBe(404);
  const templateId = await addTemplate(posthorn);
  const own = (await ask(posthorn, "POST /workflows", { key, body: { name: "Own", eventName: "signup" } })).body;
  const drawn = { steps: [{ type: "SEND_EMAIL", name: "Mail", config: { templateId } }], transitions: [] };
  const { body } = await ask(posthorn, `PUT /workflows/${own.id}`, { key, body: drawn });
  expect(body.error.errors[0].field).toBe("steps.0.config.templateId");
});

test("the fields that conditions can compare are listed, of contacts and of events", async () => {
  const { secret } = await addWorkspace(posthorn, { name: "fielded", domain: "fielded.test" });
  const key = { bearer: secret };
  const fields = async (query = "") => (await ask(posthorn, `GET /workflows/fields${query}`, { key })).body;
  const none = await fields();
  expect(none.fields).toContain("contact.email");
  expect(none.fields.filter((field: string) => field.startsWith("event."))).toEqual([]);
  const note = (event: string, data: object) =>
    ask(posthorn, "POST /v1/track", { key, body: { email: "ada@example.com", event, data } });
  await note("order", { zoo: 1, address: { city: { value: "Bonn", persistent: false } }, items: ["a"] });
  await note("visit", { page: { value: "/", persistent: false } });
  const all = await fields();
  expect(all.fields).toEqual(all.fields.toSorted());
  expect(all.fields).toEqual(all.typedFields.map(({ field }: Json) => field));
  expect(all.count).toBe(all.fields.length);
  const typed = (name: string) => all.typedFields.find(({ field }: Json) => field === name)?.type;
  expect(["event.page", "event.zoo", "event.items", "contact.data.zoo", "contact.subscribed"].map(typed)).toEqual([
    ...["string", "number", "object", "number", "boolean"],
  ]);
  const ofOrders = await fields("?eventName=order");
  expect(ofOrders.fields).not.toContain("event.page");
  const steps = all.fields.map((field: string) => ({
    ...{ type: "CONDITION", name: field, config: { field, operator: "exists" } },
  }));
  const made = await ask(posthorn, "POST /workflows", { key, body: { name: "W", eventName: "order", steps } });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
});
