// GET /contacts/export: what it writes is what an import reads.
import { describe, expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { exportedFrom, imported } from "../support/files.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { seeded, type Random } from "../support/seeded.ts";
import { workspace } from "../support/workspace.ts";

type Known = { readonly subscribed: number; readonly data: Json };

/** By address. */
async function contactsOf(posthorn: Posthorn): Promise<Map<string, Known>> {
  const rows = await posthorn.store.read(
    (reader) => reader.all<{ email: string; subscribed: number; data: string }>`
      select email, subscribed, json(data) as data from contacts order by email`,
  );
  return new Map(rows.map(({ email, subscribed, data }) => [email, { subscribed, data: JSON.parse(data) }]));
}

/**
 * Each is twenty kilobytes of an export: more of them than the buffers of a connection hold. Answers their addresses.
 */
async function addWordyContacts(posthorn: Posthorn, count: number): Promise<readonly string[]> {
  await posthorn.store.write(async (tx) => {
    const data = tx.dialect.json(JSON.stringify({ note: "x".repeat(20_000) }));
    await tx.run`
      insert into contacts (id, workspace, email, subscribed, data, created_at, updated_at)
      with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})
      select 'c' || n, 1, 'c' || n || '@example.com', 1, ${data}, ${tx.now}, ${tx.now} from numbers`;
    await tx.run`insert into contact_counts values (1, 0, ${count}, ${count})`;
  });
  return Array.from({ length: count }, (_, row) => `c${row}@example.com`);
}

/** With it a chunked answer ends that is whole (RFC 9112 §7.1). */
const LAST_CHUNK = "0\r\n\r\n";

/**
 * A client that takes the first bytes of an answer and then none until it reads on: `fetch` would go on reading,
 * however slow what the test does in between is. `readOn` answers what else came until the end or a reset, headers and
 * chunk sizes included.
 */
async function slowReader(url: string, path: string, key: string): Promise<{ readOn: () => Promise<string> }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n\r\n`,
  );
  await once(socket, "readable");
  const pieces: Buffer[] = [];
  const readOn = async () => {
    socket.on("error", () => {}).on("data", (piece) => pieces.push(Buffer.from(piece)));
    await new Promise((closed) => socket.once("close", closed));
    return Buffer.concat(pieces).toString();
  };
  return { readOn };
}

const KEYS = [
  "plan",
  "score",
  "email ",
  "Email",
  "data",
  "data.x",
  "",
  " x ",
  "=sum",
  "＠sum",
  "a,b",
  'q"',
  "line\nbreak",
  "cr\r",
  "ü",
];
const TEXTS = [
  "",
  "7",
  "007",
  "-7",
  "1e3",
  "1e+21",
  "true",
  "True",
  "null",
  "{}",
  "[1]",
  '{"a":1}',
  '"',
  '"x"',
  '""',
  "'",
  "'=x",
];
const PARTS = [
  "=",
  "+",
  "-",
  "@",
  "\t",
  "\r",
  "\n",
  "＝",
  "＋",
  '"',
  ",",
  ";",
  "'",
  " ",
  "a",
  "0",
  "é",
  "😀",
  "\u2028",
  "\ufeff",
  "{",
  "]",
];

function value(random: Random, depth = 0): Json {
  const kind = random.below(depth > 3 ? 5 : 7);
  if (kind === 0) return random.pick(TEXTS);
  if (kind === 1) return random.text(PARTS, random.below(6));
  if (kind === 2) return random.pick([0, 7, -7.5, 1e21, 1e-7, 123456789012]);
  if (kind === 3) return random.pick([true, false]);
  if (kind === 4) return depth === 0 ? "text" : null;
  const inner = Array.from({ length: random.below(4) }, () => value(random, depth + 1));
  return kind === 5 ? inner : Object.fromEntries(inner.map((one) => [random.pick(KEYS), one]));
}

test("what is exported imports back unchanged, whatever the data (slow)", async () => {
  await using here = await workspace();
  await using there = await workspace();
  const random = seeded(11);
  for (let contact = 0; contact < 150; contact++) {
    const data = Object.fromEntries(KEYS.filter(() => random.below(2) === 0).map((key) => [key, value(random)]));
    const body = { email: `c${contact}@example.com`, subscribed: random.below(2) === 0, data };
    expect((await ask(here, "POST /contacts", { body })).status).toBe(201);
  }
  const { result } = await imported(there, await exportedFrom(here));
  expect(result).toMatchObject({ totalRows: 150, createdCount: 150, failureCount: 0 });
  expect(await contactsOf(there)).toEqual(await contactsOf(here));
  await imported(here, await exportedFrom(here));
  expect(await contactsOf(there)).toEqual(await contactsOf(here));
});

test("an address starts no formula either, and imports back as it is (slow)", async () => {
  await using here = await workspace();
  await using there = await workspace();
  const emails = ["=1+1@example.com", "+49@example.com", "-a@example.com", "'=a@example.com", "'a@example.com"];
  for (const email of emails) await ask(here, "POST /contacts", { body: { email } });
  const file = await exportedFrom(here);
  const cells = file
    .split("\r\n")
    .slice(1, -1)
    .map((line) => line.split(",")[0]);
  expect(cells).toEqual([
    "'=1+1@example.com",
    "'+49@example.com",
    "'-a@example.com",
    "''=a@example.com",
    "'a@example.com",
  ]);
  expect((await imported(there, file)).result).toMatchObject({ createdCount: emails.length, failureCount: 0 });
  expect([...(await contactsOf(there)).keys()]).toEqual(emails.toSorted());
});

test("a key full of other delimiters and line breaks does not hide the columns", async () => {
  await using here = await workspace();
  await using there = await workspace();
  await ask(here, "POST /contacts", {
    body: { email: "ada@example.com", data: { "a;b;c;d;e\nx": 1, '"\r;;;;': "\r" } },
  });
  expect((await imported(there, await exportedFrom(here))).result).toMatchObject({ createdCount: 1, failureCount: 0 });
  expect(await contactsOf(there)).toEqual(await contactsOf(here));
});

test("more keys than a table has room for stand in one column as JSON, and import back as well", async () => {
  await using posthorn = await workspace();
  for (let contact = 0; contact < 4; contact++) {
    const data = Object.fromEntries(Array.from({ length: 200 }, (_, key) => [`k${contact * 200 + key}`, key]));
    await ask(posthorn, "POST /contacts", { body: { email: `c${contact}@example.com`, data } });
  }
  const file = await exportedFrom(posthorn);
  expect(file.split("\r\n")[0]?.split(",")).toHaveLength(503);
  await using other = await workspace();
  expect((await imported(other, file)).result).toMatchObject({ createdCount: 4, failureCount: 0 });
  expect(await contactsOf(other)).toEqual(await contactsOf(posthorn));
});

test("an empty workspace exports a header", async () => {
  await using posthorn = await workspace();
  expect(await exportedFrom(posthorn)).toBe("email,subscribed\r\n");
});

describe("an export", () => {
  test("has the contacts that are asked for, in the order in which they were made", async () => {
    await using posthorn = await workspace();
    await imported(posthorn, "email,subscribed\nzoe@example.com,true\nada@other.com,false\nbob@example.com,false\n");
    const addresses = async (query: string) =>
      (await exportedFrom(posthorn, query))
        .split("\r\n")
        .slice(1, -1)
        .map((line) => line.split(",")[0] ?? "");
    expect((await addresses("")).sort()).toEqual(["ada@other.com", "bob@example.com", "zoe@example.com"]);
    expect(await addresses("?search=OTHER")).toEqual(["ada@other.com"]);
    expect((await addresses("?subscribed=false")).sort()).toEqual(["ada@other.com", "bob@example.com"]);
    expect(await addresses("?subscribed=false&search=example")).toEqual(["bob@example.com"]);
    const { id } = (await ask(posthorn, "GET /contacts/by-email/bob@example.com")).body;
    const these = await ask(posthorn, "POST /contacts/export", { body: { contactIds: [id, "nobody"] } });
    expect(these.body.split("\r\n").map((line: string) => line.split(",")[0])).toEqual([
      "email",
      "bob@example.com",
      "",
    ]);
    const { secret } = await addWorkspace(posthorn, { name: "other", domain: "other.example" });
    const theirs = { body: { contactIds: [id] }, key: { bearer: secret } };
    expect((await ask(posthorn, "POST /contacts/export", theirs)).body).toBe("email,subscribed\r\n");
    const segment = await ask(posthorn, "GET /contacts/export?segmentId=x");
    expect([segment.status, segment.body.error.code]).toEqual([404, "SEGMENT_NOT_FOUND"]);
    expect((await ask(posthorn, "GET /contacts/export?subscribed=perhaps")).status).toBe(400);
  });

  test("is a file to keep, and larger than one piece (slow)", async () => {
    await using posthorn = await workspace();
    const rows = Array.from({ length: 1_200 }, (_, row) => `c${row}@example.com,${row}\n`);
    await imported(posthorn, `email,n\n${rows.join("")}`);
    const { headers, body } = await ask(posthorn, "GET /contacts/export");
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="contacts.csv"');
    expect(body.split("\r\n")).toHaveLength(1_202);
  });

  test("breaks off if its segment is deleted: a file that lacks contacts must not look complete (slow)", async () => {
    await using posthorn = await workspace();
    const emails = await addWordyContacts(posthorn, 1_500);
    const { body: segment } = await ask(posthorn, "POST /segments", { body: { name: "Some", type: "STATIC" } });
    for (const from of [0, 500, 1_000])
      await ask(posthorn, `POST /segments/${segment.id}/members`, { body: { emails: emails.slice(from, from + 500) } });
    const headers = { authorization: `Bearer ${posthorn.keys.secret}` };
    const url = `${posthorn.server.url}/contacts/export?segmentId=${segment.id}`;
    const whole = await (await fetch(url, { headers })).text();
    expect(whole.split("\r\n")).toHaveLength(1_502);

    const slow = await slowReader(
      posthorn.server.url,
      `/contacts/export?segmentId=${segment.id}`,
      posthorn.keys.secret,
    );
    expect((await ask(posthorn, `DELETE /segments/${segment.id}`)).status).toBe(204);
    await posthorn.settle();
    const got = await slow.readOn();
    expect(got).not.toEndWith(LAST_CHUNK);
    expect(got.length).toBeLessThan(whole.length);
  });

  test("ends when the caller hangs up (slow)", async () => {
    await using posthorn = await workspace();
    await addWordyContacts(posthorn, 1_000);
    const headers = { authorization: `Bearer ${posthorn.keys.secret}` };
    const leaving = new AbortController();
    const reply = await fetch(`${posthorn.server.url}/contacts/export`, { headers, signal: leaving.signal });
    await reply.body?.getReader().read();
    leaving.abort();
    expect((await ask(posthorn, "GET /health", { key: "none" })).status).toBe(200);
  });
});
