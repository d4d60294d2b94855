// News for pages that are open: that something has changed, at most twice a second a channel, and never what.
import { expect, jest, test } from "bun:test";
import { CHANNELS } from "../../src/tenant/events/notify.ts";
import { Live } from "../../src/desk/face/live.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { letter } from "../support/mails.ts";
import { OWN_PAGE, somebody, type Somebody } from "../support/people.ts";
import { createKeySet } from "../../src/tenant/access/key-set.ts";
import { createWorkspace, disableWorkspace } from "../../src/tenant/workspaces/workspace.ts";
import { workspace } from "../support/workspace.ts";

const people = new WeakMap<Posthorn, Promise<Somebody>>();

async function ask(posthorn: Posthorn, channels = "", signal?: AbortSignal): Promise<Response> {
  const person = people.get(posthorn) ?? somebody(posthorn, "SUPPORT");
  people.set(posthorn, person);
  const { cookie, workspace } = await person;
  const query = new URLSearchParams({ workspace, ...(channels === "" ? {} : { channels }) });
  const headers = { ...OWN_PAGE, cookie };
  return fetch(`${posthorn.server.url}/app/-/live?${query}`, { headers, ...(signal ? { signal } : {}) });
}

class Listener implements AsyncDisposable {
  readonly #stop = new AbortController();
  #text = "";
  #ended = false;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  static async to(posthorn: Posthorn, channels = ""): Promise<Listener> {
    const listener = new Listener();
    const response = await ask(posthorn, channels, listener.#stop.signal);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    listener.#reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    await listener.#more();
    return listener;
  }

  async #more(): Promise<void> {
    const { value, done } = await (this.#reader as ReadableStreamDefaultReader<Uint8Array>).read();
    if (value) this.#text += new TextDecoder().decode(value);
    this.#ended = done;
  }

  /** The notices so far, once there are so many. */
  async notices(count: number): Promise<{ readonly channel: string; readonly n: number }[]> {
    const seen = () => [...this.#text.matchAll(/^data: (.+)$/gm)].map(([, json]) => JSON.parse(json as string));
    while (seen().length < count && !this.#ended) await this.#more();
    return seen();
  }

  /** Resolves when the server has ended the stream. */
  async end(): Promise<void> {
    while (!this.#ended) await this.#more();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
  }
}

test("A mail that is accepted, and one that is sent, is told as its channel and nothing else", async () => {
  await using posthorn = await workspace();
  await using listener = await Listener.to(posthorn, "mails");
  await posthorn.call("POST /v1/send", letter);
  const [first] = await listener.notices(1);
  expect(first).toEqual({ channel: "mails", n: 1 });
  await posthorn.settle();
  expect((await listener.notices(2))[1]).toEqual({ channel: "mails", n: 2 });
});

test("Many changes within half a second are two notices", async () => {
  await using posthorn = await workspace();
  await using listener = await Listener.to(posthorn, "templates");
  const startedMs = performance.now();
  for (let number = 0; number < 20; number++) {
    const template = { name: `Receipt ${number}`, subject: "Thanks", body: "<p>Thanks</p>", type: "TRANSACTIONAL" };
    expect((await posthorn.call("POST /templates", template)).status).toBe(201);
  }
  const notices = await listener.notices(2);
  expect(notices.length).toBeLessThanOrEqual(2 + 2 * Math.floor((performance.now() - startedMs) / 1_000));
  expect(performance.now() - startedMs).toBeGreaterThan(490);
});

test("While changes go on, notices come more slowly", async () => {
  await using posthorn = await workspace();
  await using listener = await Listener.to(posthorn, "mails");
  const startedMs = performance.now();
  let isOver = false;
  const third = listener.notices(3).finally(() => (isOver = true));
  while (!isOver) await posthorn.call("POST /v1/send", letter);
  expect((await third).length).toBe(3);
  // 500 ms after the first, and 1,000 ms after the second.
  expect(performance.now() - startedMs).toBeGreaterThan(1_490);
});

test("Only the channels that were asked for are told; an unknown one is refused", async () => {
  await using posthorn = await workspace();
  await using listener = await Listener.to(posthorn, "templates,domains");
  await posthorn.call("POST /v1/send", letter);
  await posthorn.call("POST /domains", { domain: "shop.example" });
  expect(await listener.notices(1)).toEqual([{ channel: "domains", n: 1 }]);
  expect((await ask(posthorn, "mails,secrets")).status).toBe(400);
});

test("Nobody listens without being signed in, with a key, or from another site", async () => {
  await using posthorn = await startPosthorn();
  const { cookie, workspace } = await somebody(posthorn, "SUPPORT");
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${posthorn.server.url}/app/-/live?workspace=${workspace}`, { headers })).status;
  expect(await status(OWN_PAGE)).toBe(401);
  expect(await status({ ...OWN_PAGE, authorization: `Bearer ${posthorn.keys.secret}` })).toBe(401);
  expect(await status({ "sec-fetch-site": "same-site", cookie })).toBe(403);
});

test("Another workspace's changes are not told", async () => {
  await using posthorn = await workspace();
  const { secrets, store } = posthorn;
  const other = await store.write(async (tx) => {
    const { seq } = await createWorkspace(tx, secrets, "other");
    return (await createKeySet(tx, seq)).secret;
  });
  await using listener = await Listener.to(posthorn);
  const template = { name: "Receipt", subject: "Thanks", body: "<p>Thanks</p>", type: "TRANSACTIONAL" };
  await posthorn.call("POST /templates", template, { authorization: `Bearer ${other}` });
  await posthorn.call("POST /domains", { domain: "shop.example" });
  expect(await listener.notices(1)).toEqual([{ channel: "domains", n: 1 }]);
});

test("A stop of the server ends the streams at once", async () => {
  const posthorn = await startPosthorn();
  await using listener = await Listener.to(posthorn);
  const startedMs = performance.now();
  await Promise.all([posthorn[Symbol.asyncDispose](), listener.end()]);
  // A stop that waits for the streams gives up after nine seconds.
  expect(performance.now() - startedMs).toBeLessThan(8_500);
});

test("Whoever opens too many streams is refused, and is let in again once one is closed", async () => {
  await using posthorn = await startPosthorn();
  const listeners = await Promise.all(Array.from({ length: 10 }, () => Listener.to(posthorn)));
  const refused = await ask(posthorn);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
  await listeners[0]?.[Symbol.asyncDispose]();
  let again: Listener | undefined;
  for (let tries = 0; !again && tries < 200; tries++) again = await Listener.to(posthorn).catch(() => undefined);
  expect(again).toBeDefined();
  for (const listener of [...listeners, again]) await listener?.[Symbol.asyncDispose]();
});

test("A reader that takes no notices is dropped once a hundred wait; one that takes them is not", async () => {
  const live = new Live();
  const listening = { workspace: 1, holder: "person 1", channels: CHANNELS, isStillAllowed: async () => true };
  jest.useFakeTimers();
  try {
    const [slow, quick] = [live.open(listening), live.open(listening)];
    const reader = quick.getReader();
    let [told, taken] = [0, 0];
    while (live.listeners === 2 && told < 200) {
      live.heard(null);
      told += CHANNELS.length;
      while (taken <= told) taken += noticesIn((await reader.read()).value);
      jest.advanceTimersByTime(1_000);
    }
    expect([live.listeners, told > 100, told < 200]).toEqual([1, true, true]);
    expect(await textOf(slow)).toContain(': news\n\ndata: {"channel":"mails","n":1}');
  } finally {
    live.close();
    jest.useRealTimers();
  }
});

/** The first comment counts as one. */
function noticesIn(bytes: Uint8Array | undefined): number {
  return new TextDecoder().decode(bytes).split("\n\n").length - 1;
}

/** All that waited, to the end. */
function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

test("A disabled workspace has no news, and no pages in frames", async () => {
  await using posthorn = await startPosthorn();
  const { cookie, workspace } = await somebody(posthorn, "ADMIN");
  await posthorn.store.write((tx) => disableWorkspace(tx, "default"));
  for (const path of ["live", "recipient/footer", "message/0192"]) {
    const address = `${posthorn.server.url}/app/-/${path}?workspace=${workspace}`;
    const { status } = await fetch(address, { headers: { ...OWN_PAGE, cookie } });
    expect([path, status]).toEqual([path, 403]);
  }
});
