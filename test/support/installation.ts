// A stopped installation on SQLite that has done a bit of everything, and what can be seen of it from outside.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { TestClock } from "./clock.ts";
import { freshDirectory } from "./database.ts";
import { startPosthorn, type Json, type Posthorn, type StartOptions } from "./posthorn.ts";
import { addKeys } from "./workspaces.ts";

export type Installation = {
  readonly dataDir: string;
  /** The SQLite file. */
  readonly path: string;
  readonly secretKey: string;
  /** What its API answered before it was stopped, by path. */
  readonly answers: Readonly<Record<string, Json>>;
  remove(): void;
};

/** Each start of a copy goes on from the moment at which the installation was stopped. */
export const STOPPED_AT = "2026-03-01T09:30:00.000Z";

const LETTER = { from: "Shop <hello@example.test>", subject: "Hi {{ name }}", body: "<p>Hello {{ name }}</p>" };
const DATA = {
  name: "Ædå 🚀",
  'key with "quotes"': "back\\slash\n",
  nested: { zebra: [1, 2.5, -0.000001, 1e21, null, true, { deep: "ü" }], ant: {}, 10: [], 9: "numbers as keys" },
};
const FILES = [
  { filename: "Æ.bin", content: Buffer.from([0, 1, 2, 255, 254, 0]).toString("base64") },
  { filename: "logo.png", content: "aGVsbG8=", contentType: "image/png", disposition: "inline", contentId: "logo" },
];

/** Mails that are sent, refused, waiting for another attempt, planned, and cancelled. */
export async function makeInstallation(): Promise<Installation> {
  const directory = freshDirectory();
  const path = join(directory.path, "posthorn.db");
  const clock = new TestClock();
  await using posthorn = await startOn(`sqlite:${path}`, { clock, dataDir: directory.path });
  await live(posthorn);
  // 09:00, and no whole number: slots are as long as the rate makes them.
  await posthorn.store.write((tx) => tx.run`update pacers set next_at_ms = 1772355600000.125`);
  clock.advance(Date.parse(STOPPED_AT) - clock.nowMs());
  const secretKey = posthorn.keys.secret;
  const answers = await allAnswers(posthorn, secretKey);
  return { dataDir: directory.path, path, secretKey, answers, remove: directory.remove };
}

/** The same files in another place, to be changed by one test. */
export function copyOf(installation: Installation): Installation {
  const directory = freshDirectory();
  cpSync(installation.dataDir, directory.path, { recursive: true });
  return {
    ...installation,
    dataDir: directory.path,
    path: join(directory.path, "posthorn.db"),
    remove: directory.remove,
  };
}

/** Starts Posthorn on a given database. */
export function startOn(url: string, options: StartOptions): Promise<Posthorn> {
  return startPosthorn({ ...options, config: { ...options.config, database: { url } } });
}

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** What the API tells about everything. */
export async function allAnswers(posthorn: Posthorn, secretKey: string): Promise<Record<string, Json>> {
  const answers: Record<string, Json> = {};
  const look = async (path: string): Promise<Json> => {
    const { status, body } = await posthorn.call(`GET ${path}`, undefined, { authorization: `Bearer ${secretKey}` });
    return (answers[path] = { status, body }).body;
  };
  const mails = (await look("/emails?pageSize=100")).data as { id: string; contactId: string }[];
  const templates = (await look("/templates?pageSize=100")).data as { id: string }[];
  for (const { id } of templates) {
    await look(`/templates/${id}`);
    const { versions } = (await look(`/templates/${id}/versions`)) as { versions: { id: string }[] };
    for (const version of versions) await look(`/templates/${id}/versions/${version.id}`);
  }
  const images = (await look("/images")).data as { url: string }[];
  for (const { url } of images) await look(new URL(url).pathname);
  await look("/workspace/brand");
  await look("/blocks");
  for (const { id } of mails) {
    await look(`/emails/${id}`);
    await look(`/emails/${id}/raw`);
  }
  for (const contact of new Set(mails.map(({ contactId }) => contactId))) await look(`/contacts/${contact}`);
  return answers;
}

async function live(posthorn: Posthorn): Promise<void> {
  await addKeys(posthorn, { name: "shop", domains: ["example.test"] });
  await posthorn.call("POST /contacts", { email: "ada@example.com", data: DATA });
  await posthorn.call("POST /v1/track", {
    email: "ada@example.com",
    event: "bought",
    data: { price: 9.99, what: "Tee ☕" },
  });
  const { body: image } = await posthorn.call("POST /images", { name: "logo.png", content: PIXEL });
  await posthorn.call("PUT /workspace/brand", { colors: { accent: "#9a5b12" }, logoUrl: image.url });
  await posthorn.call("POST /blocks", { name: "Head", body: `<img src="${image.url}" alt="">` });
  await posthorn.call("POST /templates", {
    name: "Receipt",
    type: "TRANSACTIONAL",
    ...LETTER,
    from: "hello@example.test",
  });
  await posthorn.call("POST /v1/send", {
    ...LETTER,
    to: "ada@example.com",
    attachments: FILES,
    headers: { "X-Shop": "ü" },
  });
  await posthorn.call("POST /v1/send", { ...LETTER, to: ["bob@example.com", "cy@example.com"], data: { name: "you" } });
  posthorn.transport.answer = ({ envelope }) => {
    if (envelope.recipient === "bob@example.com") return { kind: "bounced", reply: "550 5.1.1 No such user" };
    return envelope.recipient === "cy@example.com"
      ? { kind: "later", reply: "451 4.3.0 Try again", transient: true }
      : { kind: "accepted", reply: "250 Ok", remoteId: "abc" };
  };
  await posthorn.settle();
  await posthorn.call("POST /v1/send", { ...LETTER, to: "dee@example.com" }, { "idempotency-key": "A" });
  await posthorn.call("POST /v1/send", { ...LETTER, to: "eve@example.com" }, { "idempotency-key": "a" });
  await posthorn.call("POST /v1/send", { ...LETTER, to: "fay@example.com" }, { "idempotency-key": "B" });
  const last = await posthorn.call("POST /v1/send", {
    ...LETTER,
    to: "gil@example.com",
    sendAt: "2026-03-02T00:00:00Z",
  });
  await posthorn.call(`DELETE /emails/${last.body.data.emails[0].email}`);
}
