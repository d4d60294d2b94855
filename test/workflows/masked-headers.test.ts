// Headers of webhooks hold credentials: who may not change workflows sees a mask, wherever a step is shown.
import { expect, test } from "bun:test";
import { somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addKeys } from "../support/workspaces.ts";
import { addWorkflow, track } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

const MASK = "••••••••";
const SECRET = "Bearer s3cr3t-of-the-shop";
const headers = { Authorization: SECRET, "X-Plan": "{{ event.plan }}" };
const config = { url: "https://shop.example.com/hooks", method: "POST", headers };
const hook = { type: "WEBHOOK", name: "Hook", config };

/** A workflow on which somebody has started, and what a caller with these rights can ask of it. */
async function built(
  posthorn: Posthorn,
): Promise<{ workflow: Json; step: Json; reads: readonly string[]; contactId: string }> {
  const workflow = await addWorkflow(posthorn, [hook]);
  const contactId = await track(posthorn, "signup", { plan: "pro" });
  await posthorn.settle();
  const [execution] = (await ask(posthorn, `GET /workflows/${workflow.id}/executions`)).body.data;
  const { versions } = (await ask(posthorn, `GET /workflows/${workflow.id}/versions`)).body;
  const reads = [
    `GET /workflows/${workflow.id}`,
    `GET /workflows/${workflow.id}/versions/${versions[0].version}`,
    `GET /workflows/${workflow.id}/executions/${execution.id}`,
    "GET /webhooks/attempts",
    "GET /workflows",
  ];
  return { workflow, step: workflow.steps.find(({ type }: Json) => type === "WEBHOOK"), reads, contactId };
}

test("people who may not change workflows, scoped keys, and keys that only read see masks in place of header values (slow)", async () => {
  await using posthorn = await workspace();
  const { workflow, step, reads, contactId } = await built(posthorn);
  const { secret } = await addKeys(posthorn, { domains: ["example.test"] });
  const { secret: reading } = await addKeys(posthorn, { permissions: "read" });
  const support = await somebody(posthorn, "SUPPORT");
  const callers = [
    (route: string, body?: object) => ask(posthorn, route, { key: { bearer: secret }, ...(body ? { body } : {}) }),
    (route: string, body?: object) => support.ask(route, body ? { body } : {}),
    (route: string, body?: object) => ask(posthorn, route, { key: { bearer: reading }, ...(body ? { body } : {}) }),
  ];
  for (const call of callers) {
    for (const route of reads) {
      const { status, body } = await call(route);
      expect([route, status, JSON.stringify(body).includes("s3cr3t")]).toEqual([route, 200, false]);
    }
    const shown = (await call(`GET /workflows/${workflow.id}`)).body.steps.find(({ id }: Json) => id === step.id);
    expect(shown.config).toEqual({ ...config, headers: { Authorization: MASK, "X-Plan": MASK } });
    // Also of what is drawn with the masks that they were shown, and of a reference to the stored value.
    const drawn = { ref: step.id, type: "WEBHOOK", name: "Hook", config: shown.config };
    const transitions = [{ fromStepId: "trigger", toStepId: step.id }];
    for (const draft of [{}, { steps: [drawn], transitions }]) {
      const { status, body } = await call(`POST /workflows/${workflow.id}/simulate`, {
        ...{ contactId, event: { plan: "pro" } },
        ...draft,
      });
      expect(status).toBe(200);
      expect(body.steps.at(-1).output.request.headers).toEqual({ Authorization: MASK, "X-Plan": MASK });
    }
    const checked = await call(`POST /workflows/${workflow.id}/check`, { steps: [drawn], transitions });
    expect([checked.status, checked.body.faults]).toEqual([200, []]);
  }
});

test("who may change workflows sees the values", async () => {
  await using posthorn = await workspace();
  const { workflow, step, contactId } = await built(posthorn);
  const developer = await somebody(posthorn, "DEVELOPER");
  for (const call of [(route: string) => ask(posthorn, route), (route: string) => developer.ask(route)]) {
    const { steps } = (await call(`GET /workflows/${workflow.id}`)).body;
    expect(steps.find(({ id }: Json) => id === step.id).config).toEqual(config);
  }
  const body = { contactId, event: { plan: "pro" } };
  const { steps } = (await ask(posthorn, `POST /workflows/${workflow.id}/simulate`, { body })).body;
  expect(steps.at(-1).output.request.headers).toEqual({ Authorization: SECRET, "X-Plan": "pro" });
});

test("a mask that is saved keeps the value that is stored, and a mask of nothing is refused", async () => {
  await using posthorn = await workspace();
  const { workflow, step } = await built(posthorn);
  const stored = async (): Promise<Json> => {
    const { steps } = (await ask(posthorn, `GET /workflows/${workflow.id}`)).body;
    return steps.find(({ type }: Json) => type === "WEBHOOK").config;
  };
  const masked = {
    ...config,
    url: "https://shop.example.com/new",
    headers: { Authorization: MASK, "X-Plan": "basic" },
  };
  const changed = await ask(posthorn, `PATCH /workflows/${workflow.id}/steps/${step.id}`, { body: { config: masked } });
  expect([changed.status, changed.body.config]).toEqual([
    200,
    { ...masked, headers: { Authorization: SECRET, "X-Plan": "basic" } },
  ]);
  const drawn = {
    steps: [{ ref: step.id, type: "WEBHOOK", name: "Hook", config: { ...masked, headers: { Authorization: MASK } } }],
    transitions: [{ fromStepId: "trigger", toStepId: step.id }],
  };
  expect((await ask(posthorn, `PUT /workflows/${workflow.id}`, { body: drawn })).status).toBe(200);
  expect((await stored()).headers).toEqual({ Authorization: SECRET });
  const copy = (await ask(posthorn, `POST /workflows/${workflow.id}/duplicate`)).body;
  expect(copy.steps.find(({ type }: Json) => type === "WEBHOOK").config.headers).toEqual({ Authorization: SECRET });
  const renamed = { config: { ...masked, headers: { "X-Key": MASK } } };
  const refusals = [
    await ask(posthorn, `PATCH /workflows/${workflow.id}/steps/${step.id}`, { body: renamed }),
    await ask(posthorn, `POST /workflows/${workflow.id}/steps`, { body: { ...hook, config: masked } }),
    await ask(posthorn, "POST /workflows", {
      body: { name: "W", eventName: "x", steps: [{ ...hook, config: masked }] },
    }),
  ];
  expect(refusals.map(({ status, body }) => [status, body.error.errors[0].field, body.error.errors[0].code])).toEqual([
    [422, "config.headers.X-Key", "invalid_header"],
    [422, "config.headers.Authorization", "invalid_header"],
    [422, "steps.0.config.headers.Authorization", "invalid_header"],
  ]);
  expect((await stored()).headers).toEqual({ Authorization: SECRET });
});
