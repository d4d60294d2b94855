// The test clock: it stands still until it is moved, and all that becomes due on the way happens at its time.
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, StillClock } from "../../src/base/clock.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import { loadSecrets } from "../../src/base/secrets.ts";
import { freePort } from "../support/free-port.ts";
import { somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { openShopInTestTime, startIn as start, type ShopInTestTime } from "../support/test-time.ts";
import { addFirstWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((dir) => rmSync(dir, { recursive: true })));

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "posthorn-clock-"));
  folders.push(dir);
  return dir;
}

const openShop = (dir = folder()) => openShopInTestTime(dir);

/** A mail at once, one after three days, and one to those who have not come back after thirty. */
async function onboard(shop: ShopInTestTime): Promise<void> {
  const template = {
    name: "Hello",
    subject: "Hello",
    body: "<p>Hello</p>",
    from: "hello@example.test",
    type: "TRANSACTIONAL",
  };
  const { body } = await shop.ask("POST /templates", template);
  const mail = (name: string) => ({ type: "SEND_EMAIL", name, config: { templateId: body.id } });
  const steps = [
    mail("At once"),
    { type: "DELAY", name: "Three days", config: { amount: 3, unit: "days" } },
    mail("After three days"),
    { type: "WAIT_FOR_EVENT", name: "Back?", config: { eventName: "came.back", timeout: (27 * DAY_MS) / 1000 } },
    mail("After thirty days"),
  ];
  const flow = { name: "Onboarding", eventName: "signup", enabled: true, steps };
  expect((await shop.ask("POST /workflows", flow)).status).toBe(201);
  expect((await shop.ask("POST /v1/track", { email: "ada@example.com", event: "signup" })).status).toBe(200);
}

test("thirty days of onboarding happen in one call, each step at its time", async () => {
  await using shop = await openShop();
  const sinceMs = await shop.nowMs();
  await onboard(shop);
  await shop.nowMs();
  const happened = await shop.advance("31d", sinceMs);
  expect(happened.filter((one) => one.endsWith("email.sent"))).toEqual(["72 h: email.sent", "720 h: email.sent"]);
  expect((await shop.nowMs()) - sinceMs).toBe(31 * DAY_MS);
});

test("time that goes by in steps or at once leaves the same trace", async () => {
  await using inSteps = await openShop();
  await using atOnce = await openShop();
  const traces: string[][] = [];
  for (const [shop, by, times] of [
    [inSteps, "12h", 8],
    [atOnce, "4d", 1],
  ] as const) {
    const sinceMs = await shop.nowMs();
    await onboard(shop);
    await shop.nowMs();
    const trace: string[] = [];
    for (let at = 0; at < times; at++) trace.push(...(await shop.advance(by, sinceMs)));
    traces.push(trace);
  }
  expect(traces).toEqual([["72 h: email.sent"], ["72 h: email.sent"]]);
});

class WatchedClock extends StillClock {
  moves = 0;

  override moveTo(ms: number): void {
    this.moves++;
    super.moveTo(ms);
  }
}

test("a day without work stops for what is hourly, and not every minute", async () => {
  const clock = new WatchedClock();
  await using shop = await openShopInTestTime(folder(), clock);
  await shop.advance("1d", 0);
  clock.moves = 0;
  await shop.advance("1d", 0);
  expect(clock.moves).toBeLessThan(300);
});

test("what is due now happens without a call, and time stands still", async () => {
  await using shop = await openShop();
  const nowMs = await shop.nowMs();
  const mail = { to: "ada@example.com", from: "hello@example.test", subject: "Hello", body: "<p>Hello</p>" };
  await shop.ask("POST /v1/send", mail);
  expect(await shop.nowMs()).toBe(nowMs);
  const { body } = await shop.ask("GET /emails");
  expect(body.data.map(({ status, sentAt }: Json) => [status, Date.parse(sentAt)])).toEqual([["SENT", nowMs]]);
});

test("a server that starts again goes on at the time that it had reached", async () => {
  const dir = folder();
  await using shop = await openShop(dir);
  await shop.ask("POST /test/clock", { to: "2040-01-01T00:00:00Z" });
  await shop.advance("4d", 0);
  const reachedMs = await shop.nowMs();
  await shop.server[Symbol.asyncDispose]();
  const clock = new StillClock();
  await using again = await start(dir, { clock });
  expect([clock.nowMs(), again.routes.length > 0]).toEqual([reachedMs, true]);
});

test("a move that a kill has ended goes on where the server had come to", async () => {
  const dir = folder();
  const shop = await openShop(dir);
  const seenMs = (await shop.nowMs()) + 5 * DAY_MS;
  const at = new Date(seenMs).toISOString();
  await shop.server.store.write((tx) => tx.run`update installation set clock_seen_at = ${at}`);
  await shop.server[Symbol.asyncDispose]();
  const clock = new StillClock();
  await using _ = await start(dir, { clock });
  expect(clock.nowMs()).toBe(seenMs);
});

test.each([
  ["neither", {}, "advance"],
  ["both", { advance: "1d", to: "2040-01-01T00:00:00Z" }, "advance"],
  ["no length of time", { advance: "soon" }, "advance"],
  ["a moment that is over", { to: "2020-01-01T00:00:00Z" }, "to"],
  ["more than a thousand days", { advance: "1001d" }, "advance"],
])("%s is refused, and moves nothing", async (_, body, field) => {
  await using shop = await openShop();
  const nowMs = await shop.nowMs();
  const refused = await shop.ask("POST /test/clock", body);
  expect([refused.status, refused.body.error.errors[0].field, await shop.nowMs()]).toEqual([422, field, nowMs]);
});

test("a server by the machine's clock refuses to move it", async () => {
  await using posthorn = await workspace();
  for (const [route, body] of [["GET /test/clock"], ["POST /test/clock", { advance: "1d" }]] as const) {
    const { status, body: refused } = await posthorn.call(route, body);
    expect([status, refused.error.suggestion]).toEqual([409, expect.stringContaining("serve --test-clock")]);
  }
});

test("a test clock has a store of its own, from which no email leaves", async () => {
  const [used, moved] = [folder(), folder()];
  const plain = await start(used);
  await addFirstWorkspace({ store: plain.store, secrets: loadSecrets(null, used) });
  await plain[Symbol.asyncDispose]();
  await (await openShop(moved))[Symbol.asyncDispose]();
  const relay = { ...DEFAULTS.relay, host: "127.0.0.1" };
  const delivery = { ...DEFAULTS.delivery, transport: "smtp" as const };
  expect(start(used, { clock: new StillClock() })).rejects.toThrow("a store of its own");
  expect(start(moved)).rejects.toThrow("goes by a test clock");
  expect(start(folder(), { clock: new StillClock(), delivery, relay })).rejects.toThrow("must not leave");
});

test("no owner lets email leave while a test clock goes", async () => {
  const http = { ...DEFAULTS.http, port: 0, baseUrl: "http://mail.example.com" };
  const dir = folder();
  await using server = await start(dir, { clock: new StillClock(), http });
  await addFirstWorkspace({ store: server.store, secrets: loadSecrets(null, dir) });
  const owner = await somebody({ server, store: server.store } as Posthorn, "OWNER");
  const values = { "delivery.transport": "smtp", "relay.host": "127.0.0.1", "relay.port": await freePort() };
  const { status, body } = await owner.ask("PATCH /installation/configuration", { body: { values } });
  expect([status, body.error.errors.map(({ message }: Json) => message)]).toEqual([
    422,
    expect.arrayContaining([expect.stringContaining('must be "capture" while the server has a test clock')]),
  ]);
});
