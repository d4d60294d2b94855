// The WEBHOOK step against a receiver over HTTP: what is sent, how often, how it is signed, and where it may not go.
import { Renderer } from "../../src/content/rendering/renderer.ts";
import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { createLog } from "../../src/base/log.ts";
import type { Store } from "../../src/store/store.ts";
import { afterWebhook } from "../../src/programs/workflows/execution/retry/webhook-step.ts";
import { WebhookLoop } from "../../src/programs/webhooks/sending/loop.ts";
import { dueCallsAt, originsDue } from "../../src/programs/webhooks/sending/queries.ts";
import { release } from "../../src/programs/webhooks/sending/step-queries.ts";
import { stepSender } from "../../src/programs/workflows/webhook/sender.ts";
import { startPosthorn, type Json, type Posthorn, type StartOptions } from "../support/posthorn.ts";
import { Receiver, type Received } from "../support/receiver.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { addWorkflow, DAY, execution, executions, HOUR, MINUTE, path, track } from "../support/workflows.ts";

function sendersOf(store: Store, renderer: Renderer) {
  const steps = stepSender({ store, renderer, onSettled: afterWebhook });
  return { steps, endpoints: steps };
}

const receivers: Receiver[] = [];
afterEach(() => receivers.splice(0).forEach((one) => one.stop()));

function receiver(tls?: { cert: string; key: string }): Receiver {
  const one = new Receiver(tls);
  receivers.push(one);
  return one;
}

/** Receivers live on loopback, which has to be opened. */
function open(options: StartOptions = {}): Promise<Posthorn> {
  return startPosthorn({ config: { webhooks: { allow: ["127.0.0.1"], timeoutSeconds: 20 } }, ...options });
}

/** For what never answers. */
const IMPATIENT: StartOptions = { config: { webhooks: { allow: ["127.0.0.1"], timeoutSeconds: 1 } } };

const hook = (config: object) => ({ type: "WEBHOOK", name: "Hook", config });
const end = { type: "EXIT", name: "End", config: {} };

test("the default payload is sent by POST, signed by Standard Webhooks", async () => {
  const { url, received } = receiver();
  await using posthorn = await open();
  const workflow = await addWorkflow(posthorn, [
    hook({ url: `${url}/hooks?a=1`, headers: { Authorization: "Bearer x" } }),
    end,
  ]);
  const contactId = await track(posthorn, "signup", { name: "Ada", id: 17, plan: { value: "pro", persistent: false } });
  await posthorn.settle();
  const one = await execution(posthorn, workflow);
  const [request, ...others] = received as [Received];
  expect([others.length, request.method, request.url.pathname + request.url.search]).toEqual([0, "POST", "/hooks?a=1"]);
  expect(JSON.parse(request.body)).toEqual({
    contact: { id: contactId, email: "ada@example.com", subscribed: true, data: { name: "Ada" } },
    workflow: { id: workflow.id, name: "Flow" },
    execution: { id: one.id, startedAt: one.startedAt },
    // The data alone: what else is known of the event stands beside it.
    event: { name: "Ada", id: 17, plan: "pro" },
    eventName: "signup",
    eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    eventAt: "2026-03-01T09:00:00.000Z",
  });
  expect(request.headers.get("content-type")).toBe("application/json");
  expect(request.headers.get("authorization")).toBe("Bearer x");
  const { webhookSecret } = (await ask(posthorn, "GET /workspace")).body;
  const headers = Object.fromEntries(request.headers);
  // The test's clock stands still, elsewhere in time: the library's own check of the age would refuse.
  const signed = new Webhook(webhookSecret).sign(headers["webhook-id"] ?? "", posthornNow(posthorn), request.body);
  expect(headers["webhook-signature"]).toBe(signed);
  expect(headers["webhook-timestamp"]).toBe(String(posthornNow(posthorn).getTime() / 1000));
  expect(one.steps[1]).toMatchObject({
    id: headers["webhook-id"],
    status: "COMPLETED",
    output: { success: true, statusCode: 200, response: "thanks", attempts: 1 },
    attempts: [{ number: 1, outcome: "delivered", status: 200, answer: "thanks", durationMs: 0 }],
  });
  expect([one.status, path(one)]).toEqual(["EXITED", ["Trigger COMPLETED", "Hook COMPLETED", "End COMPLETED"]]);
});

const posthornNow = (posthorn: Posthorn) => new Date(posthorn.clock.nowMs());

test("a request of the real time is verified by the library", async () => {
  const { url, received } = receiver();
  const { TestClock } = await import("../support/clock.ts");
  await using posthorn = await open({
    config: { webhooks: { allow: ["127.0.0.1"] } },
    clock: new TestClock(new Date().toISOString()),
  });
  await addWorkflow(posthorn, [hook({ url })]);
  await track(posthorn, "signup");
  await posthorn.settle();
  const { webhookSecret } = (await ask(posthorn, "GET /workspace")).body;
  const [{ body, headers }] = received as [Received];
  const verified = new Webhook(webhookSecret).verify(body, Object.fromEntries(headers));
  expect(verified).toMatchObject({ contact: { email: "ada@example.com" } });
  expect(() => new Webhook(webhookSecret).verify(`${body} `, Object.fromEntries(headers))).toThrow();
});

test("the default payload says which event started the execution, and your own body sees its data alone", async () => {
  const { url, received } = receiver();
  await using posthorn = await open();
  const workflow = await addWorkflow(posthorn, [hook({ url }), hook({ url, body: { event: "{{ event }}" } })]);
  await track(posthorn, "signup", { plan: "pro" });
  await posthorn.settle();
  const [own] = (await ask(posthorn, "GET /events?eventName=signup")).body.events;
  const [{ event: first, ...beside }, { event: second }] = received.map(({ body }) => JSON.parse(body));
  expect([first, beside]).toEqual([
    { plan: "pro" },
    expect.objectContaining({ eventName: "signup", eventId: own.id, eventAt: own.createdAt }),
  ]);
  expect(second).toEqual({ plan: "pro" });
  const contactId = await track(posthorn, "x", {}, "bob@example.com");
  await ask(posthorn, `POST /workflows/${workflow.id}/executions`, { body: { contactId, context: { by: "hand" } } });
  await posthorn.settle();
  const byHand = JSON.parse(received[2]?.body ?? "");
  expect([byHand.event, "eventName" in byHand, "eventId" in byHand]).toEqual([{ by: "hand" }, false, false]);
  await track(posthorn, "signup", {}, "cyd@example.com");
  await posthorn.settle();
  expect(JSON.parse(received[4]?.body ?? "")).toMatchObject({ event: {}, eventName: "signup" });
});

test("for a day after the secret was replaced, webhooks are signed with both", async () => {
  const { url, received } = receiver();
  await using posthorn = await open();
  await addWorkflow(posthorn, [hook({ url })], { reentry: "always" });
  const secret = async () => (await ask(posthorn, "GET /workspace")).body.webhookSecret;
  const rotate = (body = {}) => ask(posthorn, "POST /workspace/rotate-webhook-secret", { body });
  const signedWith = async () => {
    await track(posthorn, "signup");
    await posthorn.settle();
    const { headers, body } = received.at(-1) as Received;
    const by = (one: string) => new Webhook(one).sign(headers.get("webhook-id") ?? "", posthornNow(posthorn), body);
    return { said: headers.get("webhook-signature"), by };
  };
  const first = await secret();
  await rotate();
  const second = await secret();
  const both = await signedWith();
  expect(both.said).toBe(`${both.by(second)} ${both.by(first)}`);
  posthorn.clock.advance(DAY - 1);
  const still = await signedWith();
  expect(still.said).toBe(`${still.by(second)} ${still.by(first)}`);
  posthorn.clock.advance(1);
  const alone = await signedWith();
  expect(alone.said).toBe(alone.by(second));
  await rotate();
  const third = await secret();
  const refused = await rotate();
  expect([refused.status, refused.body.error.reason, await secret()]).toEqual([409, "overlap_runs", third]);
  expect((await rotate({ overlapHours: 0 })).status).toBe(200);
  const last = await signedWith();
  expect(last.said).toBe(last.by(await secret()));
});

test("in a JSON body a text that is one variable becomes its value, with its type", async () => {
  const { url, received } = receiver();
  await using posthorn = await open();
  const data = { total: 12.5, paid: true, items: [{ sku: "a" }], note: "7", address: { zip: "01067" } };
  const body = {
    ...{ total: "{{ event.total }}", paid: "{{ event.paid }}", items: "{{ event.items }}", note: "{{ event.note }}" },
    ...{ zip: " {{ event.address.zip }} ", twice: "{{ event.total | times: 2 }}", none: "{{ event.none }}" },
    ...{
      said: "{{ event.total }} EUR",
      who: "{{ contact.id }}",
      or: '{{ event.none ?? "none" }}',
      one: "{% if true %}1{% endif %}",
    },
  };
  await addWorkflow(posthorn, [
    hook({ url, body }),
    hook({ url, body: "{{ event.items }}" }),
    hook({ url, body: "{{ event.total }}", headers: { "Content-Type": "text/plain" } }),
    hook({ url, body: { n: "{{ event.total }}" }, headers: { "Content-Type": "application/vnd.shop+json" } }),
  ]);
  const contactId = await track(posthorn, "signup", data);
  await posthorn.settle();
  expect(JSON.parse(received[0]?.body ?? "")).toEqual({
    ...{ total: 12.5, paid: true, items: [{ sku: "a" }], note: "7", zip: "01067", twice: 25, none: null },
    ...{ said: "12.5 EUR", who: contactId, or: "none", one: "1" },
  });
  expect(received.slice(1).map((one) => one.body)).toEqual(['[{"sku":"a"}]', "12.5", '{"n":12.5}']);
});

test("texts in URL, headers and body are rendered, and cannot break out of their place", async () => {
  const { url, received } = receiver();
  await using posthorn = await open();
  await addWorkflow(posthorn, [
    hook({
      url: `${url}/u/{{ name }}/{{ data.dots }}/{{ plan | url_encode }}?q={{ email }}&x={{ data.none ?? "y z" }}`,
      method: "PUT",
      headers: { "X-Name": "{{ name }}" },
      body: {
        who: "{{ name }}",
        n: 7,
        list: ["{{ event.plan }}", null, true],
        none: "{{ x }}",
        about: "{{ workflow.name }}",
      },
    }),
  ]);
  await track(posthorn, "signup", { name: 'A"/../\r\nX: y', dots: "..", plan: "a&b" });
  await posthorn.settle();
  const [{ method, url: called, headers, body }] = received as [Received];
  expect(method).toBe("PUT");
  expect(called.pathname).toBe("/u/A%22%2F..%2F%0D%0AX%3A%20y//a%26b");
  expect(called.search).toBe("?q=ada%40example.com&x=y%20z");
  expect(headers.get("x-name")).toBe('A"/../ X: y');
  expect(JSON.parse(body)).toEqual({
    who: 'A"/../\r\nX: y',
    n: 7,
    list: ["a&b", null, true],
    none: null,
    about: "Flow",
  });
});

test("a text goes as it is where the body is not to be JSON, and as JSON elsewhere; a GET has none", async () => {
  const { url, received } = receiver();
  await using posthorn = await open();
  const form = {
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: "name={{ name | url_encode }}",
  };
  await addWorkflow(posthorn, [
    hook({ url, ...form }),
    hook({ url, body: "{{ name }}" }),
    hook({ url, body: null }),
    hook({ url, method: "GET" }),
  ]);
  await track(posthorn, "signup", { name: "A b" });
  await posthorn.settle();
  expect(received.map(({ method, body, headers }) => [method, body, headers.get("content-type")])).toEqual([
    ["POST", "name=A+b", "application/x-www-form-urlencoded"],
    ["POST", '"A b"', "application/json"],
    ["POST", "null", "application/json"],
    ["GET", "", null],
  ]);
});

/** Lets time go by until the next attempt is due, and looks how long that took. */
async function waits(posthorn: Posthorn, { received }: Receiver, most: number): Promise<number[]> {
  const gaps: number[] = [];
  let lastMs = posthorn.clock.nowMs();
  for (let count = received.length; gaps.length < most;) {
    const { resumes } = await nextCall(posthorn);
    if (resumes === null) break;
    posthorn.clock.advance(resumes - posthorn.clock.nowMs());
    await posthorn.settle();
    expect(received.length).toBe(++count);
    gaps.push((posthorn.clock.nowMs() - lastMs) / 1000);
    lastMs = posthorn.clock.nowMs();
  }
  return gaps;
}

async function nextCall({ store }: Posthorn): Promise<{ resumes: number | null }> {
  const row = await store.read(
    (reader) => reader.get<{ due_at: string }>`
    select due_at from webhook_deliveries where due_at is not null`,
  );
  return { resumes: row === null ? null : Date.parse(row.due_at) };
}

test("what fails for now is tried again by the schedule under the same id, then given up, and the workflow goes on", async () => {
  const there = receiver();
  there.answer = () => new Response("down", { status: 503 });
  await using posthorn = await open();
  const workflow = await addWorkflow(posthorn, [hook({ url: there.url }), end]);
  await track(posthorn, "signup");
  await posthorn.settle();
  expect(await execution(posthorn, workflow)).toMatchObject({ status: "WAITING", currentStep: { name: "Hook" } });
  expect(await waits(posthorn, there, 9)).toEqual([5, 30, 120, 600, 3600, 21600]);
  expect(new Set(there.received.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
  const stamps = there.received.map(({ headers }) => Number(headers.get("webhook-timestamp")));
  expect(new Set(stamps).size).toBe(7);
  const one = await execution(posthorn, workflow);
  expect([one.status, path(one)]).toEqual(["EXITED", ["Trigger COMPLETED", "Hook FAILED", "End COMPLETED"]]);
  expect(one.steps[1].output).toEqual({ success: false, statusCode: 503, response: "down", attempts: 7 });
  expect(one.steps[1].attempts.map(({ outcome }: Json) => outcome)).toEqual([...Array(6).fill("later"), "failed"]);
});

test("a webhook whose texts take too long to render fails at once and for good, and says so", async () => {
  const there = receiver();
  await using posthorn = await open();
  const busy = "{% for i in (1..900) %}{% for j in (1..900) %}{% endfor %}{% endfor %}";
  const workflow = await addWorkflow(posthorn, [hook({ url: there.url, body: { a: "b", c: [busy] } }), end]);
  await track(posthorn, "signup");
  await posthorn.settle();
  const { status, steps } = await execution(posthorn, workflow);
  const response = "Rendering takes more than 100 ms of processor time.";
  expect([status, there.received.length]).toEqual(["EXITED", 0]);
  expect(steps[1].output).toEqual({ success: false, statusCode: null, response, attempts: 1 });
});

test("loops and filters in the texts of a webhook are rendered", async () => {
  const { url, received } = receiver();
  await using posthorn = await open();
  const list = "{% for word in words %}{{ word | upcase }}.{% endfor %}";
  await addWorkflow(posthorn, [
    hook({ url: `${url}/{{ words | join: "/" }}`, headers: { "X-A": list }, body: [list] }),
  ]);
  await track(posthorn, "signup", { words: ["a", "b"] });
  await posthorn.settle();
  const [{ url: called, headers, body }] = received as [Received];
  expect([called.pathname, headers.get("x-a"), body]).toEqual(["/a%2Fb", "A.B.", '["A.B."]']);
});

test("onFailure stop ends the execution with what is given up", async () => {
  const there = receiver();
  there.answer = () => new Response("no", { status: 410 });
  await using posthorn = await open();
  const workflow = await addWorkflow(posthorn, [hook({ url: there.url, onFailure: "stop" }), end]);
  await track(posthorn, "signup");
  await posthorn.settle();
  expect(there.received).toHaveLength(1);
  expect(await execution(posthorn, workflow)).toMatchObject({
    status: "FAILED",
    reason: "The webhook was given up after 1 attempt.",
    currentStep: { name: "Hook" },
  });
});

const answers: readonly [status: number, retried: boolean][] = [
  [200, false],
  [204, false],
  [299, false],
  [304, false],
  [400, false],
  [404, false],
  [408, true],
  [429, true],
  [500, true],
  [599, true],
];
test.each(answers)("an answer %d is tried again: %p", async (status, retried) => {
  const there = receiver();
  there.answer = () => new Response(null, { status });
  await using posthorn = await open();
  const workflow = await addWorkflow(posthorn, [hook({ url: there.url })]);
  await track(posthorn, "signup");
  await posthorn.settle();
  expect((await execution(posthorn, workflow)).status).toBe(retried ? "WAITING" : "COMPLETED");
});

test("Retry-After is honoured, as seconds or as a date, but never shortens the schedule", async () => {
  const there = receiver();
  const hints = ["90", "Sun, 01 Mar 2026 10:00:00 GMT", "1", "soon"];
  there.answer = (_, count) => new Response("", { status: 429, headers: { "retry-after": hints[count - 1] ?? "0" } });
  await using posthorn = await open();
  await addWorkflow(posthorn, [hook({ url: there.url })]);
  await track(posthorn, "signup");
  await posthorn.settle();
  expect(await waits(posthorn, there, 4)).toEqual([90, 3510, 120, 600]);
});

test("who does not answer in time, or is not there, is tried again", async () => {
  const there = receiver();
  there.answer = (_, count) => (count === 1 ? Bun.sleep(5_000).then(() => new Response()) : new Response());
  await using posthorn = await open(IMPATIENT);
  const hanging = await addWorkflow(posthorn, [hook({ url: there.url })]);
  const gone = receiver();
  const { url } = gone;
  gone.stop();
  const missing = await addWorkflow(posthorn, [hook({ url })]);
  await track(posthorn, "signup");
  await posthorn.settle();
  const attempt = async (workflow: Json) => (await execution(posthorn, workflow)).steps[1].attempts[0];
  expect(await attempt(hanging)).toMatchObject({ outcome: "later", status: null, answer: "No answer in time." });
  expect(await attempt(missing)).toMatchObject({
    outcome: "later",
    status: null,
    answer: expect.stringContaining("failed"),
  });
  posthorn.clock.advance(5_000);
  await posthorn.settle();
  expect((await execution(posthorn, hanging)).status).toBe("COMPLETED");
});

test("a fault of our own is tried again by the schedule as well, and given up", async () => {
  const there = receiver();
  await using posthorn = await open();
  const workflow = await addWorkflow(posthorn, [hook({ url: there.url }), end]);
  await posthorn.store.write((tx) => tx.run`update workspaces set webhook_secret = 'of another key'`);
  await track(posthorn, "signup");
  await posthorn.settle();
  const { steps } = await execution(posthorn, workflow);
  expect(steps[1].attempts).toMatchObject([{ outcome: "later", answer: expect.stringContaining("unexpected fault") }]);
  for (let hour = 0; hour < 12; hour++) {
    posthorn.clock.advance(HOUR);
    await posthorn.settle();
  }
  expect([there.received.length, path(await execution(posthorn, workflow))[1]]).toEqual([0, "Hook FAILED"]);
});

test("of a long answer the beginning is read, and less is kept", async () => {
  const there = receiver();
  let sent = 0;
  there.answer = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += 65_536;
          controller.enqueue(new Uint8Array(65_536).fill(97));
          if (sent > 50_000_000) controller.close();
        },
      }),
    );
  await using posthorn = await open();
  const workflow = await addWorkflow(posthorn, [hook({ url: there.url })]);
  await track(posthorn, "signup");
  await posthorn.settle();
  expect((await execution(posthorn, workflow)).steps[1].attempts[0].answer).toBe("a".repeat(2_000));
  expect(sent).toBeLessThan(20_000_000);
});

describe("redirects", () => {
  test("are followed up to three times, with the payload where they say so", async () => {
    const there = receiver();
    const ways = [308, 301, 303];
    there.answer = (_, count) =>
      count <= 3
        ? new Response("", { status: ways[count - 1] as number, headers: { location: `/${count}` } })
        : new Response("ok");
    await using posthorn = await open();
    const workflow = await addWorkflow(posthorn, [hook({ url: there.url, headers: { "X-Key": "k" } })]);
    await track(posthorn, "signup");
    await posthorn.settle();
    expect(there.received.map(({ method, url, body }) => [method, url.pathname, body !== ""])).toEqual([
      ["POST", "/", true],
      ["POST", "/1", true],
      ["POST", "/2", true],
      ["GET", "/3", false],
    ]);
    const signer = new Webhook((await ask(posthorn, "GET /workspace")).body.webhookSecret);
    for (const { headers, body } of there.received) {
      const [id, seconds] = [headers.get("webhook-id") ?? "", Number(headers.get("webhook-timestamp"))];
      expect(headers.get("webhook-signature")).toBe(signer.sign(id, new Date(seconds * 1_000), body));
    }
    expect((await execution(posthorn, workflow)).steps[1].status).toBe("COMPLETED");
  });

  test("beyond three, to what is no URL, or to another scheme are refused for good", async () => {
    for (const location of ["/again", "ftp://example.com/", "http://u:p@127.0.0.1/", "http://["]) {
      const there = receiver();
      there.answer = () => new Response("", { status: 307, headers: { location } });
      await using posthorn = await open();
      const workflow = await addWorkflow(posthorn, [hook({ url: there.url })]);
      await track(posthorn, "signup");
      await posthorn.settle();
      expect([location, there.received.length]).toEqual([location, location === "/again" ? 4 : 1]);
      expect((await execution(posthorn, workflow)).steps[1]).toMatchObject({
        status: "FAILED",
        output: { statusCode: null },
      });
    }
  });

  test("into the private network are refused, and another origin does not see configured headers", async () => {
    const [first, second] = [receiver(), receiver()];
    first.answer = () => new Response("", { status: 307, headers: { location: `${second.url}/x` } });
    await using closed = await open({ config: { webhooks: { allow: [`127.0.0.1:${first.port}`] } } });
    const workflow = await addWorkflow(closed, [hook({ url: first.url })]);
    await track(closed, "signup");
    await closed.settle();
    expect([first.received.length, second.received.length]).toEqual([1, 0]);
    expect((await execution(closed, workflow)).steps[1].output.response).toContain("not on the public internet");

    await using opened = await open();
    await addWorkflow(opened, [hook({ url: first.url, headers: { "X-Key": "secret" } })]);
    await track(opened, "signup");
    await opened.settle();
    expect(first.received.at(-1)?.headers.get("x-key")).toBe("secret");
    expect([second.received.length, second.received[0]?.headers.get("x-key")]).toEqual([1, null]);
  });
});

test("a name is looked up once, every address of it is checked, and the connection goes to what was checked", async () => {
  const there = receiver();
  const asked: string[] = [];
  const zone: Record<string, string[]> = {
    "hooks.example.com": ["127.0.0.1"],
    "mixed.example.com": ["93.184.215.14", "10.0.0.1"],
    "nowhere.example.com": [],
  };
  const lookUp = async (host: string) => (asked.push(host), zone[host] ?? []);
  await using posthorn = await startPosthorn({ lookUp, config: { webhooks: { allow: ["hooks.example.com"] } } });
  const outcome: Record<string, Json> = {};
  for (const host of Object.keys(zone)) {
    const workflow = await addWorkflow(posthorn, [hook({ url: `http://${host}:${there.port}/x` })], {
      eventName: host,
    });
    await track(posthorn, host);
    await posthorn.settle();
    const { status, outcome: what, answer } = (await execution(posthorn, workflow)).steps[1].attempts[0];
    outcome[host] = [status, what, answer];
  }
  expect(outcome).toEqual({
    "hooks.example.com": [200, "delivered", "thanks"],
    "mixed.example.com": [null, "failed", expect.stringContaining("not on the public internet")],
    "nowhere.example.com": [null, "later", "nowhere.example.com has no address."],
  });
  expect(there.received.map(({ headers }) => headers.get("host"))).toEqual([`hooks.example.com:${there.port}`]);
  expect(asked).toEqual(Object.keys(zone));
});

test("TLS goes to the checked address with the name that was meant, and its certificate must be for that name", async () => {
  const file = (name: string) => readFileSync(new URL(`../support/certificates/${name}`, import.meta.url), "utf8");
  const there = receiver({ cert: file("localhost.cert.pem"), key: file("localhost.key.pem") });
  const lookUp = async () => ["127.0.0.1"];
  await using posthorn = await startPosthorn({
    lookUp,
    config: { webhooks: { allow: ["localhost", "other.example.com"] } },
  });
  const answers: Record<string, string> = {};
  for (const host of ["localhost", "other.example.com"]) {
    const workflow = await addWorkflow(posthorn, [hook({ url: `https://${host}:${there.port}/` })], {
      eventName: host,
    });
    await track(posthorn, host);
    await posthorn.settle();
    answers[host] = (await execution(posthorn, workflow)).steps[1].attempts[0].answer;
  }
  // Nobody has signed it but itself: reached, looked at, refused.
  expect(there.received).toEqual([]);
  expect(answers["localhost"]).toContain("SELF_SIGNED");
  expect(answers["other.example.com"]).toMatch(/SELF_SIGNED|ALTNAME/);
});

test("nothing about somebody who is being erased is sent any more, or shown", async () => {
  const there = receiver();
  there.answer = () => new Response("", { status: 503 });
  await using posthorn = await open();
  const workflow = await addWorkflow(posthorn, [hook({ url: there.url })]);
  const id = await track(posthorn, "signup");
  // A long history goes piece by piece.
  for (let n = 0; n < 60; n++) await track(posthorn, "visit", { n });
  await posthorn.settle();
  const { id: executionId } = await execution(posthorn, workflow);
  posthorn.clock.advance(5_000);
  expect((await ask(posthorn, `DELETE /contacts/${id}`)).status).toBe(204);
  expect(await executions(posthorn, workflow)).toEqual([]);
  expect((await ask(posthorn, `GET /workflows/${workflow.id}/executions/${executionId}`)).status).toBe(404);
  await posthorn.settle();
  expect(there.received).toHaveLength(1);
});

describe("by hand", () => {
  test("a webhook is sent again under the same id, and the execution does not turn back", async () => {
    const there = receiver();
    there.answer = (_, count) => new Response("", { status: count === 1 ? 400 : 200 });
    await using posthorn = await open();
    const workflow = await addWorkflow(posthorn, [hook({ url: there.url }), end]);
    await track(posthorn, "signup");
    await posthorn.settle();
    const before = await execution(posthorn, workflow);
    const route = `POST /workflows/${workflow.id}/executions/${before.id}/steps`;
    const again = await ask(posthorn, `${route}/${before.steps[1].id}/retry`);
    expect(again.status).toBe(200);
    await posthorn.settle();
    const after = await execution(posthorn, workflow);
    expect([before.steps[1].status, after.steps[1].status]).toEqual(["FAILED", "COMPLETED"]);
    expect([after.steps[1].attempts.length, after.steps.length]).toEqual([2, before.steps.length]);
    expect(new Set(there.received.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
    expect((await ask(posthorn, `${route}/${after.steps[2].id}/retry`)).body.error.code).toBe("WORKFLOW_STATE");
    expect((await ask(posthorn, `${route}/x/retry`)).body.error.code).toBe("STEP_NOT_FOUND");
  });

  test("a webhook is sent again a hundred times and no more", async () => {
    const there = receiver();
    await using posthorn = await open();
    const workflow = await addWorkflow(posthorn, [hook({ url: there.url }), end]);
    await track(posthorn, "signup");
    await posthorn.settle();
    const { id, steps } = await execution(posthorn, workflow);
    const retry = () => ask(posthorn, `POST /workflows/${workflow.id}/executions/${id}/steps/${steps[1].id}/retry`);
    await posthorn.store.write((tx) => tx.run`update webhook_deliveries set attempts = 99`);
    expect((await retry()).status).toBe(200);
    await posthorn.settle();
    expect((await retry()).body.error.code).toBe("WORKFLOW_STATE");
  });

  test("what waits for its next attempt is tried at once", async () => {
    const there = receiver();
    there.answer = (_, count) => new Response("", { status: count === 1 ? 500 : 200 });
    await using posthorn = await open();
    const workflow = await addWorkflow(posthorn, [hook({ url: there.url }), end]);
    await track(posthorn, "signup");
    await posthorn.settle();
    const { id, steps } = await execution(posthorn, workflow);
    await ask(posthorn, `POST /workflows/${workflow.id}/executions/${id}/steps/${steps[1].stepId}/retry`);
    await posthorn.settle();
    expect((await execution(posthorn, workflow)).status).toBe("EXITED");
  });
});

test("a cancelled execution sends no webhook any more", async () => {
  const there = receiver();
  there.answer = () => new Response("", { status: 500 });
  await using posthorn = await open();
  const workflow = await addWorkflow(posthorn, [hook({ url: there.url }), end]);
  await track(posthorn, "signup");
  await posthorn.settle();
  const { id } = await execution(posthorn, workflow);
  await ask(posthorn, `DELETE /workflows/${workflow.id}/executions/${id}`);
  posthorn.clock.advance(HOUR);
  await posthorn.settle();
  expect([there.received.length, (await execution(posthorn, workflow)).status]).toEqual([1, "CANCELLED"]);
});

test("one that hangs holds up no other, and takes few calls", async () => {
  const [hanging, quick] = [receiver(), receiver()];
  hanging.answer = () => new Promise(() => {});
  let calls = 0;
  // It goes away only when another has been called: none of its calls ends before.
  quick.answer = (_, count) => {
    if (count === 1) {
      calls = hanging.received.length;
      hanging.stop();
    }
    return new Response();
  };
  await using posthorn = await open({ config: { webhooks: { allow: ["127.0.0.1"], timeoutSeconds: 3_600 } } });
  const slow = await addWorkflow(posthorn, [hook({ url: hanging.url })], { eventName: "slow" });
  const fast = await addWorkflow(posthorn, [hook({ url: quick.url })], { eventName: "fast" });
  for (let n = 0; n < 56; n++) await track(posthorn, "slow", {}, `s${n}@example.com`);
  for (let n = 0; n < 5; n++) await track(posthorn, "fast", {}, `f${n}@example.com`);
  await posthorn.settle();
  expect(quick.received).toHaveLength(5);
  expect((await executions(posthorn, fast)).every(({ status }) => status === "COMPLETED")).toBe(true);
  expect(calls).toBeLessThanOrEqual(4);
  expect((await ask(posthorn, `GET /workflows/${slow.id}/executions?status=WAITING`)).body.total).toBe(56);
});

test("an event that comes while a webhook is tried again counts for the wait behind it", async () => {
  const there = receiver();
  there.answer = (_, count) => new Response("", { status: count === 1 ? 503 : 200 });
  await using posthorn = await open();
  const wait = { type: "WAIT_FOR_EVENT", name: "Wait", config: { eventName: "paid" } };
  const workflow = await addWorkflow(posthorn, [hook({ url: there.url }), wait, end]);
  await track(posthorn, "signup");
  await posthorn.settle();
  await track(posthorn, "paid", { sum: 7 });
  await posthorn.settle();
  posthorn.clock.advance(MINUTE);
  await posthorn.settle();
  expect(await execution(posthorn, workflow)).toMatchObject({ status: "EXITED", context: { sum: 7 } });
});

describe("webhooks of a disabled workflow", () => {
  const enable = (posthorn: Posthorn, { id }: Json, enabled: boolean) =>
    ask(posthorn, `PATCH /workflows/${id}`, { body: { enabled } });

  test("wait until it is enabled, retries as well, and go on at once; those of others go on", async () => {
    const there = receiver();
    there.answer = (_, count) => new Response("", { status: count === 1 ? 503 : 200 });
    await using posthorn = await open();
    const delay = { type: "DELAY", name: "Later", config: { amount: 1, unit: "hours" } };
    const tried = await addWorkflow(posthorn, [hook({ url: `${there.url}/tried` }), end]);
    await track(posthorn, "signup");
    await posthorn.settle();
    const fresh = await addWorkflow(posthorn, [delay, hook({ url: `${there.url}/fresh` })], { eventName: "go" });
    await addWorkflow(posthorn, [delay, hook({ url: `${there.url}/other` })], { eventName: "go" });
    await track(posthorn, "go");
    await posthorn.settle();
    for (const workflow of [tried, fresh]) await enable(posthorn, workflow, false);
    posthorn.clock.advance(3 * HOUR);
    await posthorn.settle();
    expect(there.received.map(({ url }) => url.pathname)).toEqual(["/tried", "/other"]);
    expect((await execution(posthorn, tried)).status).toBe("WAITING");
    for (const workflow of [tried, fresh]) await enable(posthorn, workflow, true);
    await posthorn.settle();
    expect(
      there.received
        .map(({ url }) => url.pathname)
        .slice(2)
        .sort(),
    ).toEqual(["/fresh", "/tried"]);
    const one = await execution(posthorn, tried);
    expect([one.status, one.steps[1].attempts.length]).toEqual(["EXITED", 2]);
  });

  test("wait also if they are claimed already, and the attempt that was not made is none", async () => {
    const there = receiver();
    there.answer = (_, count) => new Response("", { status: count === 1 ? 503 : 200 });
    await using posthorn = await open();
    const workflow = await addWorkflow(posthorn, [hook({ url: there.url })]);
    const { store, clock, secrets } = posthorn;
    const renderer = new Renderer(clock);
    const render: Renderer["render"] = async (...asked) => {
      await enable(posthorn, workflow, false);
      return renderer.render(...asked);
    };
    const terms = {
      allow: ["127.0.0.1"],
      timeoutMs: 30_000,
      leaseMs: 90_000,
      lookUp: async () => [],
      interfaces: () => ({}),
    };
    const log = createLog({ level: "error", format: "text", clock, write: () => {} });
    const loop = new WebhookLoop({
      ...terms,
      senders: sendersOf(store, { render } as Renderer),
      store,
      clock,
      log,
      secrets,
    });
    await track(posthorn, "signup");
    await posthorn.settle();
    clock.advance(5_000);
    await loop.step();
    await loop.inHand.idle();
    await posthorn.settle();
    expect([there.received.length, (await execution(posthorn, workflow)).steps[1].attempts.length]).toEqual([1, 1]);
    await enable(posthorn, workflow, true);
    await posthorn.settle();
    expect((await execution(posthorn, workflow)).steps[1]).toMatchObject({
      status: "COMPLETED",
      attempts: [{ number: 1 }, { number: 2 }],
    });
  });

  test("go on however many they are", async () => {
    const there = receiver();
    there.answer = (_, count) => new Response("", { status: count <= 3 ? 503 : 200 });
    await using posthorn = await open();
    const workflow = await addWorkflow(posthorn, [hook({ url: there.url })]);
    for (let n = 0; n < 3; n++) await track(posthorn, "signup", {}, `a${n}@example.com`);
    await posthorn.settle();
    const held = await posthorn.store.write(async (tx) => {
      await tx.run`update webhook_deliveries set due_at = null, held = 1`;
      await release(tx, [1], 1);
      return tx.all`select held from webhook_deliveries where held is not null`;
    });
    expect(held).toHaveLength(2);
    await posthorn.settle();
    expect((await executions(posthorn, workflow)).map(({ status }) => status)).toEqual(Array(3).fill("COMPLETED"));
  });
});

test("however many wait for a disabled workspace, they hold up nobody else's", async () => {
  const there = receiver();
  there.answer = () => new Response("", { status: 503 });
  await using posthorn = await open();
  await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  await addWorkflow(posthorn, [hook({ url: there.url })]);
  for (let n = 0; n < 200; n++) await track(posthorn, "signup", {}, `a${n}@example.com`);
  await posthorn.settle();
  await posthorn.store.write(async (tx) => {
    await tx.run`update webhook_deliveries set workspace = 2`;
    await tx.run`update turns set workspace = 2 where queue = 'webhooks'`;
  });
  posthorn.clock.advance(1_000);
  await track(posthorn, "signup", {}, "ada@example.com");
  await posthorn.settle();
  await posthorn.store.write((tx) => tx.run`update workspaces set disabled_at = ${tx.now} where seq = 2`);
  const before = there.received.length;
  posthorn.clock.advance(10_000);
  await posthorn.settle();
  expect(there.received).toHaveLength(before + 1);
});

test("what is due is found place by place, so many at each", async () => {
  const places = Array.from({ length: 4 }, () => receiver()).sort((one, other) => (one.url < other.url ? -1 : 1));
  await using posthorn = await open();
  for (const one of places) {
    one.answer = () => new Response("", { status: 503 });
    await addWorkflow(posthorn, [hook({ url: one.url })], { name: one.url });
  }
  for (let n = 0; n < 3; n++) await track(posthorn, "signup", {}, `s${n}@example.com`);
  await posthorn.settle();
  const [first, second, third, fourth] = places.map(({ url }) => url) as [string, string, string, string];
  const [now, later] = [0, HOUR].map((ms) => new Date(posthorn.clock.nowMs() + ms).toISOString()) as [string, string];
  const found = await posthorn.store.read(async (reader) => [
    await originsDue(reader, 1, [second], { now: later, most: 10 }),
    await originsDue(reader, 1, [second], { now: later, most: 2 }),
    await originsDue(reader, 1, [second], { now, most: 10 }),
    await originsDue(reader, 2, [second], { now: later, most: 10 }),
    (
      await dueCallsAt(
        reader,
        1,
        [first, third].map((origin, index) => ({ origin, limit: index + 2 })),
        later,
      )
    )
      .map(({ origin }) => origin)
      .sort(),
  ]);
  expect(found).toEqual([[first, third, fourth], [first, third], [], [], [first, first, third, third, third]]);
});

test("an attempt that was cut short by the end of the process is in the trace, and another follows", async () => {
  const there = receiver();
  await using posthorn = await open();
  const workflow = await addWorkflow(posthorn, [hook({ url: there.url }), end]);
  await track(posthorn, "signup");
  await posthorn.settle();
  await posthorn.store.write(async (tx) => {
    // As a process leaves it that dies between the call and its record.
    await tx.run`update webhook_attempts set outcome = null, status = null, duration_ms = null, answer = null`;
    await tx.run`update webhook_deliveries set state = 'CALLING', due_at = '2026-03-01T09:01:00.000Z'`;
    await tx.run`update executions set status = 'WAITING', ended_at = null, reason = null, step = ${workflow.steps[1].id}`;
    await tx.run`delete from execution_steps where step = ${workflow.steps[2].id}`;
  });
  posthorn.clock.advance(MINUTE);
  await posthorn.settle();
  const one = await execution(posthorn, workflow);
  expect(one.steps[1].attempts.map(({ outcome }: Json) => outcome)).toEqual([null, "delivered"]);
  expect([one.status, path(one).at(-1)]).toEqual(["EXITED", "End COMPLETED"]);
});

test("a process that stood still until its lease ran out does not call what another has called", async () => {
  const there = receiver();
  there.answer = (_, count) => new Response("", { status: count === 1 ? 503 : 200 });
  await using posthorn = await open();
  const workflow = await addWorkflow(posthorn, [hook({ url: there.url })]);
  await track(posthorn, "signup");
  await posthorn.settle();
  posthorn.clock.advance(5_000);
  const [LEASE_MS, TIMEOUT_MS] = [90_000, 30_000];
  const loopOn = (store: Store) => {
    const { clock, secrets } = posthorn;
    const log = createLog({ level: "error", format: "text", clock, write: () => {} });
    const terms = {
      allow: ["127.0.0.1"],
      timeoutMs: TIMEOUT_MS,
      leaseMs: LEASE_MS,
      lookUp: async () => [],
      interfaces: () => ({}),
    };
    return new WebhookLoop({
      senders: sendersOf(store, new Renderer(posthorn.clock)),
      store,
      clock,
      log,
      secrets,
      ...terms,
    });
  };
  const other = loopOn(posthorn.store);
  let isClaimed = false;
  const frozen = loopOn({
    ...posthorn.store,
    read: async (work, options) => {
      if (isClaimed) {
        isClaimed = false;
        posthorn.clock.advance(LEASE_MS + TIMEOUT_MS + 1);
        await other.step();
        await other.inHand.idle();
      }
      return posthorn.store.read(work, options);
    },
    write: async (work) => {
      const result = await posthorn.store.write(work);
      isClaimed = there.received.length === 1;
      return result;
    },
  });
  await frozen.step();
  await frozen.inHand.idle();
  expect(there.received).toHaveLength(2);
  await posthorn.settle();
  expect((await execution(posthorn, workflow)).steps[1]).toMatchObject({
    status: "COMPLETED",
    output: { attempts: 3 },
  });
});

test("whatever one workspace calls that does not answer, another's webhook is called, at the same place too", async () => {
  const places = Array.from({ length: 5 }, () => receiver());
  const [hanging, arrived] = [[] as (() => void)[], Promise.withResolvers<void>()];
  for (const one of places)
    one.answer = ({ body }) => {
      if (!body.includes("bob@")) return new Promise((resolve) => hanging.push(() => resolve(new Response())));
      arrived.resolve();
      return new Response();
    };
  await using posthorn = await open(IMPATIENT);
  const other = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
  for (const { url } of places) await addWorkflow(posthorn, [hook({ url })], { name: url });
  for (let n = 0; n < 60; n++) await track(posthorn, "signup", {}, `a${n}@example.com`);
  const key = { bearer: other.secret };
  const [{ url }] = places as [Receiver];
  await ask(posthorn, "POST /workflows", {
    key,
    body: { name: "Theirs", eventName: "signup", enabled: true, steps: [hook({ url })] },
  });
  posthorn.clock.advance(1_000);
  await ask(posthorn, "POST /v1/track", { key, body: { email: "bob@example.com", event: "signup" } });
  const settled = posthorn.settle();
  await arrived.promise;
  expect(hanging.length).toBeLessThanOrEqual(100);
  for (const one of places) one.answer = () => new Response();
  hanging.forEach((answer) => answer());
  await settled;
});
