// How many people are at each step of a workflow, who they are, and what failed for them sent again.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkflow, DAY, HOUR, track } from "../support/workflows.ts";
import { addWorkspace } from "../support/workspaces.ts";

let posthorn: Posthorn;
let workflow: Json;
let answer = 422;
const host = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("said", { status: answer }) });

const steps = [
  { ref: "if", type: "CONDITION", name: "Pro?", config: { field: "event.plan", operator: "equals", value: "pro" } },
  { ref: "wait", type: "WAIT_FOR_EVENT", name: "Paid?", config: { eventName: "paid", timeout: 3600 } },
  { ref: "hook", type: "WEBHOOK", name: "Tell", config: { url: `http://127.0.0.1:${host.port}/x` } },
  {
    ref: "strict",
    type: "WEBHOOK",
    name: "Must",
    config: { url: `http://127.0.0.1:${host.port}/x`, onFailure: "stop" },
  },
  { ref: "end", type: "EXIT", name: "Done", config: {} },
];
const transitions = [
  { fromStepId: "trigger", toStepId: "if" },
  { fromStepId: "if", toStepId: "hook", condition: { branch: "yes" } },
  { fromStepId: "if", toStepId: "wait", condition: { branch: "no" } },
  { fromStepId: "wait", toStepId: "end", condition: { branch: "event" } },
  { fromStepId: "hook", toStepId: "strict" },
];

/** Two pro, whose webhooks are refused; five others, of whom one pays, one is late and one is cancelled. */
beforeAll(async () => {
  posthorn = await startPosthorn({ config: { webhooks: { allow: ["127.0.0.1"], timeoutSeconds: 20 } } });
  workflow = await addWorkflow(posthorn, steps, { transitions });
  for (const name of ["a", "b"]) await track(posthorn, "signup", { plan: "pro" }, `${name}@pro.test`);
  await track(posthorn, "signup", {}, "late@free.test");
  await posthorn.settle();
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  for (const name of ["paid", "gone", "here", "there"]) await track(posthorn, "signup", {}, `${name}@free.test`);
  await posthorn.settle();
  await track(posthorn, "paid", {}, "paid@free.test");
  await posthorn.settle();
  const { body } = await ask(posthorn, `GET /workflows/${workflow.id}/executions?status=WAITING`);
  const gone = body.data.find(({ contact }: Json) => contact.email === "gone@free.test");
  await ask(posthorn, `DELETE /workflows/${workflow.id}/executions/${gone.id}`);
});
afterAll(async () => {
  await posthorn[Symbol.asyncDispose]();
  await host.stop(true);
});

const counts = async (): Promise<Json> => (await ask(posthorn, `GET /workflows/${workflow.id}/counts`)).body;
const stepId = (name: string): string => workflow.steps.find((step: Json) => step.name === name).id;

async function people(query: string): Promise<string[]> {
  const { body } = await ask(posthorn, `GET /workflows/${workflow.id}/executions?limit=100&${query}`);
  return body.data.map(({ contact }: Json) => contact.email.split("@")[0]);
}

test("each step and each way has its numbers, and they add up", async () => {
  const { executions, steps: counted, transitions: ways, isLowerBound } = await counts();
  expect(isLowerBound).toBe(false);
  expect(executions).toEqual({ started: 7, inside: 2, ended: 2, failed: 2, cancelled: 1 });
  const told = Object.fromEntries(
    counted.map(({ stepId: id, branches, reached, here, passed, skipped, failed, stopped, cancelled }: Json) => {
      expect(reached).toBe(here + passed + stopped + cancelled);
      const { name } = workflow.steps.find((step: Json) => step.id === id);
      const byBranch = branches.map(({ branch, passed: some }: Json) => `${branch} ${some}`);
      return [name, [reached, here, passed, skipped, failed, stopped, cancelled, ...byBranch].join(" ")];
    }),
  );
  expect(told).toEqual({
    Trigger: "7 0 7 0 0 0 0",
    "Pro?": "7 0 7 0 0 0 0 yes 2 no 5",
    "Paid?": "5 2 2 0 0 0 1 event 1 timeout 1",
    Tell: "2 0 2 0 2 0 0",
    Must: "2 0 0 0 2 2 0",
    Done: "1 0 1 0 0 0 0",
  });
  const byPlace = ways.map(({ transitionId, passed }: Json) => {
    const one = workflow.transitions.find(({ id }: Json) => id === transitionId);
    return [workflow.steps.find(({ id }: Json) => id === one.toStepId).name, passed];
  });
  expect(byPlace).toEqual([
    ["Pro?", 7],
    ["Tell", 2],
    ["Paid?", 5],
    ["Done", 1],
    ["Must", 2],
  ]);
});

test("each number is a list of people", async () => {
  const { executions, steps: counted } = await counts();
  for (const [state, count] of Object.entries(executions))
    expect([state, await people(`state=${state}`)]).toEqual([state, expect.objectContaining({ length: count })]);
  expect(await people("state=ended")).toEqual(["paid", "late"]);
  for (const { stepId: id, branches, mails: _, ...numbers } of counted) {
    for (const [state, count] of Object.entries(numbers))
      expect([state, await people(`stepId=${id}&state=${state}`)]).toEqual([
        state,
        expect.objectContaining({ length: count }),
      ]);
    for (const { branch, passed } of branches)
      expect(await people(`stepId=${id}&branch=${branch}`)).toHaveLength(passed);
  }
  expect(await people(`stepId=${stepId("Paid?")}&state=here`)).toEqual(["there", "here"]);
  expect(await people(`stepId=${stepId("Paid?")}&branch=timeout`)).toEqual(["late"]);
});

test("those of one person are found, in a workflow and at a step", async () => {
  const { body } = await ask(posthorn, "GET /contacts?search=late@");
  const [{ id }] = body.data;
  expect(await people(`contactId=${id}`)).toEqual(["late"]);
  expect(await people(`contactId=${id}&stepId=${stepId("Paid?")}&state=passed`)).toEqual(["late"]);
  expect(await people(`contactId=${id}&stepId=${stepId("Tell")}`)).toEqual([]);
  expect(await people(`contactId=${id}&status=FAILED`)).toEqual([]);
  expect(await people(`contactId=${id}&state=ended`)).toEqual(["late"]);
});

test("pages of a number follow each other without a gap", async () => {
  const seen: string[] = [];
  for (let cursor = ""; cursor !== "end";) {
    const route = `GET /workflows/${workflow.id}/executions?stepId=${stepId("Pro?")}&limit=2${cursor}`;
    const { data, executions, cursor: next, hasMore } = (await ask(posthorn, route)).body;
    expect([executions, hasMore]).toEqual([data, next !== null]);
    seen.push(...data.map(({ contact }: Json) => contact.email));
    cursor = next === null ? "end" : `&cursor=${next}`;
  }
  expect(new Set(seen).size).toBe(7);
  const first = (await ask(posthorn, `GET /workflows/${workflow.id}/executions?state=started&limit=4`)).body;
  const rest = (
    await ask(posthorn, `GET /workflows/${workflow.id}/executions?state=started&limit=4&cursor=${first.cursor}`)
  ).body;
  expect([...first.data, ...rest.data].map(({ contact }: Json) => contact.email)).toEqual(seen);
});

test.each([
  "stepId=x&page=2",
  "state=here",
  "stepId=x&state=ended",
  "state=ended&status=FAILED",
  "branch=yes",
  `stepId=x&status=FAILED`,
  "cursor=WyJlbWFpbHMiLDFd",
])("%s is refused", async (query) => {
  const { status, body } = await ask(posthorn, `GET /workflows/${workflow.id}/executions?${query}`);
  expect([status, body.error.code]).toEqual([400, "INVALID_PARAMETERS"]);
});

test("a list of workflows has the sums of each", async () => {
  const { id } = await addWorkflow(posthorn, [], { name: "Empty", eventName: "nothing" });
  const { body } = await ask(posthorn, `GET /workflows/counts?ids=${workflow.id},${id},unknown`);
  expect(body.workflows.toSorted((one: Json, other: Json) => one.started - other.started)).toEqual([
    { workflowId: id, started: 0, inside: 0, ended: 0, failed: 0, cancelled: 0, isLowerBound: false },
    { workflowId: workflow.id, ...(await counts()).executions, isLowerBound: false },
  ]);
});

test("attempts at webhooks are listed by workflow and by step", async () => {
  const attempts = async (query: string): Promise<Json[]> =>
    (await ask(posthorn, `GET /webhooks/attempts?${query}`)).body.attempts;
  expect(await attempts(`workflowId=${workflow.id}`)).toHaveLength(4);
  const atStep = await attempts(`stepId=${stepId("Tell")}&outcome=failed`);
  expect(atStep.map(({ stepName }) => stepName)).toEqual(["Tell", "Tell"]);
  expect(await attempts("workflowId=unknown")).toEqual([]);
});

test("strangers see no numbers and no people, and send nothing again", async () => {
  const { secret } = await addWorkspace(posthorn, { name: "curious", domain: "curious.test" });
  const key = { bearer: secret };
  const own = (await ask(posthorn, "POST /workflows", { key, body: { name: "Own", eventName: "signup" } })).body;
  const at = stepId("Tell");
  for (const [route, code] of [
    [`GET /workflows/${workflow.id}/counts`, "WORKFLOW_NOT_FOUND"],
    [`GET /workflows/${own.id}/executions?stepId=${at}`, "STEP_NOT_FOUND"],
    [`POST /workflows/${own.id}/steps/${at}/retry`, "STEP_NOT_FOUND"],
  ] as const)
    expect((await ask(posthorn, route, { key })).body.error.code).toBe(code);
  const { body } = await ask(posthorn, `GET /workflows/counts?ids=${workflow.id}`, { key });
  expect(body.workflows).toEqual([]);
  expect((await ask(posthorn, `GET /webhooks/attempts?stepId=${at}`, { key })).body.attempts).toEqual([]);
});

test("all webhooks of a step that were given up are sent again", async () => {
  answer = 200;
  const before = await counts();
  const retry = async (name: string) => ask(posthorn, `POST /workflows/${workflow.id}/steps/${stepId(name)}/retry`);
  expect((await retry("Tell")).body).toEqual({ retried: 2, hasMore: false });
  await posthorn.settle();
  expect((await retry("Tell")).body).toEqual({ retried: 0, hasMore: false });
  const tell = (await counts()).steps.find((step: Json) => step.stepId === stepId("Tell"));
  expect(tell).toMatchObject({ failed: 0, passed: 2 });
  expect((await counts()).executions).toEqual(before.executions);
  expect((await retry("Must")).body.retried).toBe(2);
  await posthorn.settle();
  const must = (await counts()).steps.find((step: Json) => step.stepId === stepId("Must"));
  expect(must).toMatchObject({ reached: 2, failed: 0, passed: 0, stopped: 2 });
  expect((await retry("Done")).body.error.code).toBe("WORKFLOW_STATE");
});

test("people whose trace is forgotten are counted nowhere any more", async () => {
  posthorn.clock.advance(91 * DAY);
  await posthorn.settle();
  const { executions, steps: counted } = await counts();
  const reached = counted.map((step: Json) => step.reached);
  expect([executions.started, Math.max(...reached)]).toEqual([2, 2]);
  expect(await people("state=started")).toHaveLength(2);
});
