// POST /contacts/import and POST /suppressions/imports: files that are no CSV are told by what they are, and what to do.
import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { FORM, formWith, imported, upload, uploadSuppressions } from "../support/files.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";

const shared = sharedPosthorn();

const bytes = (text: string) => Buffer.from(text, "latin1");
const zipOf = (name: string) =>
  bytes(`PK\x03\x04\x14\0\0\0\x08\0${"\0".repeat(16)}${name}\x8f\xff\n,\n${"\xf0".repeat(9_000)}`);

const FILES: readonly (readonly [string, Uint8Array, string])[] = [
  ["a ZIP archive", zipOf("subscribed_members_export.csv"), "zip_file"],
  ["an empty ZIP archive", bytes(`PK\x05\x06${"\0".repeat(18)}`), "zip_file"],
  ["a spreadsheet of Excel", zipOf("[Content_Types].xml"), "spreadsheet_file"],
  ["one of another program", zipOf("mimetypeapplication/vnd.oasis.opendocument.spreadsheet"), "spreadsheet_file"],
  ["an old one", bytes("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0"), "spreadsheet_file"],
  ["a compressed file", gzipSync("email\na@a.example\n"), "compressed_file"],
  ["a PDF", bytes("%PDF-1.7\n"), "pdf_file"],
  ["a picture", bytes("\x89PNG\r\n\x1a\n"), "picture_file"],
  ["a web page", bytes("<html><table><tr><td>email</td></tr></table></html>"), "page_file"],
  ["JSON", bytes('[{"email": "a@a.example"}]'), "json_file"],
];

describe("a file that is no CSV is refused with what it is:", () => {
  test.each(FILES)("%s", async (_, file, code) => {
    const body = formWith(file);
    const check = await ask(shared(), "POST /contacts/import/check", { headers: FORM, body });
    const { status, body: answer } = await upload(shared(), file);
    expect([check.status, status]).toEqual([422, 422]);
    expect(check.body.error.errors).toEqual(answer.error.errors);
    const [{ field, code: said, message }] = answer.error.errors;
    expect([field, said]).toEqual(["file", code]);
    expect(message).toMatch(/^This is .+\. (Unpack|Save|Export) .+\.$/);
  });

  test("in suppressions, too", async () => {
    const { status, body } = await uploadSuppressions(shared(), "PK\x03\x04subscribed.csv");
    expect([status, body.error.errors[0].code]).toEqual([422, "zip_file"]);
  });
});

test("a CSV that only begins like another file is read, however small it is", async () => {
  await using posthorn = await startPosthorn();
  expect((await imported(posthorn, "PK,email\n1,a@a.example\n")).result.createdCount).toBe(1);
  expect((await imported(posthorn, "[x],email\n1,b@a.example\n")).result.createdCount).toBe(1);
});
