// `posthorn demo`: a shop with a year of mail to look at. Nothing leaves it, and nothing of it stays.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DAY_MS, systemClock } from "../src/base/clock.ts";
import { DEFAULTS, type Config } from "../src/base/config.ts";
import { createLog } from "../src/base/log.ts";
import { withPort } from "../src/http/listener.ts";
import { Demo } from "../src/whole/demo/demo.ts";
import { TEAM, type TeamRole } from "../src/whole/demo/people.ts";
import { seenIn } from "../src/store/clock-queries.ts";
import type { Server } from "../src/whole/server.ts";
import { posthornCli } from "./support/cli.ts";
import { expectTrueCounts } from "./support/counts.ts";
import { expectTrueLedger } from "./support/ledger.ts";
import { cookieIn } from "./support/people.ts";
import type { Json } from "./support/posthorn.ts";

const folder = mkdtempSync(join(tmpdir(), "posthorn-demos-"));
const lines: string[] = [];
const log = createLog({ level: "warn", format: "text", clock: systemClock, write: (line) => lines.push(line) });

type Open = { readonly demo: Demo; readonly server: Server; readonly config: Config };

async function openDemo(isReadOnly: boolean): Promise<Open> {
  const config = withPort({ ...DEFAULTS, http: { ...DEFAULTS.http, port: 0, baseUrl: "http://127.0.0.1:0" } });
  const demo = await Demo.make(config, { log, isReadOnly, within: folder });
  return { demo, config, server: await demo.serve() };
}

let open: Open;
let shown: Open;
beforeAll(async () => {
  for (const name of ["posthorn-demo-killed", "posthorn-demo-mine", "notes"]) mkdirSync(join(folder, name));
  for (const name of ["posthorn-demo-killed", "notes"]) writeFileSync(join(folder, name, "demo.lock"), "");
  open = await openDemo(false);
  shown = await openDemo(true);
}, 180_000);
afterAll(async () => {
  const dirs = [open, shown].map(({ demo }) => demo.dir);
  await open.demo[Symbol.asyncDispose]();
  await shown.demo[Symbol.asyncDispose]();
  expect(dirs.map((dir) => existsSync(dir))).toEqual([false, false]);
  expect(lines).toEqual([]);
  rmSync(folder, { recursive: true });
});

class Visitor {
  private constructor(
    readonly at: Open,
    readonly cookie: string,
    readonly lands: string,
    readonly workspace: string,
  ) {}

  /** Opens the link. */
  static async as(role: TeamRole, at: Open): Promise<Visitor> {
    const answer = await fetch(`${at.server.url}/demo/${role}`, { redirect: "manual" });
    const [cookie, lands] = [cookieIn(answer.headers) ?? "", answer.headers.get("location") ?? ""];
    const { body } = await new Visitor(at, cookie, lands, "").ask("GET /me");
    return new Visitor(at, cookie, lands, body.workspaces[0].id);
  }

  async ask(route: string, body?: object): Promise<{ readonly status: number; readonly body: Json }> {
    const [method = "", path = ""] = route.split(" ");
    const answer = await fetch(this.at.server.url + path, {
      method,
      headers: {
        ...{ cookie: this.cookie, "sec-fetch-site": "same-origin", "content-type": "application/json" },
        ...(this.workspace ? { "x-workspace": this.workspace } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text };
  }

  async get(path: string): Promise<Json> {
    const { status, body } = await this.ask(`GET ${path}`);
    expect([path, status]).toEqual([path, 200]);
    return body;
  }
}

/** What a demo tells, without ids and times. */
async function storyOf(visitor: Visitor): Promise<Json> {
  const campaigns = (await visitor.get("/campaigns?limit=100")).data;
  const results = await Promise.all(
    campaigns
      .filter(({ status }: Json) => status === "SENT")
      .map(async ({ id, name }: Json) => {
        const { sentCount, openedCount, clickedCount } = (await visitor.get(`/campaigns/${id}/stats`)).data;
        return { name, sentCount, openedCount, clickedCount };
      }),
  );
  const contacts = (await visitor.get("/contacts?limit=100&search=ad")).data;
  const suppressions = (await visitor.get("/suppressions?limit=100")).data;
  return {
    campaigns: campaigns.map(({ name, status, subject }: Json) => [name, status, subject]),
    results,
    contacts: contacts.map(({ email, subscribed, data }: Json) => [email, subscribed, data]).sort(),
    suppressions: suppressions.map(({ address, reason }: Json) => `${address} ${reason}`).sort(),
    segments: (await visitor.get("/segments")).map(({ name, memberCount }: Json) => [name, memberCount]),
    orders: (await visitor.get("/events/counts")).names.find(({ name }: Json) => name === "order.placed").count,
  };
}

describe("a demo", () => {
  test.each(Object.keys(TEAM) as TeamRole[])("signs %s in by a link, as often as somebody comes", async (role) => {
    for (const at of [open, open, shown]) {
      const visitor = await Visitor.as(role, at);
      const { email } = await visitor.get("/me");
      expect([visitor.lands, email]).toEqual([TEAM[role].opens, TEAM[role].email]);
      expect((await visitor.ask("GET /users")).status).toBe(TEAM[role].role === "OWNER" ? 200 : 403);
    }
  });

  test("removes the folder of one that was killed, and no other", () => {
    const left = ["posthorn-demo-mine", "notes", ...[open, shown].map(({ demo }) => basename(demo.dir))];
    expect(readdirSync(folder).toSorted()).toEqual(left.toSorted());
  });

  test("lets in nobody whom it does not know", async () => {
    const answer = await fetch(`${open.server.url}/demo/constructor`, { redirect: "manual" });
    expect([answer.status, cookieIn(answer.headers)]).toEqual([404, null]);
  });

  test("has 2,000 people, a year of mail, and something on each screen", async () => {
    const visitor = await Visitor.as("owner", open);
    expect((await visitor.get("/contacts")).total).toBeGreaterThanOrEqual(2_000);
    const yearAgo = new Date(systemClock.nowMs() - 300 * DAY_MS).toISOString();
    expect((await visitor.get(`/emails?limit=100&until=${yearAgo}`)).data.length).toBeGreaterThan(50);
    for (const [path, least] of [
      ["/emails", 700],
      ["/campaigns", 8],
      ["/templates", 4],
      ["/blocks", 1],
      ["/forms", 1],
      ["/workflows", 2],
      ["/suppressions", 5],
      ["/domains", 2],
      ["/keys", 1],
      ["/members", 4],
      ["/invitations", 1],
      ["/audit", 20],
      ["/users", 4],
      ["/installation/ways", 2],
    ] as const)
      expect([path, (await visitor.get(path)).total >= least]).toEqual([path, true]);
    const { topics } = await visitor.get("/topics");
    const { webhooks } = await visitor.get("/webhooks");
    const { views } = await visitor.get("/views?list=people");
    const { data: rules } = await visitor.get("/installation/way-rules");
    expect([topics, webhooks, views, rules].map((list: Json) => list.length)).toEqual([3, 1, 1, 1]);
    const { counts } = await visitor.get("/emails/counts");
    const by = Object.fromEntries(counts.map(({ status, count }: Json) => [status, count]));
    expect([by.DELIVERED > 500, by.BOUNCED >= 5, by.COMPLAINED, by.QUEUED > 0]).toEqual([true, true, 1, true]);
  });

  test("has campaigns with results, and people inside workflows", async () => {
    const visitor = await Visitor.as("marketer", open);
    const { results } = await storyOf(visitor);
    expect(results.length).toBeGreaterThanOrEqual(6);
    for (const one of results)
      expect([one.name, one.sentCount > 50, one.openedCount > 10, one.clickedCount > 0]).toEqual([
        one.name,
        true,
        true,
        true,
      ]);
    for (const { id, name } of (await visitor.get("/workflows")).data) {
      const { executions } = await visitor.get(`/workflows/${id}/counts`);
      expect([name, executions.inside > 0, executions.failed]).toEqual([name, true, 0]);
    }
  });

  test("has a warm-up under way, and reports of receivers", async () => {
    const visitor = await Visitor.as("owner", open);
    const domains: readonly Json[] = (await visitor.get("/domains")).data;
    const warmups = await Promise.all(domains.map(({ id }) => visitor.get(`/domains/${id}/warmup`)));
    expect(warmups.map(({ state }) => state).sort()).toEqual(["RUNNING", "SKIPPED"]);
    for (const { id, verified } of domains) {
      const { dmarc } = await visitor.get(`/domains/${id}/reports`);
      expect([verified, dmarc.series.length, dmarc.messages > dmarc.passed]).toEqual([true, 14, true]);
    }
  });

  test("tells the same story as any other", async () => {
    const [one, other] = [await Visitor.as("owner", open), await Visitor.as("owner", shown)];
    expect(await storyOf(one)).toEqual(await storyOf(other));
  });

  test("keeps its sums and its ledger as any shop does, by a clock that is believed", async () => {
    await expectTrueCounts(open.server.store);
    await expectTrueLedger(open.server.store);
    const { seenAt, doubtedAt } = await open.server.store.read(seenIn);
    expect([Date.parse(seenAt ?? "") <= systemClock.nowMs(), doubtedAt]).toEqual([true, null]);
  });

  test("may be changed, and lets nothing out", async () => {
    const owner = await Visitor.as("owner", open);
    const way = { name: "outside", kind: "smtp", host: "127.0.0.1", port: 25 };
    const { body: refused } = await owner.ask("POST /installation/ways", way);
    expect(refused.error?.message).toBe('No email leaves this installation: delivery.transport is "capture".');
    const leaving = { values: { "delivery.transport": "smtp", "relay.host": "smtp.example.com" } };
    const { status: kept, body: fixed } = await owner.ask("PATCH /installation/configuration", leaving);
    expect([kept, JSON.stringify(fixed)]).toEqual([
      422,
      expect.stringContaining("is set by posthorn demo, which wins"),
    ]);
    const hook = { url: "https://example.com/hook", events: ["*"] };
    const { status, body: made } = await owner.ask("POST /webhooks", hook);
    expect(status).toBe(201);
    const { body: tried } = await owner.ask(`POST /webhooks/${made.id}/test`, { type: "email.sent" });
    await open.server.settle();
    const delivery = await owner.get(`/webhooks/${made.id}/deliveries/${tried.deliveryId}`);
    expect(delivery.attempts[0].answer).toBe("example.com has no address.");
    const { limits } = await owner.get("/installation");
    expect([limits.bodyBytes, limits.importBytes]).toEqual([4_194_304, 4_194_304]);
  });
});

describe("a demo to look at", () => {
  test.each([
    ["POST /templates", { name: "Mine", subject: "Mine", body: "<p>Mine</p>", type: "TRANSACTIONAL" }],
    ["PATCH /workspace", { name: "Mine" }],
    ["DELETE /me/sessions", undefined],
    ["PATCH /me", { name: "Somebody else" }],
    ["POST /f/garden-letters", { email: "me@example.com", _consent: true }],
    ["POST /manage/abc", {}],
    ["POST /v1/track", { email: "me@example.com", event: "mine" }],
    ["POST /workspaces/import", undefined],
    ["POST /workflows/abc/executions/cancel-all", undefined],
    ["POST /workflows/abc/steps/def/retry", undefined],
    ["POST /keys/abc/scheduled/cancel", undefined],
    ["POST /domains/abc/verify", undefined],
  ])("refuses %s, and says so", async (route, body) => {
    const owner = await Visitor.as("owner", shown);
    const { status, body: refused } = await owner.ask(route, body);
    expect([status, refused.error.message]).toEqual([403, "This server is for looking at: it changes nothing."]);
  });

  test("refuses programs of other services in their words", async () => {
    const owner = await Visitor.as("owner", shown);
    const { body } = await owner.ask("POST /compat/resend/emails", {});
    expect(body.message).toBe("This server is for looking at: it changes nothing.");
  });

  test("shows previews, and lets people go", async () => {
    const owner = await Visitor.as("owner", shown);
    const condition = { groups: [{ filters: [{ field: "data.garden", operator: "equals", value: "allotment" }] }] };
    const { status, body } = await owner.ask("POST /segments/preview", { condition });
    expect([status, body.matched > 50]).toEqual([200, true]);
    expect((await owner.ask("DELETE /session")).status).toBe(204);
    expect((await owner.ask("GET /me")).status).toBe(401);
  });
});

describe("posthorn demo", () => {
  const PORT = { POSTHORN_HTTP_PORT: "0" };

  test("says what it is making, prints a link for each, and leaves nothing behind", async () => {
    const before = readdirSync(folder);
    const { code, out } = await posthornCli(["demo", "--data", folder], PORT);
    expect([code, [...out.matchAll(/\/demo\/(\w+)/g)].map(([, role]) => role)]).toEqual([0, Object.keys(TEAM)]);
    expect(out).toStartWith("Making a shop with a year of email");
    expect(readdirSync(folder)).toEqual(before);
  }, 60_000);

  test.each(["soon", "5s"])("refuses to begin anew every %s", async (time) => {
    const { code, err } = await posthornCli(["demo", "--reset-every", time], PORT);
    const said = "posthorn demo takes --reset-every with a time of a minute or more, such as 15m or 1h";
    expect([code, err.split("\n")[0]]).toEqual([2, said]);
  });

  test("asks no authority for certificates", async () => {
    const env = {
      ...PORT,
      POSTHORN_HTTP_TLS: "acme",
      POSTHORN_HTTP_BASE_URL: "https://demo.example.com",
      POSTHORN_HTTP_ACME_EMAIL: "me@example.com",
    };
    const { code, err } = await posthornCli(["demo"], env);
    expect([code, err]).toEqual([1, expect.stringContaining("asks no authority")]);
  });
});
