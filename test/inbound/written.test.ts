// Everything that a person has written is read, in whatever parts and charsets it comes.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readContents } from "../../src/mail/inbound/reading/contents.ts";
import { readText } from "../../src/mail/inbound/reading/text.ts";

const HEADER = "From: Ada <ada@sender.example>\nTo: help@example.test\nMIME-Version: 1.0\nSubject: Hello\n";
const kept = (name: string) => readFileSync(join(import.meta.dir, "written", name));
const PRE = (text: string) => `<div style="white-space: pre-wrap">${text}</div>`;

/** A character a byte. */
const message = (latin: string) => Buffer.from(latin.replaceAll("\n", "\r\n"), "latin1");
const parts = (kind: string, ...inside: readonly string[]) => {
  const boundary = `b${kind.length}${inside.length}`;
  return `Content-Type: multipart/${kind}; boundary=${boundary}\n\n${inside.map((part) => `--${boundary}\n${part}\n`).join("")}--${boundary}--\n`;
};
const text = (written: string) => `Content-Type: text/plain; charset=utf-8\n\n${written}`;
const html = (written: string) => `Content-Type: text/html; charset=utf-8\n\n${written}`;
const PDF = `Content-Type: application/pdf\nContent-Disposition: inline; filename="a.pdf"\nContent-Transfer-Encoding: base64\n\nJVBERg==`;

const KEPT: readonly (readonly [file: string, body: string | RegExp, text: string])[] = [
  ["text-and-html-footer.eml", `${PRE("MESSAGE BODY")}<br/>\n<hr><p>FOOTER</p>`, "MESSAGE BODY\n-"],
  ["empty-html.eml", "PLAIN", "PLAIN"],
  ["exchange-person.eml", "Hello\n", "Hello\n"],
  ["html-meta-charset.eml", /<body>Grüße €<\/body>/, "Grüße €"],
  ["iso-2022-jp-no-charset.eml", "これはテスト\n", "これはテスト\n"],
  ["latin1-subject.eml", "x\n", "x\n"],
];

test.each(KEPT)("as it was meant: %s", async (file, body, said) => {
  const contents = await readContents(kept(file));
  if (typeof body === "string") expect(contents.body).toBe(body);
  else expect(contents.body).toMatch(body);
  expect(contents.text).toStartWith(said);
  expect(contents.isAutomatic).toBe(false);
  const shown = await readText(kept(file));
  expect([shown.html ?? shown.text, shown.subject]).toEqual([contents.body.trimEnd(), contents.subject]);
});

test("a footer that is HTML stands behind the text in both", async () => {
  expect((await readContents(kept("text-and-html-footer.eml"))).text).toMatch(/^MESSAGE BODY\n-+\n\nFOOTER$/);
});

const PUT_TOGETHER: readonly (readonly [what: string, rest: string, body: string, text: string])[] = [
  [
    "a text, a file, and HTML",
    parts("mixed", text("BEFORE <b>"), PDF, html("<p>AFTER</p>")),
    ...([`${PRE("BEFORE &lt;b&gt;")}<br/>\n<p>AFTER</p>`, "BEFORE <b>\nAFTER"] as const),
  ],
  [
    "HTML, a file, and a text",
    parts("mixed", html("<p>BEFORE</p>"), PDF, text("AFTER")),
    ...([`<p>BEFORE</p><br/>\n${PRE("AFTER")}`, "BEFORE\nAFTER"] as const),
  ],
  [
    "alternatives and a footer",
    parts("mixed", parts("alternative", text("TEXT"), html("<p>HTML</p>")), text("FOOTER")),
    ...([`<p>HTML</p><br/>\n${PRE("FOOTER")}`, "TEXT\nFOOTER"] as const),
  ],
  [
    "an alternative of several parts",
    parts("alternative", text("ONE"), parts("mixed", html("<p>ONE</p>"), PDF, text("TWO"))),
    ...([`<p>ONE</p><br/>\n${PRE("TWO")}`, "ONE\nTWO"] as const),
  ],
  [
    "an alternative that shows nothing",
    parts("alternative", text("TEXT"), html("<head><title>x</title></head><body><div>&nbsp;<br></div></body>")),
    ...(["TEXT", "TEXT"] as const),
  ],
  [
    "an alternative without a text",
    parts("alternative", text(" \n"), html("<p>HTML</p>")),
    ...(["<p>HTML</p>", "HTML"] as const),
  ],
  [
    "an alternative that is a picture",
    parts("alternative", text("TEXT"), html(`<img src="cid:a">`)),
    ...([`<img src="cid:a">`, "TEXT"] as const),
  ],
];

test.each(PUT_TOGETHER)("everything is there: %s", async (_, rest, body, said) => {
  const contents = await readContents(message(HEADER + rest));
  expect([contents.body, contents.text]).toEqual([body, said]);
});

const CHARSETS: readonly (readonly [what: string, fields: string, bytes: string, said: string])[] = [
  ["Windows-1252, undeclared", "", "Gr\xfc\xdfe \x80", "Grüße €"],
  ["Latin-1, declared as UTF-8", "Content-Type: text/plain; charset=utf-8\n", "Gr\xfc\xdfe", "Grüße"],
  ["Latin-1, declared as ASCII", "Content-Type: text/plain; charset=US-ASCII\n", "Gr\xfc\xdfe", "Grüße"],
  ["UTF-8, declared as Latin-1", "Content-Type: text/plain; charset=ISO-8859-1\n", "Gr\xc3\xbc\xc3\x9fe", "Grüße"],
  ["UTF-8, undeclared", "", "Gr\xc3\xbc\xc3\x9fe", "Grüße"],
  ["a charset that nobody knows", "Content-Type: text/plain; charset=unknown-8bit\n", "Gr\xfc\xdfe", "Grüße"],
  ["KOI8-R", "Content-Type: text/plain; charset=koi8-r\n", "\xf0\xd2\xc9\xd7\xc5\xd4", "Привет"],
  ["code page 850", "Content-Type: text/plain; charset=cp850\n", "Gr\x81\xe1e", "Grüße"],
  ["ISO-2022-JP, declared as ASCII", "Content-Type: text/plain; charset=us-ascii\n", "\x1b$B$3$l\x1b(B", "これ"],
  [
    "Shift JIS, said in the page",
    "Content-Type: text/html; charset=us-ascii\n",
    `<meta charset="shift_jis"><p>\x83\x65\x83\x58</p>`,
    "テス",
  ],
  ["Korean, as Outlook names it", `Content-Type: text/plain; charset="ks_c_5601-1987"\n`, "\xbe\xc8\xb3\xe7", "안녕"],
  [
    "ISO-2022-JP that switches twice",
    "Content-Type: text/plain; charset=iso-2022-jp\n",
    "\x1b$B$3$l\x1b(B\x1b$B$3$l\x1b(B",
    "これこれ",
  ],
  ["UTF-8, and the page says other", "Content-Type: text/html\n", `<meta charset=latin1><p>\xc3\xbc</p>`, "ü"],
];

test.each(CHARSETS)("is readable: %s", async (_, fields, bytes, said) => {
  expect((await readContents(message(`${HEADER}${fields}\n${bytes}\n`))).text.trim()).toBe(said);
});

test("header fields are read as the body is, and words with blanks are decoded", async () => {
  const fields = [
    "From: J\xfcrgen =?utf-8?Q?M=C3=BCller und S=C3=B6hne?= <ada@sender.example>",
    "Subject: =?iso-8859-1?Q?Gr=FC=DFe aus?= =?utf-8?B?IEvDtmxu?=",
  ];
  const raw = message(`${fields.join("\n")}\n\nx\n`);
  const { sender, fromHeader, subject } = await readContents(raw);
  expect(sender).toEqual({ address: "ada@sender.example", name: "Jürgen Müller und Söhne" });
  expect(fromHeader).toBe("Jürgen Müller und Söhne <ada@sender.example>");
  expect(subject).toBe("Grüße aus Köln");
  expect((await readText(raw)).subject).toBe(subject);
  const inTwoWords = "=?ISO-2022-JP?B?GyRCJDMkbCRPGyhC?=\n =?ISO-2022-JP?B?GyRCJUYlOSVIGyhC?=";
  expect((await readContents(message(`From: ada@sender.example\nSubject: ${inTwoWords}\n\nx\n`))).subject).toBe(
    "これはテスト",
  );
  const japanese = message("From: ada@sender.example\nSubject: \x1b$B$3$l\x1b(B\n\nx\n");
  expect((await readContents(japanese)).subject).toBe("これ");
});

const AUTOMATIC: readonly (readonly [field: string, isAutomatic: boolean])[] = [
  ["X-Auto-Response-Suppress: All", false],
  ["X-Auto-Response-Suppress: OOF, AutoReply", false],
  ["X-Autoreply: no", false],
  ["X-Autorespond: No", false],
  ["Auto-Submitted: no", false],
  ["X-Autoreply: yes", true],
  ["Auto-Submitted: auto-replied", true],
];

test.each(AUTOMATIC)("whether a program wrote it: %s: %p", async (field, isAutomatic) => {
  expect((await readContents(message(`${HEADER}${field}\n\nHello\n`))).isAutomatic).toBe(isAutomatic);
});
