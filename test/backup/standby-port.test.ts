// A standby is watched like a server: /ready and /metrics at a port of its own say how far it is, and why it stands
// still.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../src/whole/main.ts";
import { posthornCli } from "../support/cli.ts";
import { ENGINE } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { leftovers, until } from "../support/leftovers.ts";
import { startPosthorn, type Json } from "../support/posthorn.ts";

const { clean, folder } = leftovers();

async function streamed(stream: string): Promise<void> {
  await using posthorn = await startPosthorn({ dataDir: folder(), config: { backup: { stream } } });
  await until(() => readdirSync(stream).some((name) => name.startsWith("snapshot-")));
  expect((await posthorn.call("POST /contacts", { email: "ada@example.com" })).status).toBe(201);
}

/** Runs until the test ends. */
async function standingBy(stream: string, words: readonly string[] = []) {
  const [port, stopped, lines] = [await freePort(), Promise.withResolvers<void>(), [] as string[]];
  const say = (line: string) => void lines.push(line);
  const io = { out: say, err: say, ask: async () => "", env: {}, untilStopped: () => stopped.promise, onHangUp() {} };
  const args = ["standby", "--from", stream, "--data", folder(), "--port", String(port), ...words];
  const ended = run(args, io);
  clean.push(() => (stopped.resolve(), ended));
  const asked = (path: string, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers });
  /** Once it has that status. */
  const ready = (status: number) =>
    until(async () => {
      const answer = await asked("/ready").catch(() => null);
      return answer?.status === status && ((await answer.json()) as Json);
    });
  return { asked, ready, lines };
}

async function figuresOf({ asked }: Awaited<ReturnType<typeof standingBy>>): Promise<Record<string, number>> {
  const text = await (await asked("/metrics")).text();
  return Object.fromEntries(
    [...text.matchAll(/^posthorn_standby_(\w+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
  );
}

describe.skipIf(ENGINE === "postgres")("a standby with a port", () => {
  test("that follows is ready, and says how far it is and what its last piece was", async () => {
    const stream = folder();
    await streamed(stream);
    const standby = await standingBy(stream);
    const { status, reachedAt, behindSeconds, lastPiece, lastFault } = await standby.ready(200);
    expect([status, behindSeconds, lastFault]).toEqual(["standing by", expect.any(Number), null]);
    expect(readdirSync(stream)).toContain(lastPiece);
    expect(lastPiece).toEndWith(reachedAt.replaceAll(":", "-"));
    const figures = await figuresOf(standby);
    expect(figures).toEqual({
      works: 1,
      behind_seconds: expect.any(Number),
      reached_seconds: Date.parse(reachedAt) / 1000,
    });
    expect(standby.lines[0]).toMatch(/^GET \/ready and GET \/metrics on http:\/\/127\.0\.0\.1:\d+$/);
  });

  test("that stands still is not ready, and says since what and why", async () => {
    const [stream, away] = [folder(), join(folder(), "away")];
    await streamed(stream);
    const standby = await standingBy(stream);
    const { lastPiece } = await standby.ready(200);
    renameSync(stream, away);
    mkdirSync(stream);
    const { error, lastFault, ...record } = await standby.ready(503);
    expect(error).toEqual({
      code: "NOT_READY",
      message: "The copy does not follow: There is no stream at this place, or it has no snapshot yet.",
    });
    expect([lastFault.reason, record.lastPiece]).toEqual([expect.stringContaining("There is no stream"), lastPiece]);
    expect(await figuresOf(standby)).toMatchObject({ works: 0 });
  });

  test("that has no copy yet is not ready", async () => {
    const standby = await standingBy(folder());
    const { reachedAt, behindSeconds, lastPiece } = await standby.ready(503);
    expect([reachedAt, behindSeconds, lastPiece]).toEqual([null, null, null]);
    expect(await figuresOf(standby)).toEqual({ works: 0 });
  });
});

test("A port that is no number, or taken, is named", async () => {
  const words = ["standby", "--from", folder(), "--data", folder(), "--port"];
  expect((await posthornCli([...words, "http"])).err).toContain("--port, not http");
  const other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  clean.push(() => other.stop(true));
  expect((await posthornCli([...words, String(other.port)])).err).toContain(
    `127.0.0.1:${other.port} cannot be listened on`,
  );
});
