// What watches a server from outside: /health lives, /ready works, `posthorn ready` asks.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import { touchInstallation } from "../../src/store/installation.ts";
import { Readiness, type ProcessHealth } from "../../src/operator/operation/readiness.ts";
import { build } from "../../src/base/version.ts";
import { cliBeside, posthornCli } from "../support/cli.ts";
import { freePort } from "../support/free-port.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const missingOf = ({ store, clock }: Pick<Posthorn, "store" | "clock">, watched: Partial<ProcessHealth> = {}) =>
  new Readiness(
    { store, clock, config: DEFAULTS },
    { stuckLoops: () => [], isRefused: () => false, space: () => null, ...watched },
  ).missing();
const ready = (posthorn: Posthorn) => ask(posthorn, "GET /ready", { key: "none" });

/** Nothing can be stored in the meantime: the row that every probe touches is out of reach. */
async function withoutStore(posthorn: Posthorn, work: () => Promise<void>): Promise<void> {
  await posthorn.store.write((tx) => tx.run`alter table installation rename to lost`);
  posthorn.clock.advance(MINUTE_MS);
  await work();
  await posthorn.store.write((tx) => tx.run`alter table lost rename to installation`);
}

test("a server with a workspace and a store that takes changes is ready, and says what it is", async () => {
  await using posthorn = await startPosthorn();
  const { status, body, headers } = await ready(posthorn);
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(body).toEqual({
    status: "ready",
    ...build(),
    schema: expect.any(Number),
    uptimeSeconds: 0,
    relay: "UNKNOWN",
    waysAway: [],
    stream: null,
  });
});

test("a quiet server proves with a change of its own that its store works, at most every ten seconds", async () => {
  await using posthorn = await workspace();
  const { store, clock } = posthorn;
  clock.advance(MINUTE_MS);
  const before = store.lastWriteMs;
  expect((await ready(posthorn)).status).toBe(200);
  expect(store.lastWriteMs).toBe(clock.monotonicMs());
  expect(store.lastWriteMs).toBeGreaterThan(before);
  clock.advance(9_000);
  expect((await ready(posthorn)).status).toBe(200);
  expect(store.lastWriteMs).toBe(clock.monotonicMs() - 9_000);
});

test("the change of its own reaches the disk and leaves everything as it was", async () => {
  await using posthorn = await startPosthorn();
  const row = () => posthorn.store.read((reader) => reader.all`select * from installation`);
  const log = () => (posthorn.databaseUrl === null ? readFileSync(join(posthorn.dataDir, "posthorn.db-wal")) : null);
  const [before, logBefore] = [await row(), log()];
  posthorn.clock.advance(MINUTE_MS);
  expect((await ready(posthorn)).status).toBe(200);
  expect(await row()).toEqual(before);
  if (logBefore) expect(log()?.equals(logBefore)).toBe(false);
});

test("a server whose store takes no change is alive and not ready, says why, and is ready again once it does", async () => {
  await using posthorn = await workspace();
  await withoutStore(posthorn, async () => {
    expect((await ask(posthorn, "GET /health", { key: "none" })).body).toEqual({ status: "ok" });
    const { status, body, headers } = await ready(posthorn);
    expect([status, body.error.code, headers.get("retry-after")]).toEqual([503, "NOT_READY", "5"]);
    const message = expect.stringMatching(/^Nothing can be stored: .*installation/);
    expect(body.error.errors).toEqual([{ field: "store", code: "unwritable", message }]);
  });
  expect((await ready(posthorn)).status).toBe(200);
  expect(posthorn.logLines.filter((line) => line.includes("a request failed"))).toEqual([]);
});

test("a change that does not come to an end makes a server unready after three seconds", async () => {
  await using posthorn = await workspace();
  const { store, clock } = posthorn;
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const holding = store.write(async (tx) => {
    await touchInstallation(tx);
    begun.resolve();
    await held.promise;
  });
  await begun.promise;
  clock.advance(MINUTE_MS);
  const missing = missingOf({ store, clock });
  clock.advanceToTimeout();
  expect(await missing).toEqual([
    { field: "store", code: "unwritable", message: "Nothing can be stored: it takes too long." },
  ]);
  held.resolve();
  await holding.catch(() => undefined);
});

test("a server without a workspace is not ready", async () => {
  await using posthorn = await workspace();
  await cliBeside(posthorn, ["workspace", "delete", "default", "--yes"]);
  expect((await ready(posthorn)).body.error.message).toBe("There is no workspace yet.");
});

test("a server is not ready while one of its loops does not go on", async () => {
  await using posthorn = await workspace();
  const message = "The loop does not go on: sending.";
  expect(await missingOf(posthorn, { stuckLoops: () => ["sending"] })).toEqual([
    { field: "loops", code: "stuck", message },
  ]);
});

test("a server whose disk has no room for a large mail is not ready, though its probe would fit", async () => {
  await using posthorn = await workspace();
  const space = { path: "/data", totalBytes: 1e12, freeBytes: 2 * DEFAULTS.limits.bodyBytes };
  expect(await missingOf(posthorn, { space: () => space })).toEqual([]);
  const message = "Only 29 MB are free on the disk of /data: large emails are refused.";
  expect(await missingOf(posthorn, { space: () => ({ ...space, freeBytes: 29.9e6 }) })).toEqual([
    { field: "disk", code: "full", message },
  ]);
});

test("the probe changes nothing", async () => {
  await using posthorn = await workspace();
  const rows = () => posthorn.store.read((reader) => reader.all`select * from installation`);
  const before = await rows();
  expect(await posthorn.store.write(touchInstallation)).toBe(1);
  expect(await rows()).toEqual(before);
});

test("posthorn ready answers by its exit code, and says what is missing", async () => {
  const port = String(await freePort());
  const words = (...more: string[]) => posthornCli(["ready", ...more], { POSTHORN_HTTP_PORT: port });
  const nobody = await words();
  expect([nobody.code, nobody.out, nobody.err]).toEqual([
    ...[1, ""],
    expect.stringContaining(`not ready: nobody answers at http://127.0.0.1:${port}/ready`),
  ]);
  await using posthorn = await startPosthorn({ config: { http: { port: Number(port) } } });
  expect(await words()).toEqual({ code: 0, out: "ready", err: "" });
  expect(JSON.parse((await words("--json")).out)).toMatchObject({ ready: true, ...build() });
  await withoutStore(posthorn, async () => {
    expect((await words()).err).toStartWith("not ready: Nothing can be stored: ");
    const looked = await posthornCli(["doctor"], { POSTHORN_HTTP_PORT: port, POSTHORN_DATA_DIR: posthorn.dataDir });
    expect(looked.out).toContain(`ok     port http: 127.0.0.1:${port} answers`);
    const { code, out } = await words("--json");
    expect([code, JSON.parse(out)]).toEqual([
      1,
      { ready: false, message: expect.any(String), errors: [expect.any(Object)] },
    ]);
  });
});

test("posthorn ready says so where nobody can know the port", async () => {
  const { code, err } = await posthornCli(["ready"], { POSTHORN_HTTP_PORT: "0" });
  expect([code, err]).toEqual([1, "The port is not known: http.port is 0, which means any free one."]);
});
