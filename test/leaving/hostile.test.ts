// Files of a workspace that are damaged, forged or hostile: each is refused with a reason, and leaves nothing behind.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Readable } from "node:stream";
import { pack } from "tar-stream";
import { AppError } from "../../src/base/errors.ts";
import { digestOf, packed, unpacked, type FileManifest, type FilePart } from "../../src/operator/leaving/file.ts";
import { removeAbandoned } from "../../src/operator/leaving/room.ts";
import type { Store } from "../../src/store/store.ts";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { ENGINE } from "../support/database.ts";
import { rowsOf } from "../support/store.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";
import { elsewhere, exported, fill, taken, type Elsewhere } from "../support/whole-workspace.ts";

let file: Buffer;
let parts: readonly FilePart[];
let there: Elsewhere;
let untouched: string;

beforeAll(async () => {
  await using posthorn = await workspace();
  await fill(posthorn);
  file = await exported(posthorn, "default");
  parts = await Array.fromAsync(unpacked(Readable.from([file])));
  there = await elsewhere(ENGINE);
  untouched = await allOf(there.store);
}, 60_000);
afterAll(() => there[Symbol.asyncDispose]());

const allOf = async (store: Store) => JSON.stringify(await rowsOf(store));

async function archive(given: readonly FilePart[]): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(packed(Readable.from(given))));
}

/** With a manifest that names the parts as they are now. */
async function forged(change: (part: FilePart) => FilePart | readonly FilePart[]): Promise<Buffer> {
  const changed = parts.slice(0, -1).flatMap(change);
  const manifest = JSON.parse(String(parts.at(-1)?.bytes)) as FileManifest;
  const digests = changed
    .slice(1)
    .map((part) => digestOf({ ...part, rows: part.bytes.toString().split("\n").length - 1 }));
  const bytes = Buffer.from(JSON.stringify({ ...manifest, parts: digests }));
  return archive([...changed, { name: "manifest.json", bytes, rows: 0 }]);
}

/** A text of one part is another. */
const rewritten = (name: string, from: string | RegExp, to: string) =>
  forged((part) => {
    if (!part.name.startsWith(`${name}-`)) return part;
    const text = part.bytes.toString();
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`Nothing in ${name} is like that.`);
    return { ...part, bytes: Buffer.from(changed) };
  });

async function raw(entries: readonly (readonly [header: object, text?: string])[]): Promise<Buffer> {
  const tar = pack();
  for (const [header, text = ""] of entries) tar.entry(header as { name: string }, text);
  tar.finalize();
  return Buffer.concat((await Array.fromAsync(tar)) as Uint8Array[]);
}

const about = () => parts[0]?.bytes.toString() ?? "";
const withSize = (bytes: Buffer, size: string) => {
  // The size is in the header at 124; the checksum, at 148, is over the header.
  bytes.write(size, 124, "latin1");
  bytes.write("        ", 148, "latin1");
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return bytes;
};

/** The file, and what its refusal says. */
const CASES: Readonly<Record<string, () => readonly [file: Promise<Buffer> | Buffer, reason: RegExp]>> = {
  "nothing at all": () => [Buffer.alloc(0), /cut off/],
  "something else": () => [Buffer.from("<html>".repeat(1_000)), /no tar archive/],
  "half of it": () => [file.subarray(0, file.length / 2), /cut off|damaged/],
  "all but its manifest": () => [archive(parts.slice(0, -1)), /its end is missing/],
  "more behind its manifest": () => [archive([...parts, parts[2] as FilePart]), /after its manifest/],
  "a changed byte": () => {
    const changed = Buffer.from(file);
    const at = changed.indexOf("ada@whole.example");
    changed.write("eve", at);
    return [changed, /was changed or damaged|ledger/];
  },
  "a part less": () => [
    archive(parts.filter(({ name }) => !name.startsWith("notes-"))),
    /notes-000001\.jsonl is missing/,
  ],
  "a part twice": () => [forged((part) => (part.name.startsWith("topics-") ? [part, part] : part)), /not in its place/],
  "parts in another order": () => [
    archive([...parts.slice(0, 3), ...parts.slice(3, -1).toReversed(), parts.at(-1) as FilePart]),
    /not in (its place|the file before)/,
  ],
  "a path upward": () => [
    raw([
      [{ name: "about.json" }, about()],
      [{ name: "../../etc/passwd" }, "root"],
    ]),
    /part that is not known/,
  ],
  "a table that stays": () => [
    raw([
      [{ name: "about.json" }, about()],
      [{ name: "users-000001.jsonl" }, "{}\n"],
    ]),
    /part that is not known/,
  ],
  "a link": () => [raw([[{ name: "about.json", type: "symlink", linkname: "/etc/passwd" }]]), /is no file/],
  "a part of ten gigabytes": () => [
    raw([[{ name: "about.json" }, "{}"]]).then((one) => withSize(one, "112402762000\0")),
    /larger than any part/,
  ],
  "a later format": () => [
    raw([[{ name: "about.json" }, about().replace('"formatVersion": 1', '"formatVersion": 2')]]),
    /update first/,
  ],
  "another product's": () => [raw([[{ name: "about.json" }, '{"format":"tickets"}']]), /no file of a workspace/],
  "a row that is no JSON": () => [rewritten("contacts", /^\{/, "["), /line 1: it is no JSON object/],
  "rows nested without end": () => [
    rewritten("contacts", /^\{/, `{"x":${"[".repeat(200_000)}`),
    /line 1: it is no JSON object/,
  ],
  "a field that no table has": () => [rewritten("contacts", /^\{/, '{"isAdmin":true,'), /field that is not known/],
  "a number for a text": () => [rewritten("contacts", /"email":"[^"]+"/, '"email":7'), /its email is no value/],
  "a fraction for a count": () => [rewritten("emails", /"opens":\d+/, '"opens":0.5'), /its opens is no value/],
  "a time that is none": () => [
    rewritten("contacts", /"createdAt":"[^"]+"/, '"createdAt":"soon"'),
    /createdAt is no value/,
  ],
  "a null byte": () => [
    rewritten("contacts", /ada@whole\.example/, "ada\\u0000@whole.example"),
    ENGINE === "postgres" ? /cannot be stored|ledger/ : /ledger/,
  ],
  "a state that no row has": () => [rewritten("contacts", /"status":"ACTIVE"/, '"status":"OWNER"'), /cannot be stored/],
  "a contact that is not in it": () => [
    rewritten("notes", /"contact":"[^"]+"/, '"contact":"019c86f1-0000-7000-8000-000000000000"'),
    /notes-000001\.jsonl, line 1: its contact is a row that is not in the file/,
  ],
  "a place that is not in it": () => [
    rewritten("emails", /"content":\d+/, '"content":99'),
    /its content is a row that is not/,
  ],
  "a contact by another's number": () => [
    rewritten("notes", /"contact":"[^"]+"/, '"contact":1'),
    /its contact is a row that is not/,
  ],
  "a listener of no kind": () => [
    rewritten("interests", /"kind":"segment"/, '"kind":"constructor"'),
    /its listener is a row that is not/,
  ],
  "two workspaces": () => [rewritten("workspaces", /^.*\n/, "$&$&"), /one workspace at its beginning/],
  "another workspace than it names": () => [
    rewritten("workspaces", /"id":"[^"]+"/, '"id":"019c86f1-0000-7000-8000-000000000000"'),
    /not the workspace that the file names/,
  ],
  "a name that is none": () => [
    raw([[{ name: "about.json" }, about().replace('"name": "default"', '"name": "a\\nb"')]]),
    /name is 1 to 100 characters/,
  ],
  "a ledger that says something else": () => [
    rewritten("consents", /"what":"subscribed"/, '"what":"unsubscribed"'),
    /ledger of consent was changed: Row 1 was changed/,
  ],
  "a ledger without its beginning": () => [rewritten("consents", /^.*\n/, ""), /ledger of consent was changed/],
};

test.each(Object.entries(CASES))("%s", async (_, make) => {
  const [given, reason] = make();
  const refused = await taken(there, await given).then(
    () => "nothing",
    (error: Error) => error,
  );
  expect(refused).toBeInstanceOf(AppError);
  expect((refused as AppError).message).toMatch(reason);
  expect(await allOf(there.store)).toBe(untouched);
});

test("a workspace that is here already is refused, and so are public ids of another", async () => {
  await using other = await elsewhere(ENGINE);
  await taken(other, file, { name: "First" });
  const before = await allOf(other.store);
  await expect(taken(other, file, { name: "Second" })).rejects.toThrow(
    /default \(.+\) cannot come in: it is here already, as First/,
  );
  const id = "019c86f1-0000-7000-8000-00000000000f";
  const as = (part: FilePart) => {
    const known = (JSON.parse(about()) as FileManifest).workspace.id;
    return { ...part, bytes: Buffer.from(part.bytes.toString().replaceAll(known, id)) };
  };
  await expect(taken(other, await forged(as), { name: "Second" })).rejects.toThrow(
    "The workspace First has public ids that are in the file (domains).",
  );
  expect(await allOf(other.store)).toBe(before);
});

test("a key of a form that another workspace has is named", async () => {
  const form = { name: "Letters", key: "garden-letters", title: { en: "Letters" } };
  await using source = await startPosthorn();
  await ask(source, "POST /forms", { body: form });
  const given = await exported(source, "default");
  await using other = await workspace();
  await ask(other, "POST /forms", { body: form });
  await expect(taken(other, given, { name: "Second" })).rejects.toThrow(
    "The workspace default has the key garden-letters, which is in the file (forms).",
  );
});

test("a name that is taken is refused before anything is read", async () => {
  await using posthorn = await workspace();
  await expect(taken(posthorn, file)).rejects.toThrow("A workspace default already exists.");
});

test("what a dead process has begun is removed, and one that goes on after that is refused", async () => {
  await using other = await elsewhere(ENGINE);
  const before = await allOf(other.store);
  const isAway = Promise.withResolvers<void>();
  const isBack = Promise.withResolvers<void>();
  async function* slow() {
    for (const part of parts) {
      if (part.name.startsWith("notes-")) {
        isAway.resolve();
        await isBack.promise;
      }
      yield part;
    }
  }
  const coming = taken(other, Readable.from(packed(slow()))).then(
    () => "in",
    (error: Error) => error.message,
  );
  await isAway.promise;
  await removeAbandoned(other.store);
  expect(await allOf(other.store)).not.toBe(before);
  other.clock.advance(11 * MINUTE_MS);
  await removeAbandoned(other.store);
  expect(await allOf(other.store)).toBe(before);
  isBack.resolve();
  expect(await coming).toMatch(/took too long/);
  expect(await allOf(other.store)).toBe(before);
});
