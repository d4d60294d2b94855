// The installation's key: made once, kept well, and no other is taken for it.
import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keyFile, makeKey, secretsOf } from "../src/base/secrets.ts";
import { cliBeside } from "./support/cli.ts";
import { freshDirectory } from "./support/database.ts";
import { letter } from "./support/mails.ts";
import { startPosthorn, type StartOptions } from "./support/posthorn.ts";
import { ask } from "./support/scenario.ts";
import { workspace } from "./support/workspace.ts";

const OTHER = "0f".repeat(32);
const clean: (() => void)[] = [];
afterEach(() => clean.splice(0).forEach((one) => one()));

/** A data directory of a Posthorn that has stopped, and where its database is. */
async function stopped() {
  const directory = freshDirectory();
  clean.push(directory.remove);
  const posthorn = await startPosthorn({ dataDir: directory.path });
  await posthorn[Symbol.asyncDispose]();
  const url = posthorn.databaseUrl ?? `sqlite:${join(directory.path, "posthorn.db")}`;
  return { dataDir: directory.path, url, key: readFileSync(keyFile(directory.path), "utf8").trim() };
}

/** What is said instead of starting; "started" if it does. */
async function saidAtStart(options: StartOptions): Promise<string> {
  try {
    await (await startPosthorn(options))[Symbol.asyncDispose]();
    return "started";
  } catch (error) {
    return (error as Error).message;
  }
}

describe("a server starts", () => {
  test("with the key that the store was used with, wherever that stands (slow)", async () => {
    const { dataDir, key } = await stopped();
    expect(await saidAtStart({ dataDir })).toBe("started");
    rmSync(keyFile(dataDir));
    expect(await saidAtStart({ dataDir, config: { secrets: { key } } })).toBe("started");
  });

  test("with no other key", async () => {
    const { dataDir } = await stopped();
    expect(await saidAtStart({ dataDir, config: { secrets: { key: OTHER } } })).toStartWith(
      "secrets.key is not the key of this installation",
    );
    writeFileSync(keyFile(dataDir), OTHER);
    expect(await saidAtStart({ dataDir })).toStartWith(
      `The key in ${keyFile(dataDir)} is not the key of this installation`,
    );
  });

  test("without its key not at all, and makes no other", async () => {
    const { dataDir } = await stopped();
    rmSync(keyFile(dataDir));
    const said = await saidAtStart({ dataDir });
    expect(said).toStartWith(`The installation's key ${keyFile(dataDir)} is missing. Restore secret.key`);
    expect(existsSync(keyFile(dataDir))).toBe(false);
  });

  test("as a second node only with the key of the first (slow)", async () => {
    const { url, key } = await stopped();
    const second = freshDirectory();
    clean.push(second.remove);
    const database = { url };
    expect(await saidAtStart({ dataDir: second.path, config: { database } })).toContain("secret.key is missing");
    expect(readdirSync(second.path)).not.toContain("secret.key");
    expect(await saidAtStart({ dataDir: second.path, config: { database, secrets: { key } } })).toBe("started");
  });
});

test("a command with another key changes nothing (slow)", async () => {
  await using posthorn = await startPosthorn();
  const env = { POSTHORN_SECRETS_KEY: OTHER };
  for (const words of [
    ["domain", "add", "shop.example", "--workspace", "default"],
    ["domain", "rotate", "example.test"],
    ["workspace", "create", "other"],
  ]) {
    const { code, err } = await cliBeside(posthorn, words, env);
    expect([words, code, err]).toEqual([words, 1, expect.stringContaining("is not the key of this installation")]);
  }
  expect((await ask(posthorn, "GET /domains")).body).toMatchObject({ total: 1, data: [{ nextSelector: null }] });
});

describe("the file of the key", () => {
  test("is for its owner alone, has nothing beside it, and stays when another would be made", () => {
    const { path, remove } = freshDirectory();
    clean.push(remove);
    makeKey(path);
    const first = readFileSync(keyFile(path), "utf8");
    expect(statSync(keyFile(path)).mode & 0o777).toBe(0o600);
    makeKey(path);
    expect(readFileSync(keyFile(path), "utf8")).toBe(first);
    expect(readdirSync(path)).toEqual(["secret.key"]);
  });

  test("is warned of if others may read it", async () => {
    const { dataDir } = await stopped();
    chmodSync(keyFile(dataDir), 0o640);
    await using posthorn = await startPosthorn({ dataDir });
    expect(posthorn.logLines.filter((line) => line.includes("chmod 600"))).toHaveLength(1);
  });
});

test("a mail whose DKIM key cannot be read waits and uses no attempt up (slow)", async () => {
  await using posthorn = await workspace();
  const { store, clock, transport } = posthorn;
  const [kept] = await store.read(
    (reader) => reader.all<{ seq: number; private_key: string }>`select seq, private_key from domain_keys`,
  );
  const put = (key: string) =>
    store.write((tx) => tx.run`update domain_keys set private_key = ${key} where seq = ${kept?.seq ?? 0}`);
  await put(secretsOf(Buffer.from(OTHER, "hex")).encrypt("-----BEGIN PRIVATE KEY-----"));
  const { email } = (await ask(posthorn, "POST /v1/send", { body: letter })).body.data.emails[0];
  for (let hours = 0; hours < 24; hours++) {
    await posthorn.settle();
    clock.advance(60 * 60_000);
  }
  expect((await ask(posthorn, `GET /emails/${email}`)).body.status).toBe("QUEUED");
  await put(kept?.private_key ?? "");
  await posthorn.settle();
  expect((await ask(posthorn, `GET /emails/${email}`)).body).toMatchObject({ status: "SENT", attempts: 1 });
  expect(transport.sent).toHaveLength(1);
});
