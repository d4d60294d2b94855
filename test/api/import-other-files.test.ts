// POST /contacts/import and POST /suppressions/imports: files that are no lists are told by what they are, and what to
// do.
import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { FORM, formWith, imported, upload, uploadSuppressions } from "../support/files.ts";
import { ask } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { workspace } from "../support/workspace.ts";

const shared = sharedPosthorn();

const bytes = (text: string) => Buffer.from(text, "latin1");
const zipOf = (name: string) =>
  bytes(`PK\x03\x04\x14\0\0\0\x08\0${"\0".repeat(16)}${name}\x8f\xff\n,\n${"\xf0".repeat(9_000)}`);

const FILES: readonly (readonly [string, Uint8Array, string])[] = [
  ["one of another program", zipOf("mimetypeapplication/vnd.oasis.opendocument.spreadsheet"), "spreadsheet_file"],
  ["an old one", bytes("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0"), "spreadsheet_file"],
  ["a compressed file", gzipSync("email\na@a.example\n"), "compressed_file"],
  ["a PDF", bytes("%PDF-1.7\n"), "pdf_file"],
  ["a picture", bytes("\x89PNG\r\n\x1a\n"), "picture_file"],
  ["a web page", bytes("<html><table><tr><td>email</td></tr></table></html>"), "page_file"],
  ["a web page that begins with its head", bytes("<meta charset='utf-8'><table>"), "page_file"],
  ["a document of Word", zipOf("[Content_Types].xml\0_rels/.rels\0word/document.xml"), "document_file"],
  ["a document of another program", zipOf("mimetypeapplication/vnd.oasis.opendocument.text"), "document_file"],
  ["a document as RTF", bytes("{\\rtf1\\ansi a,b}"), "document_file"],
  ["a spreadsheet of Numbers", zipOf("Index/Document.iwa"), "spreadsheet_file"],
  ["one that begins with its tables", zipOf("Index/Tables/DataList-1.iwa"), "spreadsheet_file"],
  ["one that begins with its picture", zipOf("preview-micro.jpg"), "spreadsheet_file"],
  ["a picture of a telephone", bytes("\0\0\0\x18ftypheic\0\0\0\0"), "picture_file"],
  ["a picture of the web", bytes("RIFF\x10\x27\0\0WEBPVP8 "), "picture_file"],
  ["a scanned picture", bytes("II*\0\x08\0\0\0"), "picture_file"],
  ["a drawing", bytes("<svg xmlns='http://www.w3.org/2000/svg'/>"), "picture_file"],
  ["an address book", bytes("BEGIN:VCARD\r\nVERSION:3.0\r\nEND:VCARD\r\n"), "card_file"],
  ["a database", bytes("SQLite format 3\0\x10\0\x01\x01"), "binary_file"],
  ["JSON", bytes('[{"email": "a@a.example"}]'), "json_file"],
];

describe("a file that is neither CSV nor a workbook is refused with what it is:", () => {
  test.each(FILES)("%s", async (_, file, code) => {
    const body = formWith(file);
    const check = await ask(shared(), "POST /contacts/import/check", { headers: FORM, body });
    const { status, body: answer } = await upload(shared(), file);
    expect([check.status, status]).toEqual([422, 422]);
    expect(check.body.error.errors).toEqual(answer.error.errors);
    const [{ field, code: said, message }] = answer.error.errors;
    expect([field, said]).toEqual(["file", code]);
    expect(message).toMatch(/^This is .+\. (Unpack|Save|Export|Put) .+\.$/);
  });

  test.each([
    ["a ZIP archive", zipOf("subscribed_members_export.csv")],
    ["an empty ZIP archive", bytes(`PK\x05\x06${"\0".repeat(18)}`)],
    ["a ZIP archive with a folder", zipOf("password/list.csv")],
  ])("in suppressions also %s", async (_, file) => {
    const { status, body } = await uploadSuppressions(shared(), file);
    expect([status, body.error.errors[0].code]).toEqual([422, "zip_file"]);
  });
});

test("a CSV that only begins like another file is read, however small it is (slow)", async () => {
  await using posthorn = await workspace();
  expect((await imported(posthorn, "PK,email\n1,a@a.example\n")).result.createdCount).toBe(1);
  expect((await imported(posthorn, "[x],email\n1,b@a.example\n")).result.createdCount).toBe(1);
  expect((await imported(posthorn, "BMW,email\n1,c@a.example\n\0\0\0\0")).result.createdCount).toBe(1);
  const cyrillic = Buffer.from("email;\u0418\u043c\u044f\nd@a.example;\u0410\u0434\u0430\n", "utf16le");
  expect((await imported(posthorn, cyrillic)).result.createdCount).toBe(1);
});
