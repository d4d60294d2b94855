// Relays that take long to answer: whose mails have the connections meanwhile, and who does not wait for them.
import { afterEach, describe, expect, test } from "bun:test";
import { DEFAULTS } from "../../src/base/config.ts";
import type { HandoverOutcome } from "../../src/sending/carrier/transport/transport.ts";
import { createLog } from "../../src/base/log.ts";
import { loadSecrets } from "../../src/base/secrets.ts";
import { startServer, type Server } from "../../src/whole/server.ts";
import { TestClock } from "../support/clock.ts";
import { freshDatabase, freshDirectory } from "../support/database.ts";
import { TableResolver } from "../support/resolver.ts";
import { RecordingTransport } from "../support/transport.ts";
import { addWorkspace } from "../support/workspaces.ts";

const OTHERS = ["b", "c", "d", "e"];
const EVERYBODY = ["a", ...OTHERS];
const MEGABYTE = 1024 * 1024;

/** A relay that has what it is given in hand until it is told to answer. */
class SlowRelay extends RecordingTransport {
  readonly #inHand: { readonly to: string; readonly answer: (outcome: HandoverOutcome) => void }[] = [];
  #changed = Promise.withResolvers<void>();

  override answer = ({ envelope: { recipient } }: { readonly envelope: { readonly recipient: string } }) => {
    const { promise, resolve } = Promise.withResolvers<HandoverOutcome>();
    this.#inHand.push({ to: recipient, answer: resolve });
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
    return promise;
  };

  override async close(): Promise<void> {
    this.answer = () => Promise.resolve({ kind: "unreachable", reply: "closing", isLocal: true });
    this.#inHand.splice(0).forEach(({ answer }) => answer({ kind: "unreachable", reply: "closing", isLocal: true }));
  }

  /** How many mails of each workspace are in hand, by its letter. */
  get inHand(): Readonly<Record<string, number>> {
    const letters = this.#inHand.map(({ to }) => to.charAt(0)).sort();
    return Object.fromEntries([...Map.groupBy(letters, (one) => one)].map(([one, all]) => [one, all.length]));
  }

  get total(): number {
    return this.#inHand.length;
  }

  /** Comes back once it has them; each wait ends with a mail that comes. */
  async has(wanted: Readonly<Record<string, number>>): Promise<void> {
    while (!Object.entries(wanted).every(([letter, count]) => (this.inHand[letter] ?? 0) >= count))
      await this.#changed.promise;
  }

  async hasInAll(count: number): Promise<void> {
    while (this.#inHand.length < count) await this.#changed.promise;
  }

  /** Takes so many mails of a workspace, the oldest first. */
  accept(letter: string, count = 1): void {
    for (let n = 0; n < count; n++) {
      const at = this.#inHand.findIndex(({ to }) => to.startsWith(letter));
      this.#inHand.splice(at, 1)[0]?.answer({ kind: "accepted", reply: "250 2.0.0 Ok" });
    }
  }
}

/** Each look at it costs 20 ms, as on a machine that is busy with other things. */
class BusyClock extends TestClock {
  #lookedAt = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + this.#lookedAt++ * 20;
  }
}

type Running = AsyncDisposable & {
  readonly relay: SlowRelay;
  readonly clock: TestClock;
  /** Queues mails of the workspace with this letter. */
  readonly send: (letter: string, count: number, more?: object) => Promise<void>;
  readonly call: (letter: string, route: string, body?: object) => Promise<ReturnType<typeof JSON.parse>>;
  /** Comes back once the workspace has so many mails in hand, with a connection or without. */
  readonly claimed: (letter: string, count: number) => Promise<void>;
};

const running: Running[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one[Symbol.asyncDispose]();
});

/** Five workspaces, a to e, whose loops run by themselves. */
async function started(delivery: object = {}, clock = new TestClock()): Promise<Running> {
  const [directory, { url }, relay] = [freshDirectory(), await freshDatabase(), new SlowRelay()];
  const config = {
    ...DEFAULTS,
    http: { ...DEFAULTS.http, port: 0 },
    data: { dir: directory.path },
    database: { url, connections: 4 },
    delivery: { ...DEFAULTS.delivery, ratePerSecond: 0, concurrency: 10, ...delivery },
    smtp: { ...DEFAULTS.smtp, submissionPort: 0, submissionsPort: 0, inboundPort: 0 },
    metrics: { ...DEFAULTS.metrics, path: "/metrics" },
  };
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const server: Server = await startServer(config, {
    transports: { default: relay },
    clock,
    log,
    resolver: new TableResolver(),
  });
  const house = { store: server.store, secrets: loadSecrets(null, directory.path) };
  const keys: Record<string, string> = {};
  for (const name of EVERYBODY) keys[name] = (await addWorkspace(house, { name, domain: `${name}.example` })).secret;
  const call: Running["call"] = async (letter, route, body) => {
    const [method = "", path = ""] = route.split(" ");
    const headers = { authorization: `Bearer ${keys[letter]}`, "content-type": "application/json" };
    const answer = await fetch(server.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    expect(answer.status).toBeLessThan(300);
    return answer.json();
  };
  const send: Running["send"] = async (letter, count, more) => {
    const to = Array.from({ length: count }, (_, n) => `${letter}${n}@example.com`);
    await call(letter, "POST /v1/send", {
      to,
      from: `hello@${letter}.example`,
      subject: "Hi",
      body: "<p>Hi</p>",
      ...more,
    });
  };
  const total = async (letter: string, status: string) => (await call(letter, `GET /emails?status=${status}`)).total;
  const claimed: Running["claimed"] = async (letter, count) => {
    while ((await total(letter, "SENDING")) < count);
    // The store says so a moment before the process knows. A mail that is settled between two of these questions counts
    // for neither.
    let inStore = 0;
    for (const status of ["SENT", "SENDING"]) for (const one of EVERYBODY) inStore += await total(one, status);
    const here = async () =>
      /^posthorn_mails_claimed_total (\d+)/m.exec(await (await fetch(`${server.url}/metrics`)).text());
    while (Number((await here())?.[1]) < inStore);
  };
  const one = {
    ...{ relay, clock, send, call, claimed },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      directory.remove();
    },
  };
  running.push(one);
  return one;
}

describe("behind a relay that takes long to answer", () => {
  test("a workspace alone leaves a connection free, and who comes new has it at once", async () => {
    const { relay, send } = await started();
    await send("a", 50);
    await relay.has({ a: 9 });
    await send("b", 1);
    await relay.has({ b: 1 });
    expect(relay.inHand).toEqual({ a: 9, b: 1 });
  });

  test("five with backlogs come to two connections each, as they become free, and none is ever idle", async () => {
    const { relay, send, claimed } = await started();
    await send("a", 50);
    await relay.has({ a: 9 });
    for (const other of OTHERS) await send(other, 50);
    for (const other of OTHERS) await claimed(other, 2);
    for (let freed = 0; freed < 7; freed++) {
      relay.accept("a");
      await relay.hasInAll(10);
    }
    expect(relay.inHand).toEqual({ a: 2, b: 2, c: 2, d: 2, e: 2 });
    for (let round = 0; round < 8; round++)
      for (const letter of ["c", "a", "e", "b", "d"]) {
        relay.accept(letter);
        await relay.hasInAll(10);
        expect(relay.total).toBe(10);
      }
    expect(Object.values(relay.inHand).every((count) => count <= 3)).toBe(true);
  });

  test("who comes while all connections are taken has the next one, whatever the others wait with", async () => {
    const { relay, send, claimed } = await started();
    await send("a", 50);
    await relay.has({ a: 9 });
    await send("b", 50);
    await relay.has({ b: 1 });
    for (const other of ["c", "d"]) await send(other, 1);
    for (const other of ["c", "d"]) await claimed(other, 1);
    relay.accept("a", 2);
    await relay.has({ c: 1, d: 1 });
    expect(relay.inHand).toEqual({ a: 7, b: 1, c: 1, d: 1 });
  });

  test("one that has all the connections but one has them again when the others are done", async () => {
    const { relay, send, claimed } = await started();
    await send("a", 50);
    await relay.has({ a: 9 });
    await send("b", 5);
    await claimed("b", 5);
    relay.accept("a", 4);
    await relay.has({ a: 5, b: 5 });
    relay.accept("b", 5);
    await relay.has({ a: 9 });
    expect(relay.inHand).toEqual({ a: 9 });
  });

  test("behind a relay that answers quickly, mails are claimed ahead of the connections that become free", async () => {
    const { relay, send, claimed } = await started();
    await send("a", 50);
    await relay.has({ a: 9 });
    relay.accept("a", 9);
    await relay.has({ a: 9 });
    await claimed("a", 18);
    expect(relay.inHand).toEqual({ a: 9 });
  });

  test("a mail that waited for a connection is checked again: an unsubscribe wins", async () => {
    const { relay, send, call, clock } = await started();
    await send("a", 50);
    await relay.has({ a: 9 });
    const news = { name: "News", subject: "News", body: "<p>News</p>", from: "hello@b.example", type: "MARKETING" };
    const template = (await call("b", "POST /templates", news)).id;
    for (const n of [0, 1, 2]) await call("b", "POST /contacts", { email: `b${n}@example.com`, subscribed: true });
    await send("b", 3, { template, subject: undefined, body: undefined });
    await relay.has({ b: 1 });
    await call("b", "POST /contacts", { email: "b1@example.com", subscribed: false });
    clock.advance(2_000);
    relay.accept("a", 2);
    await relay.hasInAll(10);
    expect(relay.recipients.filter((to) => to.startsWith("b"))).toEqual(["b0@example.com", "b2@example.com"]);
  });

  test("the large mails of one workspace leave memory for those of another", async () => {
    const { relay, send } = await started({ inHandBytes: 16 * MEGABYTE });
    const file = (bytes: number) => ({
      attachments: [{ filename: "a.bin", content: Buffer.alloc(bytes).toString("base64") }],
    });
    await send("a", 8, file(2 * MEGABYTE));
    await relay.has({ a: 1 });
    await send("b", 1, file(MEGABYTE / 2));
    await relay.has({ b: 1 });
    expect(relay.inHand["b"]).toBe(1);
  });
});

test("a machine that is busy leaves no connection idle", async () => {
  const { relay, send } = await started({}, new BusyClock());
  for (let n = 0; n < 8; n++) {
    await send("a", 1);
    await relay.has({ a: 1 });
    relay.accept("a");
  }
  await send("a", 2);
  await relay.has({ a: 2 });
  await send("a", 7);
  await relay.has({ a: 9 });
  await send("b", 1);
  await relay.has({ b: 1 });
  expect(relay.inHand).toEqual({ a: 9, b: 1 });
});
