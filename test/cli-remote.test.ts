// `posthorn send`, `emails`, `contacts` and `track` against a server, by its API alone.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { posthornCli } from "./support/cli.ts";
import { freshDirectory } from "./support/database.ts";
import type { Json, Posthorn } from "./support/posthorn.ts";
import { ask } from "./support/scenario.ts";
import { workspace } from "./support/workspace.ts";

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await workspace();
});
afterAll(() => posthorn[Symbol.asyncDispose]());
const folder = freshDirectory();
afterAll(folder.remove);

function remote(words: readonly string[], input = "") {
  const env = { POSTHORN_URL: `${posthorn.server.url}/`, POSTHORN_KEY: posthorn.keys.secret };
  return posthornCli(words, env, [], input);
}

async function json(words: readonly string[]): Promise<Json> {
  const { code, out, err } = await remote([...words, "--json"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
}

const FROM = ["--from", "Shop <shop@example.test>"];

test("a template is sent with data, files, tags and copies", async () => {
  const template = { name: "Receipt", alias: "receipt", subject: "Order {{ order }}", body: "<p>{{ order }}</p>" };
  const body = { ...template, type: "TRANSACTIONAL", from: "shop@example.test" };
  await ask(posthorn, "POST /templates", { body });
  const file = join(folder.path, "terms.txt");
  writeFileSync(file, "The terms\n");
  const words = [
    "--template",
    "receipt",
    "--data",
    '{"order": "4711"}',
    "--attach",
    file,
    "--tag",
    "a",
    "--tag",
    "b:c",
  ];
  const sent = await json(["send", "--to", "ada@example.com", "--cc", "bob@example.com", ...words, ...FROM]);
  expect(sent.map(({ to }: Json) => to)).toEqual(["ada@example.com", "bob@example.com"]);
  await posthorn.settle();
  const email = await json(["emails", sent[0].id]);
  expect(email).toMatchObject({ subject: "Order 4711", tags: ["a", "b:c"], role: "TO", status: "SENT" });
  const files = await ask(posthorn, `GET /emails/${sent[0].id}/attachments`);
  expect(JSON.stringify(files.body)).toContain("terms.txt");
  expect((await json(["emails", "--tag", "b:c", "--search", "bob@"])).map(({ id }: Json) => id)).toEqual([sent[1].id]);
});

test("without a text, the standard input is the text", async () => {
  const words = ["send", "--to", "cron@example.com", "--subject", "Backup", ...FROM];
  const { code, out } = await remote(words, "All is saved.\n");
  expect([code, out]).toEqual([0, expect.stringMatching(/^ID +TO\n[0-9a-f-]{36} +cron@example\.com$/)]);
  await posthorn.settle();
  const mail = posthorn.transport.sent.find(({ envelope }) => envelope.recipient === "cron@example.com");
  expect(mail?.raw.toString()).toContain("All is saved.");
});

test("a script that runs again sends the email once", async () => {
  const words = ["send", "--to", "once@example.com", "--subject", "x", "--text", "x", ...FROM];
  const both = [
    await json([...words, "--idempotency-key", "night"]),
    await json([...words, "--idempotency-key", "night"]),
  ];
  expect(both[0]).toEqual(both[1]);
});

test("a contact is created, changed, shown and found", async () => {
  const made = await json(["contacts", "eva@example.com", "--data", '{"plan":"pro"}', "--subscribed", "yes"]);
  expect(made).toMatchObject({ email: "eva@example.com", subscribed: true, data: { plan: "pro" } });
  expect((await json(["contacts", "eva@example.com"])).id).toBe(made.id);
  const { out } = await remote(["contacts", "--search", "eva@"]);
  expect(out.split("\n")[1]).toMatch(/^\S+ +eva@example\.com +yes +\S+$/);
});

test("an event is recorded", async () => {
  const words = ["track", "order.placed", "--email", "eva@example.com", "--data", '{"total":42}'];
  const { code, out } = await remote(words);
  expect([code, out]).toEqual([0, expect.stringMatching(/^Recorded the event \S+ of the contact \S+\.$/)]);
  expect(await posthorn.events()).toContainEqual(
    expect.objectContaining({ name: "order.placed", contact: "eva@example.com" }),
  );
});

test("what goes wrong is said", async () => {
  const faults: readonly (readonly [words: string[], code: number, said: string])[] = [
    [["send", "--to", "a@example.com", "--data", "{order}", ...FROM], 2, "needs a JSON object after --data"],
    [["send", "--to", "a@example.com", "--text", "x", "--subject", "x", "--from", "a@other.test"], 1, "other.test"],
    [["emails", "0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e0f"], 1, "email"],
    [["emails", "--key", "sk_wrong"], 1, "key"],
    [["emails", "--url", "mail.example.com"], 1, "begins with http:// or https://"],
    [["emails", "--url", "http://127.0.0.1:1"], 1, "Nobody answers at http://127.0.0.1:1"],
    [["contacts", "--subscribed", "yes"], 2, "needs ADDRESS"],
    [["track", "x", "--email", "a@example.com", "--subscribed", "true"], 2, "needs yes or no"],
    [["emails", "--config", "x"], 2, "has no option --config"],
  ];
  for (const [words, code, said] of faults)
    expect([words, await remote(words)]).toEqual([words, { code, out: "", err: expect.stringContaining(said) }]);
  expect(await posthornCli(["emails"])).toMatchObject({ code: 1, err: expect.stringContaining("POSTHORN_KEY") });
});

test("its variables are no settings of a server", async () => {
  const env = { POSTHORN_URL: "http://x", POSTHORN_KEY: "k", POSTHORN_SPOOL: "/x", POSTHORN_FROM: "a@b.test" };
  expect((await posthornCli(["check-config", "--data", folder.path], env)).err).not.toContain("known variable");
});
