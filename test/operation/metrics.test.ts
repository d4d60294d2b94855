// The page of figures: where it is, who may read it, what moves when something happens, and what is never on it.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { DEFAULTS, type Config } from "../../src/base/config.ts";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { setBegun } from "../../src/operator/retention/queries.ts";
import { freePort } from "../support/free-port.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const PROMTOOL = Bun.which("promtool");

function startWith(metrics: Partial<Config["metrics"]>, more: Parameters<typeof startPosthorn>[0] = {}) {
  return startPosthorn({
    ...more,
    config: { ...more.config, metrics: { ...DEFAULTS.metrics, path: "/metrics", ...metrics } },
  });
}

/** A minute later: what is measured is measured anew. */
async function figures({ server, clock }: Posthorn): Promise<string> {
  clock.advance(MINUTE_MS);
  return (await fetch(`${server.url}/metrics`)).text();
}

/** The value of one line, by its beginning. */
function valueOf(text: string, figure: string): number | undefined {
  const line = text.split("\n").find((one) => one.startsWith(`${figure} `));
  return line === undefined ? undefined : Number(line.slice(figure.length + 1));
}

async function send(posthorn: Posthorn, to = "ada@example.com"): Promise<void> {
  expect((await posthorn.call("POST /v1/send", { ...letter, to })).status).toBe(200);
}

test("a mail is counted on its way: accepted, waiting, claimed, sent", async () => {
  await using posthorn = await startWith({});
  await send(posthorn);
  const before = await figures(posthorn);
  expect(valueOf(before, 'posthorn_mails_accepted_total{kind="transactional"}')).toBe(1);
  expect(valueOf(before, 'posthorn_queue_mails{lane="transactional"}')).toBe(1);
  expect(valueOf(before, 'posthorn_due{queue="transactional"}')).toBe(1);
  expect(valueOf(before, 'posthorn_due_oldest_seconds{queue="transactional"}')).toBe(60);
  expect(valueOf(before, "posthorn_relay_reachable")).toBeUndefined();
  await posthorn.settle();
  const after = await figures(posthorn);
  expect(valueOf(after, "posthorn_mails_claimed_total")).toBe(1);
  expect(valueOf(after, 'posthorn_handovers_total{outcome="sent",transport="capture",kind="transactional"}')).toBe(1);
  expect(valueOf(after, 'posthorn_handover_duration_seconds_count{outcome="sent"}')).toBe(1);
  expect(valueOf(after, 'posthorn_queue_mails{lane="transactional"}')).toBe(0);
  expect(valueOf(after, 'posthorn_due_oldest_seconds{queue="transactional"}')).toBe(0);
  expect(valueOf(after, "posthorn_relay_reachable")).toBe(1);
});

test("failures begin with none, so that the first is seen as one more", async () => {
  await using posthorn = await startWith({});
  const text = await figures(posthorn);
  expect(valueOf(text, 'posthorn_loop_failures_total{loop="sending"}')).toBe(0);
  expect(valueOf(text, 'posthorn_handovers_total{outcome="bounced",transport="capture",kind="transactional"}')).toBe(0);
  expect(valueOf(text, 'posthorn_handovers_total{outcome="failed",transport="capture",kind="transactional"}')).toBe(0);
});

test.each([
  ["bounced", { kind: "bounced", reply: "550 5.1.1 No such user" }],
  ["failed", { kind: "failed", reply: "554 5.7.1 Refused" }],
  ["deferred", { kind: "later", reply: "451 4.7.1 Later" }],
  ["unreachable", { kind: "unreachable", reply: "connection refused" }],
] as const)("a hand-over that ends otherwise is counted as %s", async (outcome, answer) => {
  await using posthorn = await startWith({});
  posthorn.transport.answer = () => answer;
  await send(posthorn);
  await posthorn.settle();
  const text = await figures(posthorn);
  expect(valueOf(text, `posthorn_handovers_total{outcome="${outcome}",transport="capture",kind="transactional"}`)).toBe(
    1,
  );
  expect(valueOf(text, "posthorn_relay_reachable")).toBe(outcome === "unreachable" ? 0 : 1);
});

test("a request that is refused is no mail, and is counted by its route and status", async () => {
  await using posthorn = await startWith({});
  await posthorn.call("POST /v1/send", { to: "ada@example.com" });
  await posthorn.call("GET /contacts/01980000-0000-7000-8000-000000000000");
  await posthorn.call("GET /nothing/here");
  await fetch(`${posthorn.server.url}/health`, { method: "PROPFIND" });
  const text = await figures(posthorn);
  expect(valueOf(text, 'posthorn_mails_accepted_total{kind="transactional"}')).toBe(0);
  const requests = text.split("\n").filter((line) => line.startsWith("posthorn_http_requests_total"));
  expect(requests).toEqual(
    expect.arrayContaining([
      'posthorn_http_requests_total{method="POST",route="/v1/send",status="422"} 1',
      'posthorn_http_requests_total{method="GET",route="/contacts/:id",status="404"} 1',
      'posthorn_http_requests_total{method="GET",route="none",status="404"} 1',
      'posthorn_http_requests_total{method="OTHER",route="none",status="405"} 1',
    ]),
  );
  expect(valueOf(text, 'posthorn_http_request_duration_seconds_count{method="POST",route="/v1/send"}')).toBe(1);
});

test("a change that is undone is not counted", async () => {
  await using posthorn = await startWith({});
  const broken = posthorn.call("POST /v1/send", { ...letter, from: "hello@elsewhere.test" });
  expect((await broken).status).toBe(403);
  expect(valueOf(await figures(posthorn), 'posthorn_mails_accepted_total{kind="transactional"}')).toBe(0);
});

test("the store, its second thread, the loops and the process are measured", async () => {
  await using posthorn = await startWith({});
  await posthorn.settle();
  await figures(posthorn);
  const text = await figures(posthorn);
  for (const figure of [
    "posthorn_commit_duration_seconds_count",
    "posthorn_commit_writes_sum",
    "posthorn_long_read_duration_seconds_count",
    'posthorn_store_bytes{part="database"}',
    'posthorn_loop_batches_total{loop="sending"}',
    "process_resident_memory_bytes",
    "process_cpu_seconds_total",
  ])
    expect([figure, valueOf(text, figure)]).toEqual([figure, expect.any(Number)]);
  expect(valueOf(text, "posthorn_commit_writes_sum")).toBeGreaterThan(0);
  expect(valueOf(text, 'posthorn_pruned_rows_total{what="old idempotency keys"}')).toBe(0);
});

test("what is pruned is counted by kind, from nothing on", async () => {
  await using posthorn = await startWith({});
  await send(posthorn);
  await posthorn.settle();
  const pruned = async (what: string) =>
    valueOf(await figures(posthorn), `posthorn_pruned_rows_total{what="old ${what}"}`);
  expect([await pruned("mails"), await pruned("bodies"), await pruned("events")]).toEqual([0, 0, 0]);
  posthorn.clock.advance(91 * 24 * 60 * MINUTE_MS);
  await posthorn.settle();
  expect([await pruned("mails"), await pruned("bodies")]).toEqual([0, 1]);
  posthorn.clock.advance(300 * 24 * 60 * MINUTE_MS);
  await posthorn.settle();
  expect([await pruned("mails"), await pruned("bodies")]).toEqual([1, 1]);
});

test("what should be gone is told by the age of the oldest, and is not told again when all is gone through once more", async () => {
  const days = (number: number) => number * 24 * 60 * MINUTE_MS;
  const retention = { ...DEFAULTS.retention, mailDays: 0, bodyDays: 40, eventDays: 31, attemptDays: 0 };
  await using posthorn = await startWith({}, { config: { retention } });
  await send(posthorn);
  await posthorn.settle();
  const backlog = async (what: string) =>
    valueOf(await figures(posthorn), `posthorn_retention_backlog_seconds{what="old ${what}"}`);
  posthorn.clock.advance(days(41) - 2 * MINUTE_MS);
  expect([await backlog("bodies"), await backlog("events")]).toEqual([days(1) / 1000 - 60, days(10) / 1000]);
  expect([await backlog("mails"), await backlog("inbound")]).toEqual([0, 0]);
  await posthorn.settle();
  expect([await backlog("bodies"), await backlog("events")]).toEqual([0, 0]);
  const left = (await posthorn.events()).length;
  expect(left).toBeGreaterThan(0);
  posthorn.clock.advance(days(32));
  await posthorn.store.write((tx) => setBegun(tx, { workspace: 1, kind: "events" }));
  expect(await backlog("events")).toBe(0);
  await posthorn.settle();
  expect((await posthorn.events()).length).toBe(left);
});

test("no address, domain or name is on it, and workspaces only where that is asked for, by id", async () => {
  await using quiet = await startWith({});
  await using apart = await startWith({ workspaces: true });
  const { body } = await ask(apart, "GET /workspace");
  for (const posthorn of [quiet, apart]) {
    await send(posthorn);
    await posthorn.settle();
    await send(posthorn, "bob@example.com");
    expect(await figures(posthorn)).not.toMatch(/ada|bob|example|default|@/);
  }
  expect(await figures(quiet)).not.toContain("workspace=");
  const text = await figures(apart);
  expect(valueOf(text, `posthorn_mails_accepted_total{kind="transactional",workspace="${body.id}"}`)).toBe(2);
  expect(valueOf(text, `posthorn_queue_mails{lane="transactional",workspace="${body.id}"}`)).toBe(1);
});

test("it is nowhere unless it is asked for, on a path of its own, or on a port of its own", async () => {
  await using off = await workspace();
  expect((await fetch(`${off.server.url}/metrics`)).status).toBe(404);
  const port = await freePort();
  await using apart = await startWith({ path: "/metrics/node1", port });
  const place = `http://127.0.0.1:${port}`;
  const seen = await Promise.all(
    [`${apart.server.url}/metrics/node1`, `${place}/metrics`, `${apart.server.url}/metrics`, `${place}/health`].map(
      async (url) => (await fetch(url)).status,
    ),
  );
  expect(seen).toEqual([200, 200, 404, 404]);
  expect((await fetch(`${place}/metrics`)).headers.get("content-type")).toBe(
    "text/plain; version=0.0.4; charset=utf-8",
  );
});

test("a port that is taken is named", async () => {
  using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("") });
  const starting = startWith({ port: other.port ?? 0 });
  await expect(starting).rejects.toThrow(
    `127.0.0.1:${other.port} cannot be listened on for figures (EADDRINUSE). Set another metrics.port.`,
  );
});

test("with a token only those who send it may read", async () => {
  await using posthorn = await startWith({ token: "a long and secret word" });
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${posthorn.server.url}/metrics`, { headers })).status;
  expect(await status({})).toBe(401);
  expect(await status({ authorization: "Bearer another" })).toBe(401);
  expect(await status({ authorization: `Bearer ${posthorn.keys.secret}` })).toBe(401);
  expect(await status({ authorization: "Bearer a long and secret word" })).toBe(200);
});

test.skipIf(PROMTOOL === null)("promtool finds nothing wrong with it (promtool of Debian's prometheus)", async () => {
  for (const workspaces of [false, true]) {
    await using posthorn = await startWith({ workspaces });
    await send(posthorn);
    await posthorn.settle();
    const stdin = new Blob([await figures(posthorn)]);
    const { exitCode, stdout, stderr } = await runPromtool(stdin);
    expect([exitCode, stdout, stderr]).toEqual([0, "", ""]);
  }
});

async function runPromtool(stdin: Blob) {
  const promtool = Bun.spawn([PROMTOOL ?? "", "check", "metrics"], { stdin, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = [await new Response(promtool.stdout).text(), await new Response(promtool.stderr).text()];
  return { exitCode: await promtool.exited, stdout, stderr };
}

test("the dashboard and the guide name figures that there are, and all of them", async () => {
  await using posthorn = await startWith({}, { config: { delivery: { ratePerSecond: 14 } } });
  await send(posthorn);
  await posthorn.settle();
  await figures(posthorn);
  const there = new Set([...(await figures(posthorn)).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name as string));
  // What this server has not: a clock that goes on, a fault, a backup, a certificate, a stream, several ways out, a
  // mailbox; with PostgreSQL, the disk.
  const others = [
    ...["way_usable", "mailbox_readable", "mailbox_messages_total"],
    ...["event_loop_delay_seconds", "disk_free_bytes", "disk_size_bytes"],
    ...["backup_last_success_seconds", "backup_every_seconds"],
    ...["certificate_expiry_seconds", "certificate_ends_soon", "certificate_fault"],
    ...["stream_lag_seconds", "stream_waiting_bytes", "stream_works", "stream_refused", "standby_seen_seconds"],
  ];
  for (const one of others) there.add(`posthorn_${one}`);
  const { panels } = JSON.parse(readFileSync("docs/operate/grafana.json", "utf8")) as Json;
  const drawn = new Set(
    panels.flatMap(({ targets }: Json) =>
      targets.flatMap(({ expr }: Json) =>
        [...expr.matchAll(/\b(posthorn|process)_\w+/g)].map(([name]) => baseOf(name)),
      ),
    ),
  );
  expect([...drawn].toSorted()).toEqual([...there].toSorted());
  const guide = readFileSync("docs/operate/monitoring.md", "utf8");
  const told = [...there].map((name) => name.replace("posthorn_", ""));
  expect(told.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});

function baseOf(figure: string): string {
  return figure.replace(/_(bucket|sum|count)$/, "");
}
