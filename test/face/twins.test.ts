// What the web interface knows by itself, so that nobody waits for the server, is what the server does.
import { expect, test } from "bun:test";
import { isWorkbook, readable } from "../../src/audience/csv/other-files.ts";
import { isPlainKey, plainKey } from "../../src/audience/contacts/plain-keys.ts";
import { AppError } from "../../src/base/errors.ts";

// `web/` has types of its own.
const webFile = (path: string) => import(new URL(`../../web/people/import/file/${path}`, import.meta.url).href);

test("a name becomes the same plain key", async () => {
  const { plainKey: shown } = (await webFile("plain-key.ts")) as { plainKey: (name: string) => string };
  const names = [
    "Kundennr.",
    "Phone Number",
    "OK to email?",
    "plan",
    "2nd name",
    "É-Mail",
    "don’t",
    "VIP",
    "...",
    "a_b-c",
    "",
  ];
  expect(names.map(shown)).toEqual(names.map((name) => (isPlainKey(name) ? name : plainKey(name))));
});

test("a file that is no CSV is the same", async () => {
  const { otherFileIn } = (await webFile("other-files.ts")) as { otherFileIn: (file: File) => Promise<string | null> };
  const heads = {
    zip: "PK\x03\x04\x14\x00a.csv",
    spreadsheet: "PK\x03\x04\x14\x00mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
    compressed: "\x1f\x8b\x08",
    pdf: "%PDF-1.7",
    picture: "\x89PNG",
    page: "<!doctype html>",
    json: '[{"email": 1}]',
    document: "{\\rtf1",
    card: "BEGIN:VCARD",
    binary: "SQLite format 3\0\x10\0\x01",
  };
  for (const [kind, head] of Object.entries(heads)) {
    const bytes = Buffer.from(head, "latin1");
    expect([kind, await otherFileIn(new File([bytes], "a"))]).toEqual([kind, kind]);
    expect([kind, await refusalOf(bytes)]).toEqual([kind, `${kind}_file`]);
  }
  for (const head of ["PK\x03\x04\x14\x00[Content_Types].xml", "\xd0\xcf\x11\xe0\0\x01"]) {
    const bytes = Buffer.from(head, "latin1");
    expect([await otherFileIn(new File([bytes], "a")), await refusalOf(bytes)]).toEqual(["workbook", null]);
    expect(isWorkbook(bytes)).toBe(true);
  }
  const csv = Buffer.from("email,name\nada@example.com,Ada\n");
  expect([await otherFileIn(new File([csv], "a")), await refusalOf(csv)]).toEqual([null, null]);
});

/** The code of the error on `file`; null = it is read. */
async function refusalOf(bytes: Uint8Array): Promise<string | null> {
  try {
    for await (const _ of readable(one(bytes)));
    return null;
  } catch (error) {
    return ((error as AppError).details.errors ?? [])[0]?.code ?? "none";
  }
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
