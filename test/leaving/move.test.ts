// A workspace on its way from one server to another by the command line: nothing is sent twice, and nothing is lost.
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS } from "../../src/base/clock.ts";
import { cliBeside, jsonBeside } from "../support/cli.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { ask, countOf } from "../support/scenario.ts";
import { executions, addTemplate, addWorkflow, track } from "../support/workflows.ts";
import { workspace } from "../support/workspace.ts";

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "leaving-"));
  at(name: string): string {
    return join(this.path, name);
  }
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}

const wait = { type: "DELAY", name: "Wait", config: { amount: 1, unit: "days" } };

/** An email that waits for its time, and somebody on the way through a workflow. */
async function withWork(posthorn: Posthorn): Promise<Json> {
  const later = new Date(posthorn.clock.nowMs() + DAY_MS).toISOString();
  await ask(posthorn, "POST /v1/send", { body: { ...letter, to: "later@example.com", sendAt: later } });
  const mail = { type: "SEND_EMAIL", name: "Mail", config: { templateId: await addTemplate(posthorn) } };
  const workflow = await addWorkflow(posthorn, [wait, mail]);
  await track(posthorn, "signup");
  await posthorn.settle();
  return workflow;
}

/** A server that has nobody yet. */
async function emptyServer(): Promise<Posthorn> {
  const posthorn = await startPosthorn();
  const { code, err } = await cliBeside(posthorn, ["workspace", "delete", "default", "--yes"]);
  expect([code, err]).toEqual([0, ""]);
  return posthorn;
}

async function done(posthorn: Posthorn, ...words: string[]): Promise<string> {
  const { code, out, err } = await cliBeside(posthorn, words);
  expect([code, err]).toEqual([0, ""]);
  return out;
}

/** The same workspace, with a key to look at it. */
async function keyOf(posthorn: Posthorn): Promise<Posthorn> {
  const { secret } = await jsonBeside(posthorn, ["key", "create", "--workspace", "default"]);
  return Object.assign(Object.create(posthorn) as Posthorn, { keys: { secret, public: "" } });
}

test("what waits stays at the source, waits at the target until it is enabled, and leaves once", async () => {
  using folder = new Folder();
  await using source = await workspace();
  const workflow = await withWork(source);
  const said = await done(source, "workspace", "export", "default", "--to", folder.at("w.tar"), "--move");
  expect(said).toContain("It is disabled here");
  source.clock.advance(2 * DAY_MS);
  await source.settle();
  expect(source.transport.sent).toEqual([]);

  await using target = await emptyServer();
  const arrived = await done(target, "workspace", "import", folder.at("w.tar"));
  expect(arrived).toContain("1 queued emails and 1 executions of workflows wait for: posthorn workspace enable.");
  target.clock.advance(2 * DAY_MS);
  await target.settle();
  expect(target.transport.sent).toEqual([]);
  await done(target, "domain", "verify", "example.test", "--force");
  await done(target, "workspace", "enable", "default");
  await target.settle();
  target.clock.advance(2 * DAY_MS);
  await target.settle();
  expect(target.transport.recipients.toSorted()).toEqual(["ada@example.com", "later@example.com"]);
  expect((await executions(await keyOf(target), workflow)).map(({ status }) => status)).toEqual(["COMPLETED"]);
  expect((await done(target, "consent", "verify")).split("\n")[0]).toMatch(/^ok {5}default/);
});

test("an export without --move says that the source goes on, and writes no file over another", async () => {
  using folder = new Folder();
  await using posthorn = await workspace();
  const to = ["workspace", "export", "default", "--to", folder.at("w.tar")];
  expect(await done(posthorn, ...to)).toContain("It goes on sending here");
  const { code, err } = await cliBeside(posthorn, to);
  expect([code, err]).toEqual([1, expect.stringContaining("exists already")]);
  expect(readdirSync(folder.path)).toEqual(["w.tar"]);
});

test("with --since, older events and emails stay, and all people go", async () => {
  using folder = new Folder();
  await using source = await workspace();
  await ask(source, "POST /v1/send", { body: { ...letter, to: "ada@example.com" } });
  await source.settle();
  const { counts: all } = await moved(source, folder, "all.tar");
  const { counts: since } = await moved(source, folder, "since.tar", "--since", "1d");
  expect([all["contacts"], all["emails"], all["contents"], all["events"] > 0]).toEqual([1, 1, 1, true]);
  expect([since["contacts"], since["emails"], since["contents"], since["events"]]).toEqual([
    1,
    undefined,
    undefined,
    undefined,
  ]);
});

/** Taken in by a server of its own. */
async function moved(source: Posthorn, folder: Folder, name: string, ...options: string[]): Promise<Json> {
  await done(source, "workspace", "export", "default", "--to", folder.at(name), ...options);
  await using target = await emptyServer();
  return await jsonBeside(target, ["workspace", "import", folder.at(name)]);
}

test("secrets stay unless there is a passphrase for them, and open with it alone", async () => {
  using folder = new Folder();
  await using source = await workspace();
  writeFileSync(folder.at("pass"), "correct horse\n");
  writeFileSync(folder.at("other"), "wrong horse\n");
  const endpoint = { url: "https://hooks.example.com/a", events: ["email.*"] };
  const { body } = await ask(source, "POST /webhooks", { body: endpoint });
  const secretAt = async (posthorn: Posthorn) =>
    (await ask(posthorn, `GET /webhooks/${body.id}`)).body.secret as string;
  const keysOf = async (posthorn: Posthorn) => {
    const [{ records }] = await jsonBeside(posthorn, ["domain", "list"]);
    return records.find(({ purpose }: Json) => purpose === "DKIM").value as string;
  };
  const [secret, key] = [await secretAt(source), await keysOf(source)];
  const sealed = ["--secrets-passphrase-file", folder.at("pass")];
  await done(source, "workspace", "export", "default", "--to", folder.at("plain.tar"));
  await done(source, "workspace", "export", "default", "--to", folder.at("sealed.tar"), ...sealed);

  await using plain = await emptyServer();
  await done(plain, "workspace", "import", folder.at("plain.tar"));
  await done(plain, "workspace", "enable", "default");
  expect([await secretAt(await keyOf(plain)), await keysOf(plain)]).toEqual([
    expect.not.stringContaining(secret),
    expect.not.stringContaining(key),
  ]);

  await using whole = await emptyServer();
  const wrong = ["--secrets-passphrase-file", folder.at("other")];
  const { code, err } = await cliBeside(whole, ["workspace", "import", folder.at("sealed.tar"), ...wrong]);
  expect([code, err]).toEqual([1, expect.stringContaining("the passphrase does not open its secrets")]);
  expect(await countOf(whole, "contacts")).toBe(0);
  await done(whole, "workspace", "import", folder.at("sealed.tar"), ...sealed);
  await done(whole, "workspace", "enable", "default");
  expect([await secretAt(await keyOf(whole)), await keysOf(whole)]).toEqual([secret, key]);
});

test("a copy to try things with comes in only where no email leaves, with its endpoints off", async () => {
  using folder = new Folder();
  await using source = await workspace();
  const { body } = await ask(source, "POST /webhooks", {
    body: { url: "https://hooks.example.com/a", events: ["email.*"] },
  });
  await done(source, "workspace", "export", "default", "--to", folder.at("w.tar"));
  await using target = await emptyServer();
  const words = ["workspace", "import", folder.at("w.tar"), "--name", "Staging", "--into", "capture"];
  const { code, err } = await cliBeside(target, words, {
    POSTHORN_DELIVERY_TRANSPORT: "smtp",
    POSTHORN_RELAY_HOST: "relay.example",
    POSTHORN_HTTP_BASE_URL: "https://posthorn.example",
  });
  expect([code, err]).toEqual([1, expect.stringContaining("Email leaves this installation")]);
  const { name } = await jsonBeside(target, words);
  expect(name).toBe("Staging");
  const off = await target.store.read((reader) => reader.all`select id, enabled from webhook_endpoints`);
  expect(off.map((row) => ({ ...(row as object) }))).toEqual([{ id: body.id, enabled: 0 }]);
});

test("a file that cannot be taken in is refused in one sentence", async () => {
  using folder = new Folder();
  await using target = await emptyServer();
  writeFileSync(folder.at("notes.tar"), "what somebody has noted\n");
  const { code, err } = await cliBeside(target, ["workspace", "import", folder.at("notes.tar")]);
  expect([code, err]).toEqual([1, "The file cannot be taken in: it is no tar archive, or it is damaged or cut off."]);
});
