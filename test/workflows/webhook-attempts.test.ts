// GET /webhooks/attempts: the latest first, page by page, with all that a person needs to find the cause.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkflow, track } from "../support/workflows.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { EXAMPLE_CALL } from "../../web/settings/webhooks/example-call.ts";
import { workspace } from "../support/workspace.ts";

let posthorn: Posthorn;
let workflow: Json;
const host = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: ({ url }) =>
    new Response(`said ${new URL(url).pathname}`, {
      status: url.endsWith("/bad") ? 422 : url.endsWith("/busy") ? 503 : 200,
    }),
});

beforeAll(async () => {
  posthorn = await workspace({ config: { webhooks: { allow: ["127.0.0.1"], timeoutSeconds: 20 } } });
  const hook = (name: string) => ({ type: "WEBHOOK", name, config: { url: `http://127.0.0.1:${host.port}/${name}` } });
  workflow = await addWorkflow(posthorn, [
    hook("good"),
    hook("bad"),
    hook("busy"),
    { type: "EXIT", name: "End", config: {} },
  ]);
  await track(posthorn, "signup");
  await posthorn.settle();
  posthorn.clock.advance(MINUTE_MS);
  await posthorn.settle();
});
afterAll(async () => {
  await posthorn[Symbol.asyncDispose]();
  await host.stop(true);
});

async function attempts(query = ""): Promise<Json> {
  return (await posthorn.call(`GET /webhooks/attempts${query}`)).body;
}

test("each attempt has its workflow, step, place, answer and next try", async () => {
  const { attempts: all, cursor, hasMore } = await attempts();
  expect([cursor, hasMore]).toEqual([null, false]);
  const told = all.map(({ stepName, number, outcome, status, reply, state }: Json) => [
    stepName,
    number,
    outcome,
    status,
    reply,
    state,
  ]);
  expect(told).toEqual([
    ["busy", 2, "later", 503, "said /busy", "DUE"],
    ["busy", 1, "later", 503, "said /busy", "DUE"],
    ["bad", 1, "failed", 422, "said /bad", "FAILED"],
    ["good", 1, "delivered", 200, "said /good", "DELIVERED"],
  ]);
  const [latest] = all;
  expect(latest).toMatchObject({
    workflowId: workflow.id,
    workflowName: "Flow",
    host: `127.0.0.1:${host.port}`,
    at: "2026-03-01T09:01:00.000Z",
  });
  expect(Date.parse(latest.nextAt)).toBeGreaterThan(posthorn.clock.nowMs());
  const execution = await posthorn.call(`GET /workflows/${workflow.id}/executions/${latest.executionId}`);
  expect([execution.status, execution.body.contactId]).toEqual([200, latest.contactId]);
});

test("pages follow each other without a gap, whatever is added meanwhile", async () => {
  const whole = (await attempts()).attempts;
  const seen: Json[] = [];
  let query = "?limit=1";
  for (let page = 0; page < whole.length; page++) {
    const { attempts: some, cursor, hasMore } = await attempts(query);
    seen.push(...some);
    expect(hasMore).toBe(page < whole.length - 1);
    query = `?limit=1&cursor=${cursor}`;
  }
  expect(seen).toEqual(whole);
});

test("those with which a webhook was given up can be listed alone", async () => {
  const { attempts: failed } = await attempts("?outcome=failed");
  expect(failed.map(({ stepName, outcome }: Json) => [stepName, outcome])).toEqual([["bad", "failed"]]);
});

test("those that a mail has caused can be listed, for its own workspace alone", async () => {
  await addWorkflow(
    posthorn,
    [
      { type: "WEBHOOK", name: "told", config: { url: `http://127.0.0.1:${host.port}/good` } },
      { type: "EXIT", name: "End", config: {} },
    ],
    { name: "After a mail", eventName: "email.sent", allowReentry: true },
  );
  const send = async (): Promise<string> => {
    const { body } = await posthorn.call("POST /v1/send", { ...letter, to: "mailed@example.com" });
    await posthorn.settle();
    return body.data.emails[0].email;
  };
  const [first, second] = [await send(), await send()];
  const told = await attempts(`?emailId=${first}`);
  expect(told).toMatchObject({ attempts: [{ workflowName: "After a mail", outcome: "delivered" }], hasMore: false });
  const [{ webhookId }] = (await attempts(`?emailId=${second}&limit=1`)).attempts;
  expect(webhookId).not.toBe(told.attempts[0].webhookId);
  expect((await attempts(`?emailId=${first}&outcome=failed`)).attempts).toEqual([]);
  const { secret } = await addWorkspace(posthorn, { name: "curious", domain: "curious.test" });
  const theirs = await ask(posthorn, `GET /webhooks/attempts?emailId=${first}`, { key: { bearer: secret } });
  expect([theirs.status, theirs.body.error.code]).toEqual([404, "EMAIL_NOT_FOUND"]);
});

test("cursors of other lists and other outcomes are refused", async () => {
  for (const query of ["cursor=WyJlbWFpbHMiLDFd", "cursor=x", "outcome=later", "limit=101"])
    expect((await ask(posthorn, `GET /webhooks/attempts?${query}`)).body.error.code).toBe("INVALID_PARAMETERS");
});

test("another workspace has none", async () => {
  const keys = await addWorkspace(posthorn, { name: "other", domain: "elsewhere.test" });
  expect((await ask(posthorn, "GET /webhooks/attempts", { key: { bearer: keys.secret } })).body.attempts).toEqual([]);
});

test("the call that the page copies where there is none yet makes one that is listed", async () => {
  const lookUp = () => Promise.reject(new Error("No test calls out."));
  await using own = await startPosthorn({ lookUp });
  const { method, path, body } = EXAMPLE_CALL;
  const made = await ask(own, `${method} ${path}`, { body });
  expect([made.status, made.body.enabled]).toEqual([201, true]);
  await track(own, body.eventName);
  await own.settle();
  const [attempt] = (await own.call("GET /webhooks/attempts")).body.attempts;
  expect([attempt.stepName, attempt.host]).toEqual([body.steps[0].name, new URL(body.steps[0].config.url).host]);
});
