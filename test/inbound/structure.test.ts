// Messages whose header does not fit their body: none arrives empty (src/mail/inbound/reading/structure.ts).
import { expect, test } from "bun:test";
import { threadCpuMs } from "../../src/base/clock.ts";
import { fileAt, readContents } from "../../src/mail/inbound/reading/contents.ts";
import { readText } from "../../src/mail/inbound/reading/text.ts";
import { withFittingTypes } from "../../src/mail/inbound/reading/structure.ts";
import { bring, received, startHouse, wire } from "../support/outside.ts";

const HEAD = "From: Ada <ada@elsewhere.test>\nTo: help@example.test\nSubject: Hi\nMIME-Version: 1.0\n";
const PDF =
  'Content-Type: application/pdf; name="a.pdf"\nContent-Disposition: attachment; filename="a.pdf"\nContent-Transfer-Encoding: base64\n\nJVBERi0x';
const twoParts = (boundary: string) =>
  `--${boundary}\nContent-Type: text/plain\n\nTEXT-OK\n--${boundary}\n${PDF}\n--${boundary}--\n`;

const ROWS: readonly [what: string, rest: string, text: string, files: number][] = [
  ["a multipart without a boundary", "Content-Type: multipart/alternative\n\nJust a text.\n", "Just a text.", 0],
  [
    "a boundary that is not there",
    'Content-Type: multipart/mixed; boundary="none"\n\nJust a text.\n',
    "Just a text.",
    0,
  ],
  [
    "a boundary only at its end",
    "Content-Type: multipart/mixed; boundary=b\n\nJust a text.\n--b--\n",
    "Just a text.\n--b--",
    0,
  ],
  ["a boundary of another name", `Content-Type: multipart/mixed; boundary=none\n\n${twoParts("used")}`, "TEXT-OK", 1],
  [
    "two types, of which the last one fits",
    `Content-Type: multipart/mixed; boundary="unused"\nX-Other: 1\nContent-Type: multipart/mixed; boundary="used"\n\n${twoParts("used")}`,
    "TEXT-OK",
    1,
  ],
  [
    "two types, of which the first one fits",
    `Content-Type: multipart/mixed; boundary="used"\nContent-Type: multipart/mixed; boundary="unused"\n\n${twoParts("used")}`,
    "TEXT-OK",
    1,
  ],
  [
    "two types, of which one is text",
    'Content-Type: multipart/mixed; boundary="unused"\nContent-Type: text/plain; charset=utf-8\n\nJust a text.\n',
    "Just a text.",
    0,
  ],
  [
    "a page",
    'Content-Type: multipart/alternative; boundary="none"\n\n<html><body><p>Just a <b>page</b>.</p></body></html>\n',
    "Just a page.",
    0,
  ],
  [
    "an encoded body",
    "Content-Type: multipart/mixed; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nM=F6chten\n",
    "Möchten",
    0,
  ],
  ["a type that is none", "Content-Type: garbage\n\nJust a text.\n", "Just a text.", 0],
  ["only half of a type", "Content-Type: text\n\nJust a text.\n", "Just a text.", 0],
  [
    "a file whose type is none",
    `Content-Type: multipart/mixed; boundary=b\n\n--b\n\nText\n--b\n${PDF.replace("application/pdf", "pdf")}\n--b--\n`,
    "Text",
    1,
  ],
  [
    "a part within a part",
    `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/alternative; boundary=none\n\nInner text\n--b\n${PDF}\n--b--\n`,
    "Inner text",
    1,
  ],
];

test.each(ROWS)("%s: its text is read, and its files", async (_, rest, text, files) => {
  const raw = wire(HEAD + rest);
  const contents = await readContents(raw);
  expect([contents.text.trim().replaceAll("\r\n", "\n"), contents.files.length]).toEqual([text, files]);
  const shown = await readText(raw);
  expect((shown.text ?? shown.html ?? "").length).toBeGreaterThan(0);
  if (files > 0) expect(Buffer.from((await fileAt(raw, 0)) ?? []).toString()).toBe("%PDF-1");
});

test("through the port, none arrives empty (slow)", async () => {
  const house = await startHouse();
  await using _ = house.posthorn;
  for (const [, rest] of ROWS) await bring(house, HEAD + rest);
  const events = await received(house.posthorn);
  expect(events.map(({ hasContent }) => hasContent)).toEqual(ROWS.map(() => true));
});

test("a message that is as it should be keeps its bytes, and so do words that look like a header", () => {
  const good = wire(`${HEAD}Content-Type: multipart/mixed; boundary="b b"\n\n${twoParts("b b")}`);
  expect(withFittingTypes(good)).toBe(good);
  const quoted = wire(
    `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n--b\n\nContent-Type: multipart/mixed\n\nText\n--b--\n`,
  );
  expect(withFittingTypes(quoted)).toBe(quoted);
});

test("many parts without their boundary cost little", () => {
  const part = "--b\nContent-Type: multipart/mixed; boundary=none\n\nText\n";
  const raw = wire(`${HEAD}Content-Type: multipart/mixed; boundary=b\n\n${part.repeat(100_000)}`);
  const startedMs = threadCpuMs();
  withFittingTypes(raw);
  expect(threadCpuMs() - startedMs).toBeLessThan(2_000);
});

const WORD = "=?ISO-8859-1?Q?M=F6chten Sie?=";

test("blanks in an encoded word are decoded wherever it stands", async () => {
  const head = `From: ${WORD} <ada@elsewhere.test>\nTo: help@example.test\nSubject: Re: ${WORD}\nMIME-Version: 1.0\n`;
  const file = `Content-Type: application/pdf; name="${WORD}.pdf"\nContent-Disposition: attachment; filename="${WORD}.pdf"\n\nx`;
  const inner = `Content-Type: message/rfc822\n\nFrom: ${WORD} <bob@elsewhere.test>\nSubject: ${WORD}\n\nInner\n`;
  const raw = wire(
    `${head}Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nx\n--b\n${file}\n--b\n${inner}\n--b--\n`,
  );
  const contents = await readContents(raw);
  expect(contents).toMatchObject({ subject: "Re: Möchten Sie", sender: { name: "Möchten Sie" } });
  expect(contents.files[0]?.filename).toBe("Möchten Sie.pdf");
  expect((await readText(wire("Subject: =?utf-8?Q?M=C3=B6chten Sie? Ja?= =?utf-8?Q? oder nein??=\n\nx"))).subject).toBe(
    "Möchten Sie? Ja oder nein?",
  );
  expect(contents.text + JSON.stringify(contents.files)).not.toContain("=?ISO");
});
