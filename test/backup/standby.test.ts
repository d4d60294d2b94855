// A standby has what the server has shipped, and takes its place, once that is gone.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULTS } from "../../src/base/config.ts";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { openPlace } from "../../src/operator/backup/place.ts";
import { sayAlive } from "../../src/operator/backup/stream/owner.ts";
import { pruneStream } from "../../src/operator/backup/stream/prune.ts";
import { heldSince } from "../../src/store/hold.ts";
import { posthornCli, type Env } from "../support/cli.ts";
import { ENGINE } from "../support/database.ts";
import { startOn } from "../support/installation.ts";
import { leftovers, until } from "../support/leftovers.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";

const { folder } = leftovers();

/** Of the first run on a store; the later ones do not know it. */
const keys = new Map<string, string>();

async function addContact(posthorn: Posthorn, name: string, secret = posthorn.keys.secret): Promise<void> {
  const asked = { authorization: `Bearer ${secret}` };
  expect((await posthorn.call("POST /contacts", { email: `${name}@example.com` }, asked)).status).toBe(201);
}

const snapshotsIn = (stream: string) => readdirSync(stream).filter((name) => name.startsWith("snapshot-"));
const segmentsIn = (stream: string) => readdirSync(stream).filter((name) => name.startsWith("g"));

/** A run of the server that makes a contact and ends in order. */
async function served(stream: string, dataDir: string, name: string): Promise<void> {
  const before = snapshotsIn(stream).length;
  await using posthorn = await startPosthorn({ dataDir, config: { backup: { stream } } });
  await until(() => snapshotsIn(stream).length > before);
  if (before === 0) keys.set(stream, posthorn.keys.secret);
  await addContact(posthorn, name, keys.get(stream));
}

const standby = (stream: string, dataDir: string) => posthornCli(["standby", "--from", stream, "--data", dataDir]);
const promoted = (stream: string, dataDir: string, words: readonly string[] = []) =>
  posthornCli(["promote", "--from", stream, "--data", dataDir, ...words]);

async function contactsIn(dataDir: string): Promise<string[]> {
  await using posthorn = await startOn(`sqlite:${join(dataDir, "posthorn.db")}`, { dataDir });
  const rows = await posthorn.store.read((reader) => reader.all<{ email: string }>`select email from contacts`);
  return rows.map(({ email }) => email.replace("@example.com", "")).sort();
}

describe.skipIf(ENGINE === "postgres")("a standby", () => {
  test("follows through a restart of both, and takes the place with all that was shipped", async () => {
    const [stream, first, second] = [folder(), folder(), folder()];
    await served(stream, first, "ada");
    expect(await standby(stream, second)).toMatchObject({ code: 0, out: "The copy is up to date, and follows." });
    await served(stream, first, "bob");
    expect(await standby(stream, second)).toMatchObject({ code: 0 });
    await served(stream, first, "cy");
    const { code, out, err } = await promoted(stream, second);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^The installation of \d{4}-\S+Z is in place/);
    expect(await contactsIn(second)).toEqual(["ada", "bob", "cy"]);
    expect(readdirSync(second).filter((name) => name.startsWith("standby") && !name.includes(".lock"))).toEqual([]);
  });

  test("is not held, unless that is asked for", async () => {
    const [stream, first, held, free] = [folder(), folder(), folder(), folder()];
    await served(stream, first, "ada");
    for (const dataDir of [held, free]) await standby(stream, dataDir);
    expect((await promoted(stream, held, ["--hold"])).out).toContain("Its queue is held");
    expect((await promoted(stream, free)).out).not.toContain("held");
    expect((await posthornCli(["release", "--data", held])).out).toContain("Released");
    expect((await posthornCli(["release", "--data", free])).out).toBe("It was not held.");
  });

  test("does not take the place of a server that is there, unless forced; that one is held, ships no more and says so", async () => {
    const [stream, first, second] = [folder(), folder(), folder()];
    const config = { backup: { stream } };
    let before: string[];
    {
      await using posthorn = await startPosthorn({ config, dataDir: first });
      await until(() => snapshotsIn(stream).length > 0);
      await addContact(posthorn, "ada");
      await standby(stream, second);
      const { code, err } = await promoted(stream, second);
      expect(code).toBe(1);
      expect(err).toContain("Stop it first, or its email would leave twice");
      expect((await promoted(stream, second, ["--force"])).code).toBe(0);
      await until(() => posthorn.logLines.some((line) => line.includes("NOTHING IS SHIPPED")));
      const { status, body } = await posthorn.call("GET /ready");
      expect([status, body.error.errors[0].code]).toEqual([503, "refused"]);
      before = segmentsIn(stream);
      await addContact(posthorn, "bob");
    }
    expect(segmentsIn(stream)).toEqual(before);
    // Machines come back by themselves: what waits here may have left there.
    await using back = await startPosthorn({ config, dataDir: first });
    expect(await back.store.read(heldSince)).not.toBeNull();
  }, 30_000);

  test("takes the place of a server that was killed, ten seconds after its last sign of life", async () => {
    const [stream, first, second] = [folder(), folder(), folder()];
    await served(stream, first, "ada");
    await standby(stream, second);
    const place = openPlace(DEFAULTS.backup, stream);
    await sayAlive(place, Date.now());
    expect((await promoted(stream, second)).code).toBe(1);
    await sayAlive(place, Date.now() - MINUTE_MS);
    expect((await promoted(stream, second)).code).toBe(0);
  });

  test("starts anew where what it needs next is gone", async () => {
    const [stream, first, second] = [folder(), folder(), folder()];
    await served(stream, first, "ada");
    await standby(stream, second);
    const old = [...segmentsIn(stream), ...snapshotsIn(stream)];
    await served(stream, first, "bob");
    for (const name of old) rmSync(join(stream, name));
    expect(await standby(stream, second)).toMatchObject({ code: 0, out: "The copy is up to date, and follows." });
    expect((await promoted(stream, second)).code).toBe(0);
    expect(await contactsIn(second)).toEqual(["ada", "bob"]);
  });

  test("says what is wrong with the place, and with a directory that has nothing to promote", async () => {
    const [stream, dataDir] = [folder(), folder()];
    const { err } = await standby(stream, dataDir);
    expect(err).toContain("There is no stream at this place");
    expect((await promoted(stream, dataDir)).err).toContain("There is no database");
  });

  /** A copy of ada, and of bob in the last segment. */
  async function copied(): Promise<{ stream: string; second: string; copy: string }> {
    const [stream, second] = [folder(), folder()];
    await served(stream, folder(), "ada");
    await standby(stream, second);
    return { stream, second, copy: join(second, "standby") };
  }

  /** Refused, with the copy and the place as they were; answers why. */
  async function refused(stream: string, dataDir: string, words: readonly string[] = [], env: Env = {}) {
    const state = () => [
      readdirSync(join(dataDir, "standby")).sort(),
      readFileSync(join(stream, "owner.json"), "utf8"),
    ];
    const before = state();
    const { code, err } = await posthornCli(["promote", "--from", stream, "--data", dataDir, ...words], env);
    expect(code).toBe(1);
    expect(state()).toEqual(before);
    expect(readdirSync(dataDir).filter((name) => name.startsWith("posthorn.db") && !name.endsWith(".lock"))).toEqual(
      [],
    );
    return err;
  }

  test("does not take the place with a key that is not that of the configuration, or of the database", async () => {
    const { stream, second, copy } = await copied();
    const other = "0".repeat(64);
    expect(await refused(stream, second, [], { POSTHORN_SECRETS_KEY: other })).toContain(
      "is not the key of this backup",
    );
    const key = readFileSync(join(copy, "secret.key"), "utf8");
    writeFileSync(join(copy, "secret.key"), `${other}\n`);
    expect(await refused(stream, second, ["--force"])).toContain("is not the key of its database");
    writeFileSync(join(copy, "secret.key"), key);
    expect((await promoted(stream, second)).code).toBe(0);
    expect(await contactsIn(second)).toEqual(["ada"]);
  });

  test("does not take the place with a copy that lacks a part, or is damaged", async () => {
    const { stream, second, copy } = await copied();
    renameSync(join(copy, "manifest.json"), join(copy, "elsewhere"));
    expect(await refused(stream, second, ["--force"])).toContain("it has no manifest.json");
    renameSync(join(copy, "elsewhere"), join(copy, "manifest.json"));
    writeFileSync(join(copy, "posthorn.db"), readFileSync(join(copy, "posthorn.db")).fill(1, 8_192, 30_000));
    expect(await refused(stream, second, ["--force"])).toContain("The database is damaged");
  });

  test("does not take the place with less than was shipped, unless forced", async () => {
    const [stream, first, second] = [folder(), folder(), folder()];
    await served(stream, first, "ada");
    await standby(stream, second);
    const known = segmentsIn(stream);
    await served(stream, first, "bob");
    const [newest = ""] = snapshotsIn(stream).sort().slice(-1);
    const [last = ""] = segmentsIn(stream)
      .filter((name) => !known.includes(name))
      .sort();
    for (const name of [newest, last]) writeFileSync(join(stream, name), "damaged");
    expect(await refused(stream, second)).toContain("does not go on: It is no backup of Posthorn, or it is damaged");
    const { code, out } = await promoted(stream, second, ["--force"]);
    expect([code, out]).toEqual([0, expect.stringContaining("What came later is not in it: It is no backup")]);
    expect(await contactsIn(second)).toEqual(["ada"]);
  });

  test("does not take the place behind a stream that cannot be reached, unless forced", async () => {
    const { stream, second } = await copied();
    const away = `${stream}.away`;
    renameSync(stream, away);
    const { code, err } = await promoted(stream, second);
    expect([code, err]).toEqual([1, expect.stringContaining("To use it as it is, without what came later: --force")]);
    const forced = await promoted(stream, second, ["--force"]);
    expect([forced.code, forced.out]).toEqual([
      0,
      expect.stringMatching(/is in place.*\nWhat came later is not in it/),
    ]);
    expect(await contactsIn(second)).toEqual(["ada"]);
    renameSync(away, stream);
  });

  test("what was restored takes no place with a key that is not that of its database", async () => {
    const [stream, first, second] = [folder(), folder(), folder()];
    await served(stream, first, "ada");
    expect((await posthornCli(["restore", "--from", stream, "--data", second])).code).toBe(0);
    const owner = readFileSync(join(stream, "owner.json"), "utf8");
    writeFileSync(join(second, "secret.key"), `${"0".repeat(64)}\n`);
    const { code, err } = await promoted(stream, second);
    expect([code, err]).toEqual([1, expect.stringContaining("is not the key of this installation")]);
    expect(readFileSync(join(stream, "owner.json"), "utf8")).toBe(owner);
  });

  test("what was restored ships in the place of the lost server once it is promoted", async () => {
    const [stream, first, second] = [folder(), folder(), folder()];
    await served(stream, first, "ada");
    expect((await posthornCli(["restore", "--from", stream, "--data", second])).code).toBe(0);
    expect(await promoted(stream, second)).toMatchObject({ code: 0 });
    await served(stream, second, "bob");
    const third = folder();
    expect((await posthornCli(["restore", "--from", stream, "--data", third])).code).toBe(0);
    expect(await contactsIn(third)).toEqual(["ada", "bob"]);
  });
});

test("What is older than it is kept goes, but for what the first kept moment needs", async () => {
  const stream = folder();
  const of = (day: number) => `2026-03-0${day}T00-00-00.000Z`;
  const [old, current] = ["g20260301T000000000Zaaaaaaaa", "g20260304T000000000Zbbbbbbbb"];
  const segment = (generation: string, sequence: number, day: number) =>
    `${generation}-000000000${sequence}-${of(day)}`;
  const names = [
    ...["notes.txt", "owner.json", `snapshot-${of(1)}-${old}-0000000001`, `snapshot-${of(2)}-${old}-0000000003`],
    ...[segment(old, 1, 1), segment(old, 2, 1), segment(old, 3, 2), segment(old, 4, 3)],
    ...[
      `snapshot-${of(4)}-${current}-0000000001`,
      segment(current, 1, 4),
      "g20260201T000000000Zcccccccc-0000000001-" + of(1),
    ],
  ];
  for (const name of names) writeFileSync(join(stream, name), "");
  expect(await pruneStream(openPlace(DEFAULTS.backup, stream), "2026-03-03T00:00:00.000Z", current)).toBe(4);
  expect(readdirSync(stream).sort()).toEqual(
    [
      ...["notes.txt", "owner.json", `snapshot-${of(2)}-${old}-0000000003`, segment(old, 3, 2), segment(old, 4, 3)],
      ...[`snapshot-${of(4)}-${current}-0000000001`, segment(current, 1, 4)],
    ].sort(),
  );
});
