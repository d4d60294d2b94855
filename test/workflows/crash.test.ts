// Workflows survive kill -9 at any moment: no step's effect is lost, none is had twice; a webhook that comes again has
// the same id.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Receiver } from "../crash/receiver.ts";
import { ServerProcess } from "../crash/server-process.ts";
import { Sink } from "../crash/sink.ts";
import { freshDatabase } from "../support/database.ts";
import { seeded } from "../support/seeded.ts";

const KILLS = 3;
const CONTACTS_A_RUN = 60;
const CLIENTS = 6;
const PROGRAM = new URL("../crash/serve-node.ts", import.meta.url).pathname;

type Json = ReturnType<typeof JSON.parse>;

test(`after ${KILLS} kills every execution has had each effect, mails once and webhooks under one id`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "posthorn-workflows-"));
  const { url: database } = await freshDatabase();
  const random = seeded(7);
  await using sink = await Sink.start(seeded(8));
  const { receiver, url: hooks } = await Receiver.start();
  await using _receiver = receiver;
  let key = "";
  let run = 0;
  const start = async () => {
    const settings = {
      POSTHORN_WEBHOOKS_ALLOW: "127.0.0.1",
      POSTHORN_WEBHOOKS_TIMEOUT_SECONDS: "5",
      POSTHORN_SECRETS_KEY: "5e".repeat(32),
      ...(database === null ? {} : { POSTHORN_DATABASE_URL: database }),
    };
    const program = [PROGRAM, JSON.stringify({ leaseMs: 1_500 })];
    const server = await ServerProcess.start({ dataDir, relayPort: sink.port, run: run++, program, settings });
    key ||= server.secretKey ?? "";
    return server;
  };
  const ask = async (url: string, method: string, path: string, body?: object, headers: object = {}): Promise<Json> => {
    const init = {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    };
    const response = await fetch(url + path, body ? { ...init, body: JSON.stringify(body) } : init);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };

  /** Contacts whose event was answered 200; an event without an answer is sent again under its key. */
  const entered = new Set<string>();
  const open: string[] = [];
  const client = async (url: string) => {
    for (let email = open.pop(); email; email = open.pop()) {
      try {
        await ask(url, "POST", "/v1/track", { email, event: "signup" }, { "idempotency-key": email });
        entered.add(email);
      } catch {
        open.push(email);
        return;
      }
    }
  };

  try {
    let [workflow, reports] = ["", ""];
    for (let kill = 0; kill <= KILLS; kill++) {
      await using server = await start();
      if (kill === 0) [workflow, reports] = await build((path, body) => ask(server.url, "POST", path, body), hooks);
      if (kill < KILLS) open.push(...Array.from({ length: CONTACTS_A_RUN }, (_, n) => `r${kill}c${n}@example.com`));
      const clients = Array.from({ length: CLIENTS }, () => client(server.url));
      if (kill < KILLS) {
        await Bun.sleep(30 + random.below(300));
        await server.kill();
        await Promise.all(clients);
        continue;
      }
      await Promise.all(clients);
      const count = async (status: string, of = workflow): Promise<number> =>
        (await ask(server.url, "GET", `/workflows/${of}/executions?pageSize=1&status=${status}`)).total;
      const mails = async (status: string): Promise<number> =>
        (await ask(server.url, "GET", `/emails?pageSize=1&status=${status}`)).total;
      const startedMs = performance.now();
      while ((await count("COMPLETED")) < entered.size || (await mails("SENT")) < 2 * entered.size) {
        const waitedMs = performance.now() - startedMs;
        if (waitedMs > 90_000) break;
        // Whose attempts were cut off several times before the receiver refused one would wait for minutes.
        if (waitedMs > 15_000) await retryWaiting((method, path) => ask(server.url, method, path), workflow);
        await Bun.sleep(100);
      }
      expect(entered.size).toBe(KILLS * CONTACTS_A_RUN);
      expect([await count("COMPLETED"), await count("WAITING"), await count("RUNNING")]).toEqual([entered.size, 0, 0]);
      // Each event starts one, though nothing but the event keeps a second one out.
      expect([await count("WAITING", reports), await count("RUNNING", reports)]).toEqual([entered.size, 0]);
      expect((await server.stop()).exitCode).toBe(0);
    }
    const byRecipient = Map.groupBy(sink.arrivals, ({ recipient }) => recipient);
    const byContact = Map.groupBy(receiver.deliveries, ({ email }) => email);
    for (const email of entered) {
      const mails = new Set((byRecipient.get(email) ?? []).map(({ id }) => id));
      const webhooks = new Set((byContact.get(email) ?? []).map(({ id }) => id));
      expect([email, mails.size, webhooks.size]).toEqual([email, 2, 1]);
    }
    // Kills did cut attempts short, or nothing was tested.
    expect(receiver.deliveries.length).toBeGreaterThan(entered.size);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** Tries at once what waits for its next attempt; what is being sent at this moment is refused, and needs no other. */
async function retryWaiting(ask: (method: string, path: string) => Promise<Json>, workflow: string): Promise<void> {
  const path = `/workflows/${workflow}/executions`;
  const { data } = await ask("GET", `${path}?status=WAITING`);
  for (const { id, currentStep } of data)
    await ask("POST", `${path}/${id}/steps/${currentStep.id}/retry`).catch(() => undefined);
}

async function build(
  post: (path: string, body: object) => Promise<Json>,
  hooks: string,
): Promise<[flow: string, reports: string]> {
  const template = { subject: "Hi", body: "<p>Hi</p>", type: "TRANSACTIONAL", from: "hello@example.test" };
  const { id: templateId } = await post("/templates", { name: "Hi", ...template });
  const mail = { type: "SEND_EMAIL", config: { templateId } };
  const steps = [
    { ...mail, name: "First" },
    { type: "WEBHOOK", name: "Hook", config: { url: `${hooks}/x` } },
    { type: "UPDATE_CONTACT", name: "Mark", config: { data: { done: true } } },
    { ...mail, name: "Second" },
  ];
  const { id } = await post("/workflows", { name: "Flow", eventName: "signup", enabled: true, steps });
  const later = { type: "DELAY", name: "Later", config: { amount: 1, unit: "days" } };
  const reports = { name: "Reports", eventName: "signup", enabled: true, reentry: "always", steps: [later] };
  return [id, (await post("/workflows", reports)).id];
}
