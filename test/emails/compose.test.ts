// Composed mails, read back with an independent parser and looked at byte by byte: src/content/mime/compose.ts.
import { describe, expect, test } from "bun:test";
import { compose, type MimeLetter } from "../../src/content/mime/compose.ts";
import {
  composed,
  expectFitForTheWire,
  file,
  headerOf,
  LETTER_ID,
  picture,
  plainLetter,
  readBack,
} from "../support/letters.ts";

/** The content types of a message, parts indented below what holds them. */
function structure(message: string, depth = 0): string[] {
  const type = /^Content-Type: ([^;\r]+)/im.exec(message)?.[1] ?? "none";
  const boundary = /boundary="([^"]+)"/.exec(message.slice(0, message.indexOf("\r\n\r\n")))?.[1];
  const parts = boundary === undefined ? [] : message.split(`--${boundary}`).slice(1, -1);
  return ["  ".repeat(depth) + type, ...parts.flatMap((part) => structure(part, depth + 1))];
}

test("a mail has exactly the header fields that it needs, in a fixed form", async () => {
  expect(headerOf(await composed({}))).toBe(
    [
      "From: Shop <news@shop.example>",
      "To: someone@example.com",
      "Subject: Your order",
      `Message-ID: <${LETTER_ID}@shop.example>`,
      "Date: Sat, 31 Jan 2026 09:30:05 +0000",
      "MIME-Version: 1.0",
      "Content-Type: multipart/alternative;",
      ` boundary="=_${LETTER_ID}-alternative"`,
      "",
    ].join("\r\n"),
  );
});

test("the same letter gives the same bytes, another id gives other boundaries", async () => {
  const letter = { ...plainLetter, attachments: [file, picture] };
  expect(await compose(letter)).toEqual(await compose(letter));
  expect(await compose({ ...letter, id: "other" })).not.toEqual(await compose(letter));
});

describe("a mail has only the parts that it needs", () => {
  const alternative = ["multipart/alternative", "  text/plain", "  text/html"];
  test.each<[string, Partial<MimeLetter>, string[]]>([
    ["text and html", {}, alternative],
    ["only html", { text: "" }, ["text/html"]],
    ["only text", { html: "" }, ["text/plain"]],
    ["nothing at all", { html: "", text: "" }, ["text/plain"]],
    [
      "an attachment",
      { attachments: [file] },
      ["multipart/mixed", ...alternative.map((line) => `  ${line}`), "  application/octet-stream"],
    ],
    [
      "only text and an attachment",
      { html: "", attachments: [file] },
      ["multipart/mixed", "  text/plain", "  application/octet-stream"],
    ],
    [
      "embedded pictures",
      { attachments: [picture, { ...picture, contentId: "<other>" }] },
      [
        ...["multipart/alternative", "  text/plain"],
        ...["  multipart/related", "    text/html", "    image/png", "    image/png"],
      ],
    ],
    [
      "only html with an embedded picture",
      { text: "", attachments: [picture] },
      ["multipart/related", "  text/html", "  image/png"],
    ],
    [
      "an embedded picture without html to show it",
      { html: "", attachments: [picture] },
      ["multipart/mixed", "  text/plain", "  image/png"],
    ],
    [
      "an inline file without a content id",
      { text: "", attachments: [{ ...picture, contentId: null }] },
      ["multipart/mixed", "  text/html", "  image/png"],
    ],
    [
      "everything",
      { attachments: [file, picture] },
      [
        ...["multipart/mixed", "  multipart/alternative", "    text/plain"],
        ...["    multipart/related", "      text/html", "      image/png", "  application/octet-stream"],
      ],
    ],
  ])("%s", async (_name, changes, parts) => {
    const message = await composed(changes);
    expect(structure(message)).toEqual(parts);
    expectFitForTheWire(message);
  });
});

describe("every script and sign arrives as it was written", () => {
  test.each([
    ["Latin", "Grüße aus Köln – „schön“, 5 € ½"],
    ["emoji", "😀 👨‍👩‍👧‍👦 🏳️‍🌈 ❤️ done"],
    ["Chinese, Japanese, Korean", "你好，世界。 日本語のテキスト 한국어"],
    ["right to left", "שלום עולם مرحبا بالعالم"],
    ["Cyrillic", "Съешь же ещё этих мягких французских булок"],
    ["signs of the encodings", "a=b =3D =?utf-8?Q?x?= =20 . =_ -- \\ \" ' < > & %0A"],
    ["many words", "An ordinary subject that is quite a bit longer than what fits into a single line of a header"],
    ["one endless word", "x".repeat(990)],
    ["foreign and endless", "ü".repeat(990)],
    ["endless emoji", "😀".repeat(400)],
    ["wide gaps", `a${" ".repeat(200)}b   c`],
  ])("%s", async (_name, text) => {
    const changes = { subject: text, html: `<p>${text}</p>\n`, text: `${text}\n` };
    const mail = await readBack({ ...changes, from: { name: text, address: "news@shop.example" } });
    expect(mail.subject).toBe(text);
    expect(mail.from?.value).toEqual([{ name: text, address: "news@shop.example" }]);
    expect(mail.html).toBe(`<p>${text}</p>\n`);
    expect(mail.text).toBe(`${text}\n`);
    expectFitForTheWire(await composed(changes));
  });
});

describe("bodies keep their lines, whatever their shape", () => {
  test.each([
    ["mixed line ends", "a\nb\r\nc\rd\n\n", "a\nb\nc\nd\n\n"],
    ["no last line end", "a\nb", "a\nb"],
    ["lines of 10,000 characters", `${"long ".repeat(2000)}\nshort`, `${"long ".repeat(2000)}\nshort`],
    ["a word of 10,000 characters", "x".repeat(10_000), "x".repeat(10_000)],
    ["spaces and tabs at line ends", "a \nb\t\n \n\t\nc  ", "a \nb\t\n \n\t\nc  "],
    ["lines that look like mail", ".\n..\nFrom x\n--\nBcc: y\n", ".\n..\nFrom x\n--\nBcc: y\n"],
    ["a line that is a boundary", `--=_${LETTER_ID}-alternative\n`, `--=_${LETTER_ID}-alternative\n`],
    ["an end that is a boundary", `x\n--=_${LETTER_ID}-alternative--\ny`, `x\n--=_${LETTER_ID}-alternative--\ny`],
    ["controls", "a\0b\x07c\x1bd\u0085e\u2028f", "a\0b\x07c\x1bd\u0085e\u2028f"],
    ["half a character", "a\ud83db", "a\ufffdb"],
  ])("%s", async (_name, text, read) => {
    for (const changes of [{ text }, { text, html: "" }, { text: "", html: text }]) {
      const mail = await readBack(changes);
      const body = changes.html === text ? mail.html : mail.text;
      // A part that is the whole message may gain the line end that every message ends with.
      expect(String(body).replace(/\n$/, "")).toBe(read.replace(/\n$/, ""));
      expectFitForTheWire(await composed(changes));
    }
  });
});

test("text is sent in the encoding that is shortest", async () => {
  const encodings = async (text: string) =>
    /^Content-Transfer-Encoding: (.*)\r$/m.exec(await composed({ html: "", text }))?.[1];
  expect(await encodings("Thank you\nfor your order\n")).toBe("7bit");
  expect(await encodings("x".repeat(79))).toBe("quoted-printable");
  expect(await encodings("Grüße an alle, die das hier lesen")).toBe("quoted-printable");
  expect(await encodings("日本語のテキスト")).toBe("base64");
});
