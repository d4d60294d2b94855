// /workflows, as people write them: made, shown, listed, changed, enabled, copied, deleted.
import { expect, test } from "bun:test";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, scenarios, type Scenario } from "../support/scenario.ts";
import { addKeys } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const NOW = "2026-03-01T09:00:00.000Z";
const template = {
  name: "Welcome",
  subject: "Hi",
  body: "<p>Hi</p>",
  type: "TRANSACTIONAL",
  from: "hello@example.test",
};
const delay = { type: "DELAY", name: "Wait", config: { amount: 2, unit: "days" } };
const exit = { type: "EXIT", name: "End", config: {} };
const hook = { type: "WEBHOOK", name: "Hook", config: { url: "https://example.com/hook" } };
const ifPro = { type: "CONDITION", name: "Pro?", config: { field: "data.plan", operator: "equals", value: "pro" } };
const waits = { type: "WAIT_FOR_EVENT", name: "Paid?", config: { eventName: "paid", timeout: 3600 } };
const record = { id: ID, projectId: ID, createdAt: NOW, updatedAt: NOW };

scenarios("POST /workflows", [
  {
    name: "makes a workflow of a name and an event, with its trigger",
    request: "POST /workflows",
    body: { name: "Welcome", eventName: "signup" },
    status: 201,
    answer: {
      name: "Welcome",
      description: null,
      enabled: false,
      triggerType: "EVENT",
      triggerConfig: { eventName: "signup" },
      allowReentry: false,
      ...record,
      steps: [{ type: "TRIGGER", config: { eventName: "signup" }, templateId: null, position: null }],
      transitions: [],
    },
  },
  {
    name: "makes one that people start",
    request: "POST /workflows",
    body: { name: "By hand", triggerType: "MANUAL", triggerConfig: {}, description: "x", allowReentry: true },
    status: 201,
    answer: { triggerType: "MANUAL", triggerConfig: {}, description: "x", allowReentry: true },
  },
  {
    name: "takes internal events as triggers",
    request: "POST /workflows",
    body: { name: "Unsubscribed", triggerType: "EVENT", triggerConfig: { eventName: "segment.pro.entry" } },
    status: 201,
    answer: { triggerConfig: { eventName: "segment.pro.entry" } },
  },
]);

const shape = ({ steps, transitions }: Json) => {
  const names = new Map(steps.map(({ id, name }: Json) => [id, name]));
  return transitions.map((one: Json) =>
    [names.get(one.fromStepId), one.condition?.branch, names.get(one.toStepId)].join(" "),
  );
};

test("steps without transitions are linked in the order given, whichever branch is taken", async () => {
  await using posthorn = await workspace();
  const steps = [ifPro, delay, waits, hook, exit];
  const { body } = await ask(posthorn, "POST /workflows", {
    body: { name: "W", eventName: "e", enabled: true, steps },
  });
  expect(shape(body)).toEqual([
    ...["Trigger  Pro?", "Pro? yes Wait", "Pro?  Wait", "Wait  Paid?"],
    ...["Paid? event Hook", "Paid?  Hook", "Hook  End"],
  ]);
  expect((await ask(posthorn, `GET /workflows/${body.id}`)).body).toEqual(body);
  const condition = body.steps[1];
  expect(condition.outgoingTransitions).toEqual([body.transitions[1], body.transitions[2]]);
  expect(condition.incomingTransitions).toEqual([body.transitions[0]]);
});

test("steps are linked as transitions say, by their refs", async () => {
  await using posthorn = await workspace();
  const steps = [
    { ...ifPro, ref: "if" },
    { ...delay, ref: "a" },
    { ...exit, ref: "b", position: { x: 1, y: 2 } },
  ];
  const transitions = [
    { fromStepId: "trigger", toStepId: "if" },
    { fromStepId: "if", toStepId: "a", condition: { branch: "yes" } },
    { fromStepId: "if", toStepId: "b", condition: { branch: "no" } },
    { fromStepId: "a", toStepId: "b" },
  ];
  const { status, body } = await ask(posthorn, "POST /workflows", {
    body: { name: "W", eventName: "e", enabled: true, steps, transitions },
  });
  expect([status, shape(body)]).toEqual([201, ["Trigger  Pro?", "Pro? yes Wait", "Pro? no End", "Wait  End"]]);
  expect(body.steps[3].position).toEqual({ x: 1, y: 2 });
});

const TEMPLATE = "0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e0f";
const SPELLINGS: readonly [type: string, written: object, answered?: object][] = [
  ["UPDATE_CONTACT", { updates: { plan: "pro" } }],
  ["UPDATE_CONTACT", { updates: {}, subscriptionAction: "subscribe" }],
  ["UPDATE_CONTACT", { subscriptionAction: "unsubscribe" }],
  ["UPDATE_CONTACT", { data: { a: 1 }, subscriptionAction: "none" }],
  ["UPDATE_CONTACT", { data: { a: 1 }, updates: { b: 2 }, subscribed: true }, { data: { a: 1 }, subscribed: true }],
  ["CONDITION", { field: "workflow.plan", operator: "exists" }],
  ["CONDITION", { field: "event.plan", operator: "exists" }],
  [
    "CONDITION",
    { mode: "multi", field: "workflow.a", branches: [{ id: "a", name: "A's", operator: "equals", value: 1 }] },
  ],
  [
    "SEND_EMAIL",
    { templateId: TEMPLATE, recipient: { type: "CUSTOM", customEmail: "Bob@example.com" } },
    { templateId: TEMPLATE, recipient: { type: "CUSTOM", customEmail: "bob@example.com" } },
  ],
  ["SEND_EMAIL", { templateId: TEMPLATE, recipient: { type: "CONTACT" } }],
  ["SEND_EMAIL", { templateId: TEMPLATE, to: "bob@example.com" }],
];

test("steps are read in the spellings that clients have, and answered in the same", async () => {
  await using posthorn = await workspace();
  const { id } = (await ask(posthorn, "POST /templates", { body: template })).body;
  const read = (config: object) => JSON.parse(JSON.stringify(config).replaceAll(TEMPLATE, id)) as object;
  const steps = SPELLINGS.map(([type, written]) => ({ type, name: "S", config: read(written) }));
  const { body } = await ask(posthorn, "POST /workflows", {
    body: { name: "W", eventName: "e", steps, transitions: [] },
  });
  const expected = SPELLINGS.map(([, written, answered = written]) => read(answered));
  const configs = ({ steps: shown }: Json) => shown.slice(1).map(({ config }: Json) => config);
  expect(configs(body)).toEqual(expected);
  const get = async () => (await ask(posthorn, `GET /workflows/${body.id}`)).body;
  expect(configs(await get())).toEqual(expected);
  expect(configs((await ask(posthorn, `POST /workflows/${body.id}/duplicate`)).body)).toEqual(expected);
  for (const step of body.steps.slice(1))
    expect((await ask(posthorn, `PATCH /workflows/${body.id}/steps/${step.id}`, { body: { name: "T" } })).status).toBe(
      200,
    );
  expect(configs(await get())).toEqual(expected);
  const drawn = body.steps.map(({ id: ref, type, name, config }: Json) => ({
    ...{ ref, type, name },
    config: type === "TRIGGER" ? {} : config,
  }));
  await ask(posthorn, `PUT /workflows/${body.id}`, { body: { steps: drawn, transitions: [] } });
  expect(configs(await get())).toEqual(expected);
});

test("a step does the same in every spelling, and a version shows it as it was written", async () => {
  await using posthorn = await workspace();
  const steps = [
    { type: "CONDITION", name: "If", config: { field: "workflow.plan", operator: "equals", value: "pro" } },
    {
      type: "UPDATE_CONTACT",
      name: "Set",
      config: { updates: { level: "{{ event.plan }}" }, subscriptionAction: "unsubscribe" },
    },
  ];
  const { id } = await workflow(posthorn, { enabled: true, steps });
  const event = { email: "ada@example.com", event: "e", data: { plan: { value: "pro", persistent: false } } };
  await ask(posthorn, "POST /v1/track", { body: event });
  await posthorn.settle();
  const [contact] = (await ask(posthorn, "GET /contacts?search=ada")).body.data;
  expect(contact).toMatchObject({ subscribed: false, data: { level: "pro" } });
  const [{ version }] = (await ask(posthorn, `GET /workflows/${id}/versions`)).body.versions;
  const shown = (await ask(posthorn, `GET /workflows/${id}/versions/${version}`)).body;
  expect(shown.steps.slice(1).map(({ config }: Json) => config)).toEqual(steps.map(({ config }) => config));
});

test("a step is not given a webhook to a port that is never called, unless the configuration opens it (slow)", async () => {
  await using posthorn = await workspace({ config: { webhooks: { allow: ["hooks.internal"] } } });
  const { id } = (await ask(posthorn, "POST /workflows", { body: { name: "W", eventName: "e" } })).body;
  const steps = `/workflows/${id}/steps`;
  const hook = (url: string) => ({ body: { type: "WEBHOOK", name: "Hook", config: { url } } });
  const closed = { field: "config.url", message: expect.stringContaining("[webhooks] allow"), code: "closed_port" };
  const refused = await ask(posthorn, `POST ${steps}`, hook("https://example.com:25/"));
  expect([refused.status, refused.body.error.errors]).toEqual([422, [closed]]);
  const made = await ask(posthorn, `POST ${steps}`, hook("https://hooks.internal:25/"));
  expect(made.status).toBe(201);
  const changed = await ask(posthorn, `PATCH ${steps}/${made.body.id}`, {
    body: { config: { url: "http://a.example:22" } },
  });
  expect([changed.status, changed.body.error.errors]).toEqual([422, [closed]]);
  const whole = (await ask(posthorn, `GET /workflows/${id}`)).body;
  expect(whole.steps.map(({ config }: Json) => config.url ?? null)).toEqual([null, "https://hooks.internal:25/"]);
});

test("a mail step whose configuration is replaced keeps its template unless another is named", async () => {
  await using posthorn = await workspace();
  const add = async () => (await ask(posthorn, "POST /templates", { body: template })).body.id;
  const [one, other] = [await add(), await add()];
  const mail = { type: "SEND_EMAIL", name: "Mail", templateId: one, config: { to: "bob@example.com" } };
  const { id, steps } = await workflow(posthorn, { steps: [mail] });
  const change = async (body: object) =>
    (await ask(posthorn, `PATCH /workflows/${id}/steps/${steps[1].id}`, { body })).body.config;
  expect(await change({ config: { to: "eve@example.com" } })).toEqual({ templateId: one, to: "eve@example.com" });
  expect(await change({ config: {}, templateId: other })).toEqual({ templateId: other });
  expect(await change({ config: { templateId: one }, templateId: other })).toEqual({ templateId: one });
});

test("the branch of a wait may be called its outcome", async () => {
  await using posthorn = await workspace();
  const { body } = await ask(posthorn, "POST /workflows", {
    body: {
      name: "W",
      eventName: "e",
      steps: [{ ...waits, ref: "a" }, { ...exit, ref: "b" }, delay],
      transitions: [{ fromStepId: "a", toStepId: "b", waitOutcome: "TIMEOUT" }],
    },
  });
  const [, from, , to] = body.steps;
  const added = await ask(posthorn, `POST /workflows/${body.id}/transitions`, {
    body: { fromStepId: from.id, toStepId: to.id, waitOutcome: "EVENT", condition: null, priority: 0 },
  });
  expect(body.transitions[0].condition).toEqual({ branch: "timeout" });
  expect([added.status, added.body.condition]).toEqual([201, { branch: "event" }]);
});

function refused(name: string, changes: object, fields: Scenario["fields"] = {}): Scenario {
  const body = { name: "W", eventName: "e", ...changes };
  return { name, request: "POST /workflows", body, status: 422, code: "VALIDATION_ERROR", fields };
}
const withStep = (type: string, config: object) => ({ steps: [{ type, name: "S", config }] });

scenarios("POST /workflows is refused", [
  refused("without a name", { name: undefined }, { name: "required" }),
  refused("without an event", { eventName: undefined }, { eventName: "required" }),
  refused(
    "with an event trigger without event",
    { eventName: undefined, triggerType: "EVENT", triggerConfig: {} },
    { "triggerConfig.eventName": "required" },
  ),
  refused("with an unknown trigger", { triggerType: "MOON" }, { triggerType: "invalid" }),
  refused("with a name of 101 characters", { name: "x".repeat(101) }, { name: "too_big" }),
  refused("with an unknown step", { steps: [{ type: "DANCE", name: "S" }] }, { "steps.0.type": "invalid" }),
  refused("with a step without name", { steps: [{ type: "EXIT" }] }, { "steps.0.name": "required" }),
  refused("with a mail of no template", withStep("SEND_EMAIL", {}), { "steps.0.config.templateId": "required" }),
  refused("with a delay of nothing", withStep("DELAY", { amount: 0, unit: "days" }), {
    "steps.0.config.amount": "too_small",
  }),
  refused("with a delay of 366 days", withStep("DELAY", { amount: 366, unit: "days" }), {
    "steps.0.config.amount": "too_big",
  }),
  refused("with a delay of weeks", withStep("DELAY", { amount: 1, unit: "weeks" }), {
    "steps.0.config.unit": "invalid",
  }),
  refused("with a wait for nothing", withStep("WAIT_FOR_EVENT", { timeout: -1 }), {
    "steps.0.config.eventName": "required",
    "steps.0.config.timeout": "too_small",
  }),
  refused("with a condition on something else", withStep("CONDITION", { field: "plan", operator: "exists" }), {
    "steps.0.config.field": "invalid",
  }),
  refused("with a condition on data without a path", withStep("CONDITION", { field: "data.", operator: "exists" }), {
    "steps.0.config.field": "invalid",
  }),
  refused("with a condition that has no value", withStep("CONDITION", { field: "data.a", operator: "equals" }), {
    "steps.0.config.value": "required",
  }),
  refused("with a condition by an unknown operator", withStep("CONDITION", { field: "data.a", operator: "like" }), {
    "steps.0.config.operator": "invalid",
  }),
  refused(
    "with branches of one id, or of a reserved one",
    withStep("CONDITION", {
      mode: "multi",
      field: "data.a",
      branches: [
        { id: "a", operator: "exists" },
        { id: "a", operator: "equals" },
      ],
    }),
    { "steps.0.config.branches.1.value": "required", "steps.0.config.branches.1.id": "duplicate" },
  ),
  refused(
    "with a branch called default",
    withStep("CONDITION", { mode: "multi", field: "data.a", branches: [{ id: "default", operator: "exists" }] }),
    { "steps.0.config.branches.0.id": "invalid" },
  ),
  refused("with a mail to somebody who is not named", withStep("SEND_EMAIL", { recipient: { type: "CUSTOM" } }), {
    "steps.0.config.recipient.customEmail": "required",
  }),
  refused("with an unknown action", withStep("UPDATE_CONTACT", { subscriptionAction: "constructor" }), {
    "steps.0.config.subscriptionAction": "invalid",
  }),
  refused(
    "with an update whose texts do not parse, or loop",
    withStep("UPDATE_CONTACT", { data: { a: "{{ x", b: { c: ["{% for x in y %}{% endfor %}"] }, d: "{{ x }}" } }),
    { "steps.0.config.data.a": "template_syntax", "steps.0.config.data.b.c.0": "template_syntax" },
  ),
  refused(
    "with an update that loops in lines of tags",
    withStep("UPDATE_CONTACT", {
      data: { a: "{% liquid\n for x in y\n echo x\n endfor %}", b: "{% liquid\n echo x %}\n is for you" },
    }),
    { "steps.0.config.data.a": "template_syntax" },
  ),
  refused("with an update of nothing", withStep("UPDATE_CONTACT", {}), { "steps.0.config": "required" }),
  ...[
    "ftp://example.com",
    "example.com/x",
    "https://{{ data.host }}/x",
    "https://u:p@example.com",
    "https://a.b{{ x }}",
  ].map((url) =>
    refused(`with a webhook to ${url}`, withStep("WEBHOOK", { url }), { "steps.0.config.url": "invalid_url" }),
  ),
  ...[0, 25, 1023].map((port) =>
    refused(`with a webhook to port ${port}`, withStep("WEBHOOK", { url: `https://example.com:${port}/{{ x }}` }), {
      "steps.0.config.url": "closed_port",
    }),
  ),
  refused(
    "with headers that cannot be",
    withStep("WEBHOOK", {
      url: "https://example.com",
      headers: { Host: "x", "a b": "x", "X-A": "a\r\nb", "webhook-id": "x", "Content-Length": "1" },
    }),
    {
      "steps.0.config.headers.Host": "invalid_header",
      "steps.0.config.headers.a b": "invalid_header",
      "steps.0.config.headers.X-A": "invalid_header",
      "steps.0.config.headers.webhook-id": "invalid_header",
      "steps.0.config.headers.Content-Length": "invalid_header",
    },
  ),
  refused(
    "with syntax errors in a webhook",
    withStep("WEBHOOK", {
      url: "https://example.com/{{ a",
      body: { a: [{ b: "{% if %}" }] },
      headers: { "X-A": "{{ a | no }}" },
    }),
    {
      "steps.0.config.url": "template_syntax",
      "steps.0.config.body.a.0.b": "template_syntax",
      "steps.0.config.headers.X-A": "template_syntax",
    },
  ),
  refused(
    "with a webhook of more than 20,000 characters of code in all its texts together",
    withStep("WEBHOOK", { url: "https://example.com", body: Array(2_300).fill("{{ a.b }}x") }),
    { "steps.0.config.body": "too_big" },
  ),
  refused(
    "with webhooks of more than 50,000 characters of code in one request",
    {
      steps: Array(3)
        .fill(withStep("WEBHOOK", { url: "https://example.com", body: Array(2_000).fill("{{ a.b }}x") }).steps)
        .flat(),
    },
    { steps: "too_big" },
  ),
  refused("with a reason of 501 characters", withStep("EXIT", { reason: "x".repeat(501) }), {
    "steps.0.config.reason": "too_big",
  }),
  refused(
    "with a configuration of more than 64 KB, whatever else is wrong with it",
    withStep("WEBHOOK", { url: "https://example.com", body: ["{{ a | no }}", "x".repeat(65_536)] }),
    { "steps.0.config": "too_big" },
  ),
  refused(
    "with a position of more than 1,000 characters",
    { steps: [exit, { ...exit, position: { note: "x".repeat(1_000) } }] },
    { "steps.1.position": "too_big" },
  ),
  refused(
    "with transitions of unknown steps",
    { steps: [{ ...exit, ref: "a" }], transitions: [{ fromStepId: "trigger", toStepId: "b" }] },
    { "transitions.0.toStepId": "unknown_step" },
  ),
  refused(
    "with a circle",
    {
      steps: [
        { ...delay, ref: "a" },
        { ...delay, ref: "b" },
      ],
      transitions: [
        { fromStepId: "trigger", toStepId: "a" },
        { fromStepId: "a", toStepId: "b" },
        { fromStepId: "b", toStepId: "a" },
      ],
    },
    { "transitions.1.toStepId": "circle" },
  ),
  refused(
    "with branches that a step does not have",
    {
      steps: [
        { ...waits, ref: "a" },
        { ...exit, ref: "b" },
      ],
      transitions: [{ fromStepId: "a", toStepId: "b", condition: { branch: "yes" } }],
    },
    { "transitions.0.condition.branch": "unknown_branch" },
  ),
  refused(
    "with two ways for one branch",
    {
      steps: [
        { ...exit, ref: "a" },
        { ...exit, ref: "b" },
      ],
      transitions: [
        { fromStepId: "trigger", toStepId: "b" },
        { fromStepId: "trigger", toStepId: "a" },
      ],
    },
    { "transitions.1.fromStepId": "duplicate" },
  ),
  refused(
    "with a way into the trigger, or out of an exit",
    {
      steps: [
        { ...exit, ref: "a" },
        { ...exit, ref: "b" },
      ],
      transitions: [
        { fromStepId: "a", toStepId: "b" },
        { fromStepId: "b", toStepId: "trigger" },
      ],
    },
    { "transitions.0.fromStepId": "invalid", "transitions.1.toStepId": "invalid" },
  ),
  refused(
    "with a second trigger",
    {
      steps: [
        { type: "TRIGGER", name: "One" },
        { type: "TRIGGER", name: "Other" },
      ],
    },
    { "steps.1.type": "duplicate" },
  ),
  refused(
    "enabled, with steps that nothing leads to",
    {
      enabled: true,
      steps: [
        { ...delay, ref: "a" },
        { ...delay, ref: "b" },
      ],
      transitions: [{ fromStepId: "trigger", toStepId: "a" }],
    },
    { "steps.2": "unreachable" },
  ),
  {
    ...refused(
      "with another's template",
      withStep("SEND_EMAIL", { templateId: "0199a3b4-0000-7000-8000-000000000000" }),
    ),
    status: 404,
    code: "TEMPLATE_NOT_FOUND",
    fields: {},
  },
]);

async function workflow(posthorn: Posthorn, body: object): Promise<Json> {
  const reply = await ask(posthorn, "POST /workflows", { body: { name: "W", eventName: "e", ...body } });
  expect(reply.status).toBe(201);
  return reply.body;
}

test("steps are added after the last one that leads nowhere, changed and taken out", async () => {
  await using posthorn = await workspace();
  const { id } = await workflow(posthorn, { enabled: true });
  const add = (body: object) => ask(posthorn, `POST /workflows/${id}/steps`, { body });
  const look = async () => (await ask(posthorn, `GET /workflows/${id}`)).body;
  const first = (await add(waits)).body;
  expect(first).toMatchObject({ id: ID, workflowId: id, ...waits, incomingTransitions: [{ toStepId: first.id }] });
  const second = (await add(delay)).body;
  const third = (await add(exit)).body;
  expect(shape(await look())).toEqual(["Trigger  Paid?", "Paid? event Wait", "Paid?  Wait", "Wait  End"]);

  const changed = await ask(posthorn, `PATCH /workflows/${id}/steps/${second.id}`, {
    body: { name: "Longer", config: { amount: 3, unit: "hours" }, position: { x: 1 } },
  });
  expect(changed.body).toMatchObject({ name: "Longer", config: { amount: 3, unit: "hours" }, position: { x: 1 } });

  const cut = await ask(posthorn, `DELETE /workflows/${id}/steps/${second.id}`);
  expect([cut.status, cut.body.error.errors[0].code]).toEqual([422, "unreachable"]);
  expect((await ask(posthorn, `DELETE /workflows/${id}/steps/${second.id}?splice=true`)).status).toBe(204);
  expect(shape(await look())).toEqual(["Trigger  Paid?", "Paid? event End", "Paid?  End"]);
  expect((await ask(posthorn, `DELETE /workflows/${id}/steps/${third.id}`)).status).toBe(204);
  expect(shape(await look())).toEqual(["Trigger  Paid?"]);
});

test("an enabled workflow is looked over whole at every change of it", async () => {
  await using posthorn = await workspace();
  const { id } = await workflow(posthorn, { enabled: true });
  const loose = { ...delay, autoConnect: false };
  const added = await ask(posthorn, `POST /workflows/${id}/steps`, { body: loose });
  expect([added.status, added.body.error.errors[0].code]).toEqual([422, "unreachable"]);
  await ask(posthorn, `PATCH /workflows/${id}`, { body: { enabled: false } });
  const { body: step } = await ask(posthorn, `POST /workflows/${id}/steps`, { body: loose });
  const enabling = await ask(posthorn, `PATCH /workflows/${id}`, { body: { enabled: true } });
  expect(enabling.body.error.errors).toEqual([
    { field: "steps.1", message: 'Nothing leads to the step "Wait".', code: "unreachable" },
  ]);
  const { body: whole } = await ask(posthorn, `GET /workflows/${id}`);
  const link = { fromStepId: whole.steps[0].id, toStepId: step.id };
  const linked = await ask(posthorn, `POST /workflows/${id}/transitions`, { body: link });
  expect([linked.status, linked.body]).toEqual([
    201,
    { id: ID, workflowId: id, ...link, condition: null, createdAt: NOW },
  ]);
  expect((await ask(posthorn, `PATCH /workflows/${id}`, { body: { enabled: true } })).body.enabled).toBe(true);
  const unlinked = await ask(posthorn, `DELETE /workflows/${id}/transitions/${linked.body.id}`);
  expect(unlinked.status).toBe(422);
  await ask(posthorn, `PATCH /workflows/${id}`, { body: { enabled: false } });
  expect((await ask(posthorn, `DELETE /workflows/${id}/transitions/${linked.body.id}`)).status).toBe(204);
  expect((await ask(posthorn, `DELETE /workflows/${id}/transitions/${linked.body.id}`)).body.error.code).toBe(
    "TRANSITION_NOT_FOUND",
  );
});

test("a transition that cannot be is refused on its own fields", async () => {
  await using posthorn = await workspace();
  const { id, steps } = await workflow(posthorn, { steps: [ifPro, delay, exit] });
  const [trigger, condition, wait, end] = steps.map((step: Json) => step.id);
  const add = async (fromStepId: string, toStepId: string, branch?: string) => {
    const condition = branch === undefined ? {} : { condition: { branch } };
    const { status, body } = await ask(posthorn, `POST /workflows/${id}/transitions`, {
      body: { fromStepId, toStepId, ...condition },
    });
    return status === 201
      ? 201
      : (body.error.errors?.map((one: Json) => `${one.field} ${one.code}`) ?? body.error.code);
  };
  expect(await add(condition, condition, "no")).toEqual(["toStepId circle"]);
  expect(await add(condition, end, "no")).toBe(201);
  expect(await add(condition, end, "no")).toEqual(["condition.branch duplicate"]);
  expect(await add(condition, end, "maybe")).toEqual(["condition.branch unknown_branch"]);
  expect(await add(trigger, end)).toEqual(["fromStepId duplicate"]);
  expect(await add(end, wait)).toEqual(["fromStepId invalid"]);
  expect(await add(condition, trigger)).toEqual(["toStepId invalid"]);
  expect(await add(condition, end)).toEqual(["fromStepId duplicate"]);
  expect(await add(condition, "0199a3b4-0000-7000-8000-000000000000")).toBe("STEP_NOT_FOUND");
});

test("a change of a condition that takes a branch away which leads on is refused", async () => {
  await using posthorn = await workspace();
  const { id, steps } = await workflow(posthorn, { steps: [ifPro, exit] });
  const config = { mode: "multi", field: "data.plan", branches: [{ id: "a", operator: "equals", value: "a" }] };
  const { status, body } = await ask(posthorn, `PATCH /workflows/${id}/steps/${steps[1].id}`, { body: { config } });
  expect([status, body.error.errors[0].field]).toEqual([422, "transitions.1.condition.branch"]);
});

test("a workflow is changed in what the request names, its trigger by either name", async () => {
  await using posthorn = await workspace();
  const made = await workflow(posthorn, { description: "Old", allowReentry: true });
  const change = async (body: object) => (await ask(posthorn, `PATCH /workflows/${made.id}`, { body })).body;
  posthorn.clock.advance(1000);
  expect(await change({ name: "New", description: null })).toEqual({
    ...made,
    name: "New",
    description: null,
    version: 2,
    updatedAt: "2026-03-01T09:00:01.000Z",
  });
  expect((await change({ triggerConfig: { eventName: "login" } })).triggerConfig).toEqual({ eventName: "login" });
  expect((await change({ eventName: "logout" })).steps[0].config).toEqual({ eventName: "logout" });
  expect(await change({ triggerType: "MANUAL" })).toMatchObject({ triggerType: "MANUAL", triggerConfig: {} });
  const trigger = `PATCH /workflows/${made.id}/steps/${made.steps[0].id}`;
  await change({ eventName: "a" });
  expect((await ask(posthorn, trigger, { body: { config: { eventName: "b" } } })).body.config).toEqual({
    eventName: "b",
  });
  expect((await ask(posthorn, `GET /workflows/${made.id}`)).body.triggerConfig).toEqual({ eventName: "b" });
});

test("there is one trigger, and it stays", async () => {
  await using posthorn = await workspace();
  const { id, steps } = await workflow(posthorn, {});
  const second = await ask(posthorn, `POST /workflows/${id}/steps`, {
    body: { type: "TRIGGER", name: "T", config: {} },
  });
  expect([second.status, second.body.error.errors[0].field]).toEqual([422, "type"]);
  const gone = await ask(posthorn, `DELETE /workflows/${id}/steps/${steps[0].id}`);
  expect([gone.status, gone.body.error.code]).toEqual([400, "WORKFLOW_STATE"]);
});

test("a template that a step sends cannot be deleted, until the step is gone", async () => {
  await using posthorn = await workspace();
  const { id: templateId } = (await ask(posthorn, "POST /templates", { body: template })).body;
  const { id, steps } = await workflow(posthorn, { steps: [{ type: "SEND_EMAIL", name: "Mail", templateId }] });
  expect(steps[1]).toMatchObject({ templateId, template: { id: templateId, name: "Welcome" }, config: { templateId } });
  const refusal = await ask(posthorn, `DELETE /templates/${templateId}`);
  expect([refusal.status, refusal.body.error.code]).toEqual([409, "CONFLICT"]);
  expect((await ask(posthorn, `DELETE /workflows/${id}`)).status).toBe(204);
  expect((await ask(posthorn, `DELETE /templates/${templateId}`)).status).toBe(204);
});

test("a workflow whose mail has no sender is not enabled", async () => {
  await using posthorn = await workspace();
  const { id: templateId } = (await ask(posthorn, "POST /templates", { body: { ...template, from: null } })).body;
  const { id } = await workflow(posthorn, { steps: [{ type: "SEND_EMAIL", name: "Mail", config: { templateId } }] });
  const { status, body } = await ask(posthorn, `PATCH /workflows/${id}`, { body: { enabled: true } });
  expect([status, body.error.errors[0].field]).toEqual([422, "steps.1.config.templateId"]);
});

test("a copy has the same steps under ids of its own, and is disabled", async () => {
  await using posthorn = await workspace();
  const made = await workflow(posthorn, { enabled: true, allowReentry: true, steps: [ifPro, waits, hook] });
  const { status, body } = await ask(posthorn, `POST /workflows/${made.id}/duplicate`);
  expect([status, body.name, body.enabled, body.allowReentry]).toEqual([201, "W (Copy)", false, true]);
  expect(shape(body)).toEqual(shape(made));
  expect(body.steps.map((step: Json) => step.config)).toEqual(made.steps.map((step: Json) => step.config));
  const ids = new Set([...made.steps, ...body.steps].map((step: Json) => step.id));
  expect(ids.size).toBe(8);
});

test("the list shows the newest first, by page, and searches names and descriptions", async () => {
  await using posthorn = await workspace();
  for (const n of [1, 2, 3, 4, 5]) await workflow(posthorn, { name: `W${n}`, description: n === 2 ? "Odd one" : null });
  const list = async (query: string) => {
    const { body } = await ask(posthorn, `GET /workflows?${query}`);
    return [body.data.map((one: Json) => one.name).join(), body.total, body.page, body.pageSize, body.totalPages];
  };
  expect(await list("")).toEqual(["W5,W4,W3,W2,W1", 5, 1, 20, 1]);
  expect(await list("page=2&pageSize=2")).toEqual(["W3,W2", 5, 2, 2, 3]);
  expect(await list("search=w4")).toEqual(["W4", 1, 1, 20, 1]);
  expect(await list("search=odd")).toEqual(["W2", 1, 1, 20, 1]);
  await workflow(posthorn, { name: "Größe", description: "ÜBER" });
  expect(await list(`search=${encodeURIComponent("GRÖSSE")}`)).toEqual(["Größe", 1, 1, 20, 1]);
  expect(await list(`search=${encodeURIComponent("über")}`)).toEqual(["Größe", 1, 1, 20, 1]);
  expect(await list("search=%25")).toEqual(["", 0, 1, 20, 0]);
  expect((await list("status=active")).slice(0, 2)).toEqual(["", 0]);
  const [{ id }] = (await ask(posthorn, "GET /workflows?search=w4")).body.data;
  await ask(posthorn, `PATCH /workflows/${id}`, { body: { enabled: true } });
  expect((await list("status=active")).slice(0, 2)).toEqual(["W4", 1]);
  expect((await list("status=inactive&search=w4")).slice(0, 2)).toEqual(["", 0]);
  expect((await ask(posthorn, "GET /workflows?status=odd")).status).toBe(400);
});

scenarios("workflows that are not there", [
  ...["GET /workflows/x", "PATCH /workflows/x", "DELETE /workflows/x", "POST /workflows/x/duplicate"].map(
    (request) => ({
      name: `are answered 404 at ${request}`,
      request,
      ...(request.startsWith("GET") ? {} : { body: {} }),
      status: 404,
      code: "WORKFLOW_NOT_FOUND" as const,
    }),
  ),
  {
    name: "are deleted once",
    given: [["POST /workflows", { name: "W", eventName: "e", steps: [delay] }], ["DELETE /workflows/$0.id"]],
    request: "GET /workflows/$0.id",
    status: 404,
    code: "WORKFLOW_NOT_FOUND",
  },
]);

test("a key that is scoped to domains looks at workflows and starts them by events, but changes and starts none itself (slow)", async () => {
  await using posthorn = await workspace();
  const key = { bearer: (await addKeys(posthorn, { domains: ["other.example"] })).secret };
  const { id: templateId } = (await ask(posthorn, "POST /templates", { body: template })).body;
  const mail = { type: "SEND_EMAIL", name: "Mail", config: { templateId, to: "ada@example.com" } };
  const input = { name: "Welcome", eventName: "signup", enabled: true, steps: [mail] };
  const { id, steps, transitions } = (await ask(posthorn, "POST /workflows", { body: input })).body;
  const contactId = (await ask(posthorn, "POST /contacts", { body: { email: "grace@example.com" } })).body.id;
  const refused: readonly [route: string, body?: object][] = [
    ["POST /workflows", input],
    [`PATCH /workflows/${id}`, { enabled: false }],
    [`DELETE /workflows/${id}`],
    [`POST /workflows/${id}/duplicate`],
    [`POST /workflows/${id}/steps`, mail],
    [`PATCH /workflows/${id}/steps/${steps[1].id}`, { name: "Other" }],
    [`DELETE /workflows/${id}/steps/${steps[1].id}`],
    [`POST /workflows/${id}/transitions`, { fromStepId: steps[0].id, toStepId: steps[1].id }],
    [`DELETE /workflows/${id}/transitions/${transitions[0].id}`],
    [`POST /workflows/${id}/executions`, { contactId }],
    [`POST /workflows/${id}/executions/cancel-all`],
    [`DELETE /workflows/${id}/executions/${contactId}`],
    [`POST /workflows/${id}/executions/${contactId}/steps/${steps[1].id}/retry`],
  ];
  for (const [route, body] of refused) {
    const reply = await ask(posthorn, route, { key, ...(body ? { body } : {}) });
    expect([route, reply.status, reply.body.error?.code]).toEqual([route, 403, "FORBIDDEN"]);
  }
  const event = { email: "grace@example.com", event: "signup" };
  expect((await ask(posthorn, "POST /v1/track", { key, body: event })).status).toBe(200);
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(1);
  for (const route of [`GET /workflows`, `GET /workflows/${id}`, `GET /workflows/${id}/executions`])
    expect((await ask(posthorn, route, { key })).status).toBe(200);
  expect((await ask(posthorn, `POST /workflows/${id}/simulate`, { key, body: { contactId } })).status).toBe(200);
});

test("a workspace has at most a thousand workflows, and is told what to do about it", async () => {
  await using posthorn = await workspace();
  expect((await ask(posthorn, "POST /workflows", { body: { name: "One", eventName: "signup" } })).status).toBe(201);
  await posthorn.store.write(async (tx) => {
    for (let n = 1; n < 1_000; n++) {
      await tx.run`
        insert into workflows (id, workspace, name, search_text, enabled, trigger_type, trigger_config, reentry, created_at, updated_at)
        select ${`copy-${n}`}, workspace, name, search_text, 0, trigger_type, trigger_config, reentry, created_at, updated_at
        from workflows order by seq limit 1`;
    }
  });
  const { status, body } = await ask(posthorn, "POST /workflows", { body: { name: "More", eventName: "signup" } });
  expect([status, body.error.code, body.error.suggestion]).toEqual([
    409,
    "CONFLICT",
    "Delete a workflow that is no longer used: DELETE /workflows/{id}.",
  ]);
});
