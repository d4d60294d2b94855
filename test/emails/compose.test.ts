// Composed mails, read back with an independent parser and looked at byte by byte: src/emails/compose.ts.
import { describe, expect, test } from "bun:test";
import { type ParsedMail, simpleParser } from "mailparser";
import { compose, type Letter, messageIdFor } from "../../src/emails/compose.ts";
import { seeded } from "../support/seeded.ts";

const ID = "0199a3b4-0000-7000-8000-00000000abcd";

const plainLetter: Letter = {
  id: ID,
  messageId: messageIdFor(ID, "news@shop.example"),
  dateMs: Date.UTC(2026, 0, 31, 9, 30, 5),
  from: { name: "Shop", address: "news@shop.example" },
  to: { name: null, address: "someone@example.com" },
  replyTo: null,
  subject: "Your order",
  html: "<p>Thank you</p>",
  text: "Thank you",
  headers: {},
  attachments: [],
};

const file = { filename: "a.bin", contentType: null, disposition: "attachment", contentId: null } as const;
const picture = { filename: "logo.png", contentType: "image/png", disposition: "inline", contentId: "logo" } as const;

async function composed(changes: Partial<Letter>): Promise<string> {
  return (await compose({ ...plainLetter, ...changes })).toString("latin1");
}

async function readBack(changes: Partial<Letter>): Promise<ParsedMail> {
  return simpleParser(await compose({ ...plainLetter, ...changes }), { skipHtmlToText: true, skipTextToHtml: true });
}

/** The content types of a message, parts indented below what holds them. */
function structure(message: string, depth = 0): string[] {
  const type = /^Content-Type: ([^;\r]+)/im.exec(message)?.[1] ?? "none";
  const boundary = /boundary="([^"]+)"/.exec(message.slice(0, message.indexOf("\r\n\r\n")))?.[1];
  const parts = boundary === undefined ? [] : message.split(`--${boundary}`).slice(1, -1);
  return ["  ".repeat(depth) + type, ...parts.flatMap((part) => structure(part, depth + 1))];
}

function headerOf(message: string): string {
  return message.slice(0, message.indexOf("\r\n\r\n") + 2);
}

function fieldNames(message: string): string[] {
  return [...headerOf(message).matchAll(/^([^\s:]+):/gm)].map((match) => match[1] ?? "");
}

function expectFitForTheWire(message: string): void {
  expect(message).not.toMatch(/[^\t\r\n\x20-\x7e]/);
  expect(message.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(Math.max(...message.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998);
  expect(message.endsWith("\r\n")).toBe(true);
}

test("a mail has exactly the header fields that it needs, in a fixed form", async () => {
  expect(headerOf(await composed({}))).toBe(
    [
      "From: Shop <news@shop.example>",
      "To: someone@example.com",
      "Subject: Your order",
      `Message-ID: <${ID}@shop.example>`,
      "Date: Sat, 31 Jan 2026 09:30:05 +0000",
      "MIME-Version: 1.0",
      "Content-Type: multipart/alternative;",
      ` boundary="=_${ID}-alternative"`,
      "",
    ].join("\r\n"),
  );
});

test("the same letter gives the same bytes, another id gives other boundaries", async () => {
  const letter = { ...plainLetter, attachments: [{ ...file, content: Buffer.from("x") }] };
  expect(await compose(letter)).toEqual(await compose(letter));
  expect(await compose({ ...letter, id: "other" })).not.toEqual(await compose(letter));
});

describe("a mail has only the parts that it needs", () => {
  const attached = { ...file, content: Buffer.from("bytes") };
  const embedded = { ...picture, content: Buffer.from("picture") };
  const alternative = ["multipart/alternative", "  text/plain", "  text/html"];
  test.each<[string, Partial<Letter>, string[]]>([
    ["text and html", {}, alternative],
    ["only html", { text: "" }, ["text/html"]],
    ["only text", { html: "" }, ["text/plain"]],
    ["nothing at all", { html: "", text: "" }, ["text/plain"]],
    [
      "an attachment",
      { attachments: [attached] },
      ["multipart/mixed", ...alternative.map((line) => `  ${line}`), "  application/octet-stream"],
    ],
    [
      "only text and an attachment",
      { html: "", attachments: [attached] },
      ["multipart/mixed", "  text/plain", "  application/octet-stream"],
    ],
    [
      "embedded pictures",
      { attachments: [embedded, { ...embedded, contentId: "<other>" }] },
      [
        ...["multipart/alternative", "  text/plain"],
        ...["  multipart/related", "    text/html", "    image/png", "    image/png"],
      ],
    ],
    [
      "only html with an embedded picture",
      { text: "", attachments: [embedded] },
      ["multipart/related", "  text/html", "  image/png"],
    ],
    [
      "an embedded picture without html to show it",
      { html: "", attachments: [embedded] },
      ["multipart/mixed", "  text/plain", "  image/png"],
    ],
    [
      "an inline file without a content id",
      { text: "", attachments: [{ ...embedded, contentId: null }] },
      ["multipart/mixed", "  text/html", "  image/png"],
    ],
    [
      "everything",
      { attachments: [attached, embedded] },
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
    ["a line that is a boundary", `--=_${ID}-alternative\n`, `--=_${ID}-alternative\n`],
    ["an end that is a boundary", `x\n--=_${ID}-alternative--\ny`, `x\n--=_${ID}-alternative--\ny`],
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

test("addresses are written as they are and never read again", async () => {
  const tricky = { name: 'Evil <x@evil.com>, "B" \\', address: '"a..b"@shop.example' };
  const mail = await readBack({ from: tricky, to: { name: null, address: '"a..b"@example.com' } });
  expect(mail.from?.value).toHaveLength(1);
  const message = await composed({ from: tricky, to: { name: null, address: '"a..b"@example.com' } });
  expect(message).toStartWith('From: "Evil <x@evil.com>, \\"B\\" \\\\" <"a..b"@shop.example>\r\n');
  expect(message).toContain('\r\nTo: <"a..b"@example.com>\r\n');
});

test("an address beyond ASCII is told in a name, since no relay must choke on the header", async () => {
  const message = await composed({ to: { name: "José", address: "josé@example.com" } });
  expectFitForTheWire(message);
  const to = (await readBack({ to: { name: "José", address: "josé@example.com" } })).to;
  expect(to).toMatchObject({ value: [{ name: "José <josé@example.com>", group: [] }] });
});

test("replies go where the letter says, and only there", async () => {
  const headers = { "reply-to": "elsewhere@example.com", "X-Kept": "yes" };
  const message = await composed({ replyTo: "help@shop.example", headers });
  expect(headerOf(message)).toContain("\r\nReply-To: help@shop.example\r\n");
  expect(headerOf(message)).not.toContain("elsewhere");
  expect(headerOf(message)).toContain("\r\nX-Kept: yes\r\n");
  expect(headerOf(await composed({ headers }))).toContain("\r\nreply-to: elsewhere@example.com\r\n");
});

describe("custom headers arrive", () => {
  test.each([
    ["List-Unsubscribe", `<https://shop.example/u/${"x".repeat(900)}>, <mailto:u@shop.example>`],
    ["X-Words", "=?utf-8?Q?already_encoded?="],
    ["X-Json", JSON.stringify({ a: [1, 2, 3], b: "c d" })],
    ["X-Long", "word ".repeat(190).trim()],
    ["References", Array.from({ length: 15 }, (_, n) => `<message-${n}-of-a-thread@shop.example>`).join(" ")],
  ])("%s unchanged but for folding", async (name, value) => {
    const message = await composed({ headers: { [name]: value } });
    expect(headerOf(message).replaceAll("\r\n ", " ")).toContain(`\r\n${name}: ${value}\r\n`);
    expectFitForTheWire(message);
  });

  test.each([
    ["foreign characters", "Grüße 😀", "Grüße 😀"],
    ["a value that no line can hold", "y".repeat(998), "y".repeat(998)],
    ["tabs and controls", "a\tb\x07c", "a b c"],
  ])("with %s encoded", async (_name, value, read) => {
    const message = await composed({ headers: { "X-Mine": value, "X-Empty": " " } });
    const mine = /\r\nX-Mine: ?((?:.|\r\n )*)/.exec(headerOf(message))?.[1];
    expect((await simpleParser(`Subject: ${mine}\r\n\r\n`)).subject).toBe(read);
    expect(fieldNames(message)).not.toContain("X-Empty");
    expectFitForTheWire(message);
  });

  test("but never under a name of our own", async () => {
    for (const name of ["Bcc", "FROM", "Content-Type", "X: y\r\nBcc", "", "X Y", "Ünï"]) {
      await expect(composed({ headers: { [name]: "x" } })).rejects.toThrow("header");
    }
  });
});

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
  const content = Buffer.from("picture");
  const html = '<img src="cid:logo"><img src="cid:a@b">';
  const attachments = [
    { ...picture, content },
    { ...picture, contentId: "<a@b>", content },
  ];
  const mail = await readBack({ html, attachments });
  expect(mail.attachments.map(({ cid, related, contentDisposition }) => [cid, related, contentDisposition])).toEqual([
    ["logo", true, "inline"],
    ["a@b", true, "inline"],
  ]);
});

test("500 generated attempts put no line of their own into any header", async () => {
  const random = seeded(2);
  const parts = [
    ...["\r", "\n", "\r\n", "\n\n", "\r\n\r\n", "\0", "\u0085", "\u2028", "\u2029", "\x0b", "\x0c", "\t", " ", "\r\n "],
    ...[
      "Bcc: x@evil.com",
      "\r\nBcc: x@evil.com",
      "\nSubject: x",
      "=?utf-8?Q?=0D=0ABcc:_x?=",
      "=?utf-8?B?DQpCY2M6IHg=?=",
    ],
    ...['"', "\\", "<", ">", ";", ",", ":", "=", "?", "%0D%0A", "a", "word", "ü", "😀", "\ud800", `--=_${ID}-mixed--`],
  ];
  const hostile = () => random.text(parts, 1 + random.below(12));
  for (let count = 0; count < 500; count++) {
    const letter: Partial<Letter> = {
      from: { name: hostile(), address: "news@shop.example" },
      to: { name: hostile(), address: "someone@example.com" },
      subject: hostile(),
      headers: { "X-Mine": `x${hostile()}` },
      attachments: [
        { ...file, filename: hostile(), contentType: hostile(), content: Buffer.from("x") },
        { ...picture, filename: hostile(), contentType: hostile(), contentId: hostile(), content: Buffer.from("y") },
      ],
    };
    const message = await composed(letter);
    expectFitForTheWire(message);
    expect(fieldNames(message)).toEqual([
      ...["From", "To", "Subject", "Message-ID", "Date", "X-Mine", "MIME-Version", "Content-Type"],
    ]);
    const names = [...message.matchAll(/^([A-Za-z-]+):/gm)].map((match) => match[1]?.toLowerCase() ?? "");
    const allowed = ["from", "to", "subject", "message-id", "date", "x-mine", "mime-version"];
    expect(names.filter((name) => !name.startsWith("content-"))).toEqual(allowed);
    const mail = await simpleParser(message);
    expect(mail.bcc).toBeUndefined();
    expect(mail.from?.value.map(({ address }) => address)).toEqual(["news@shop.example"]);
    expect([mail.to].flat().flatMap((to) => to?.value.map(({ address }) => address))).toEqual(["someone@example.com"]);
    expect(mail.attachments).toHaveLength(2);
  }
});
