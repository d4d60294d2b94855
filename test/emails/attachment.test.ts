// Files that go with a mail, read back with an independent parser: src/content/mime/attachment.ts.
import { describe, expect, test } from "bun:test";
import { composed, expectFitForTheWire, file, picture, readBack } from "../support/letters.ts";

describe("attachments arrive byte for byte", () => {
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  test.each([
    ["every byte", everyByte],
    ["nothing", Buffer.alloc(0)],
    ["bare line ends", Buffer.from("a\nb\rc\r\n\n.\r\n")],
    ["a full last line", Buffer.alloc(57, 7)],
    ["100 KB", Buffer.alloc(100_000, everyByte)],
    ["a view into other bytes", everyByte.subarray(100, 130)],
  ])("%s", async (_name, content) => {
    const changes = { attachments: [{ ...file, content: new Uint8Array(content) }] };
    const mail = await readBack(changes);
    expect(mail.attachments[0]?.content).toEqual(Buffer.from(content));
    expectFitForTheWire(await composed(changes));
  });
});

describe("files keep their names", () => {
  test.each([
    ...["invoice.pdf", "two words.pdf", "two  spaces.pdf", "Größe.pdf", "請求書.pdf", "😀.png", "קובץ.txt"],
    ...["a'b.txt", "50% off.txt", "a;b=c.txt", "a,b.txt", "back\\slash.txt", '"quoted".txt', "-dash", ".hidden"],
    ...["../../etc/passwd", "%41.txt", "UTF-8''x.txt", "name*0=x.txt", "(x).txt", "[1].txt"],
    ...["x".repeat(251) + ".pdf", "ü".repeat(251) + ".pdf", "long name ".repeat(25) + ".pdf"],
  ])("%s", async (filename) => {
    const changes = { attachments: [{ ...file, filename, content: Buffer.from("x") }] };
    expect((await readBack(changes)).attachments.map((attachment) => attachment.filename)).toEqual([filename]);
    expectFitForTheWire(await composed(changes));
  });
});

describe("a file is declared as what it is", () => {
  test.each<[string, string | null, string, string]>([
    ["a.pdf", null, "x", "application/pdf; name="],
    ["a.PNG", null, "x", "image/png; name="],
    ["a.unknown", null, "x", "application/octet-stream; name="],
    ["noending", null, "x", "application/octet-stream; name="],
    ["a.csv", null, "Größe", "text/csv; charset=utf-8; name="],
    ["a.csv", null, "\xff", "text/csv; charset=utf-8; name="],
    ["a.csv", "text/csv; charset=iso-8859-1", "x", "text/csv; charset=iso-8859-1; name="],
    ["a.ics", 'text/calendar; method=REQUEST; name="b"', "x", "text/calendar; method=REQUEST; charset=utf-8; name="],
    ["a.bin", "IMAGE/JPEG", "x", "image/jpeg; name="],
    ["a.eml", null, "x", "application/octet-stream; name="],
    ["a.eml", "message/rfc822", "x", "application/octet-stream; name="],
    ["a.bin", 'multipart/mixed; boundary="x"', "x", "application/octet-stream; name="],
    ["a.pdf", "not a type", "x", "application/pdf; name="],
    ["a.pdf", "text/html\r\nBcc: x@evil.com", "x", "application/pdf; name="],
  ])("%s as %p", async (filename, contentType, content, declared) => {
    const attachments = [{ ...file, filename, contentType, content: Buffer.from(content) }];
    const message = (await composed({ text: "", attachments })).replaceAll("\r\n ", " ");
    expect(message).toContain(`\r\nContent-Type: ${declared}`);
  });

  test("and text that is not UTF-8 has no charset", async () => {
    const attachments = [{ ...file, filename: "a.csv", content: Buffer.from([0xff, 0x41]) }];
    expect(await composed({ text: "", attachments })).toContain("\r\nContent-Type: text/csv; name=");
  });
});

test("embedded pictures are found by the HTML", async () => {
  const html = '<img src="cid:logo"><img src="cid:a@b">';
  const attachments = [picture, { ...picture, contentId: "<a@b>" }];
  const mail = await readBack({ html, attachments });
  expect(mail.attachments.map(({ cid, related, contentDisposition }) => [cid, related, contentDisposition])).toEqual([
    ["logo", true, "inline"],
    ["a@b", true, "inline"],
  ]);
});
