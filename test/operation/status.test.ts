// `posthorn status`: how the installation fares, and the exit code that says whether somebody is needed.
import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../src/base/clock.ts";
import { insertStarted, updateFailed, updateMade } from "../../src/operator/backup/queries.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import { holdAll } from "../../src/store/hold.ts";
import { setMarketingStopped } from "../../src/tenant/workspaces/queries.ts";
import { statusOf } from "../../src/operator/operation/status.ts";
import { cliBeside, jsonBeside } from "../support/cli.ts";
import { TestClock } from "../support/clock.ts";
import { freshDirectory } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn } from "../support/posthorn.ts";

async function start() {
  const port = await freePort();
  const clock = new TestClock(new Date().toISOString());
  const posthorn = await startPosthorn({ clock, config: { http: { port } } });
  return { posthorn, env: { POSTHORN_HTTP_PORT: String(port) } };
}

test("a server that fares well says so on one screen, with exit code 0", async () => {
  const { posthorn, env } = await start();
  await using _ = posthorn;
  await posthorn.call("POST /v1/send", letter);
  await posthorn.settle();
  posthorn.clock.advance(3 * DAY_MS);
  const { code, out } = await cliBeside(posthorn, ["status"], env);
  expect([code, out.split("\n")[0]]).toEqual([
    0,
    expect.stringMatching(/^server  ready, version \S+, up for 3 d 0 h$/),
  ]);
  expect(out).toContain("\nrelay   answering\n");
  expect(out).toContain("\nqueue   empty\n");
  expect(out).toEndWith("\nAll clear.");
  const record = await jsonBeside(posthorn, ["status"], env);
  expect(record).toMatchObject({ heldSince: null, queue: [], needs: [], failingDomains: [], jobs: [] });
});

test("what waits is shown with its reason, by workspace", async () => {
  const { posthorn, env } = await start();
  await using _ = posthorn;
  posthorn.transport.answer = () => ({ kind: "later", reply: "451 later" });
  await posthorn.call("POST /v1/send", letter);
  await posthorn.settle();
  await posthorn.call("POST /v1/send", { ...letter, to: ["bob@example.com", "eva@example.com"] });
  const { queue } = await jsonBeside(posthorn, ["status"], env);
  expect(queue).toEqual([
    { workspace: "default", reason: "deferred", mails: 1, oldestAt: expect.any(String) },
    { workspace: "default", reason: "due", mails: 2, oldestAt: expect.any(String) },
  ]);
});

test("what needs somebody is named, with exit code 1", async () => {
  const { posthorn, env } = await start();
  await using _ = posthorn;
  posthorn.transport.answer = () => ({ kind: "unreachable", reply: "connection refused" });
  await posthorn.call("POST /v1/send", letter);
  await posthorn.settle();
  await posthorn.store.write(async (tx) => {
    await tx.run`update domains set failing_since = ${tx.now}`;
    await setMarketingStopped(tx, 1, "too many emails bounce for good");
    await updateFailed(tx, await insertStarted(tx, "posthorn.tar", 1), "the bucket is gone");
  });
  const { code, out } = await cliBeside(posthorn, ["status"], env);
  expect(code).toBe(1);
  expect(out.split("Needs attention:\n")[1]?.split("\n")).toEqual([
    "  The relay cannot be used; email waits. posthorn doctor tries it.",
    "  The DNS record of example.test (default) is gone.",
    "  Marketing email of default is stopped: too many emails bounce for good",
    "  The last backup failed: the bucket is gone",
  ]);
});

test("beside a server that does not answer it says so, and shows the rest", async () => {
  const { posthorn } = await start();
  await using _ = posthorn;
  const { code, out } = await cliBeside(posthorn, ["status"], { POSTHORN_HTTP_PORT: String(await freePort()) });
  expect(code).toBe(1);
  expect(out).toMatch(/^server  not ready\n/);
  expect(out).toContain("The server is not ready: nobody answers at http://127.0.0.1:");
});

test.each([
  ["FOLLOWING", []],
  ["FAILING", ["Nothing reaches the place of backup.stream; the log says why, and what came since is only here."]],
] as const)("a stream that is %s needs somebody, or not", async (stream, needs) => {
  await using posthorn = await startPosthorn();
  const config = { ...DEFAULTS, data: { dir: posthorn.dataDir } };
  const server = {
    ...{ isThere: true, ready: true, problem: null, version: "1", uptimeSeconds: 1, relay: "UNKNOWN" },
    stream,
    waysAway: [],
  };
  const place = { ...config, database: { ...config.database, url: posthorn.databaseUrl } };
  const looked = { config: place, server, nowMs: posthorn.clock.nowMs() };
  expect((await posthorn.store.read((reader) => statusOf(reader, looked))).needs).toEqual([...needs]);
});

test.each([
  ["none was ever made", null, ["No backup has been made yet."]],
  ["the last one is three days old", 3, [expect.stringContaining("The last backup was made at ")]],
  ["the last one is from yesterday", 1, []],
])("a schedule of backups needs somebody where %s", async (_, daysAgo, needs) => {
  await using posthorn = await startPosthorn();
  const { store, clock } = posthorn;
  if (daysAgo !== null) await store.write(async (tx) => updateMade(tx, await insertStarted(tx, "posthorn.tar", 1), 1));
  clock.advance((daysAgo ?? 0) * DAY_MS);
  const config = { ...DEFAULTS, data: { dir: posthorn.dataDir }, backup: { ...DEFAULTS.backup, everySeconds: 86_400 } };
  const server = {
    isThere: true,
    ready: true,
    problem: null,
    version: "1",
    uptimeSeconds: 1,
    relay: "UNKNOWN",
    stream: null,
    waysAway: [],
  };
  const place = { ...config, database: { ...config.database, url: posthorn.databaseUrl } };
  const seen = await store.read((reader) => statusOf(reader, { config: place, server, nowMs: clock.nowMs() }));
  expect(seen.needs).toEqual(needs);
});

test("what still is wrong is said in the log at the next start, and not again while that one runs", async () => {
  const directory = freshDirectory();
  const options = { dataDir: directory.path, clock: new TestClock(new Date().toISOString()) };
  const said = (lines: readonly string[]) =>
    lines
      .flatMap((line) => line.split("needs attention: ").slice(1))
      .map((text) => text.replace(/since \S+Z/, "since T"));
  {
    await using posthorn = await startPosthorn(options);
    await posthorn.settle();
    expect(said(posthorn.logLines)).toEqual([]);
    await posthorn.store.write(async (tx) => {
      await tx.run`update domains set failing_since = ${tx.now}`;
      await holdAll(tx);
      await updateFailed(tx, await insertStarted(tx, "posthorn.tar", 1), "the bucket is gone");
    });
    posthorn.clock.advance(HOUR_MS);
    await posthorn.settle();
    // Whoever changed it has said so, but for what time has brought.
    expect(said(posthorn.logLines)).toEqual(["The last backup failed: the bucket is gone"]);
  }
  await using again = await startPosthorn(options);
  const expected = [
    "The installation is held since T: posthorn release lets email leave.",
    "The DNS record of example.test (default) is gone.",
    "The last backup failed: the bucket is gone",
  ];
  await again.settle();
  expect(said(again.logLines)).toEqual(expected);
  again.clock.advance(HOUR_MS);
  await again.settle();
  expect(said(again.logLines)).toEqual(expected);
  directory.remove();
});
