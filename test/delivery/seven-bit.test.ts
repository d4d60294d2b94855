// Messages that are encoded again say the same in ASCII.
import { describe, expect, test } from "bun:test";
import { simpleParser } from "mailparser";
import { inSevenBits } from "../../src/sending/carrier/message/seven-bit.ts";
import { hasLongLine } from "../../src/content/mime/message-bytes.ts";

const HEADER = "From: ada@example.test\r\nTo: bob@example.com\r\nSubject: Hi\r\n";
const LONG = "x".repeat(2_000);

function bytes(text: string): Buffer {
  return Buffer.from(text.replace(/\r?\n/g, "\r\n"));
}

async function read(raw: Buffer) {
  const { text, html, attachments, headers } = await simpleParser(raw, { skipTextToHtml: true });
  const files = await Promise.all(
    attachments.map(async ({ filename, content, contentType }) => ({
      ...{ filename, contentType },
      content: contentType === "message/rfc822" ? (await simpleParser(content)).text : content,
    })),
  );
  return { text, html, files, subject: headers.get("subject") };
}

const MESSAGES: readonly [what: string, text: string][] = [
  ["a plain text", `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nGrüße\n.\n`],
  ["a text in another alphabet", `Content-Type: text/plain; charset=utf-8\n\n${"Здравствуй ".repeat(90)}\n`],
  ["a text that says nothing of itself", "\nGr\u00fc\u00dfe\n"],
  ["a line that is too long", `MIME-Version: 1.0\nContent-Type: text/html; charset=us-ascii\n\n<p>${LONG}</p>\n`],
  ["base64 in one line", `Content-Type: image/png\nContent-Transfer-Encoding: base64\n\n${btoa(LONG)}\n`],
  [
    "parts of parts",
    `MIME-Version: 1.0
Content-Type: multipart/mixed;
 boundary="out (er)"

Präambel
--out (er)
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

Grüße --inner
--innerer
--inner
Content-Type: text/html; charset=utf-8

<p>Grüße ${LONG}</p>
--inner--

--out (er)
Content-Type: application/octet-stream
Content-Disposition: attachment; filename="Ä.bin"
Content-Transfer-Encoding: 8bit

ÿþ
--out (er)--
Epilög
`,
  ],
  [
    "a message in a message",
    `Content-Type: multipart/mixed; boundary=b

--b
Content-Type: message/rfc822
Content-Transfer-Encoding: 8bit

Subject: inner
Content-Type: text/plain; charset=utf-8

Grüße
--b--
`,
  ],
];

describe("encoded again", () => {
  test.each(MESSAGES)("%s says the same", async (_, text) => {
    const raw = Buffer.concat([Buffer.from(HEADER), bytes(text)]);
    const encoded = inSevenBits(raw);
    expect(/^[\r\n\t\x20-\x7e]*$/.test(encoded.toString("latin1"))).toBe(true);
    expect(hasLongLine(encoded)).toBe(false);
    const [was, is] = [await read(raw), await read(encoded)];
    expect(is).toEqual(was);
    expect(inSevenBits(encoded).equals(encoded)).toBe(true);
  });

  test("what is in ASCII already stays as it is, byte by byte", () => {
    const raw = bytes(`${HEADER}Content-Type: multipart/signed; boundary=b\n\n--b\n\nHi\n--b--\n`);
    expect(inSevenBits(raw)).toBe(raw);
  });

  test("a part with a name so long that it needs several lines keeps it", async () => {
    const name = `${"aü".repeat(300)}.bin`;
    const part = `Content-Type: a/b\nContent-Disposition: attachment; filename="${name}"\n\nx\n`;
    const encoded = inSevenBits(bytes(`${HEADER}Content-Type: multipart/mixed; boundary=b\n\n--b\n${part}--b--\n`));
    expect(hasLongLine(encoded)).toBe(false);
    expect((await read(encoded)).files).toMatchObject([{ filename: name }]);
  });

  test("a field that cannot be read becomes ASCII where it stands", () => {
    const encoded = inSevenBits(bytes('From: ada@example.test\nTo: "Müller <b@x.test>\n\nHi\n'));
    expect(encoded.toString("latin1")).toContain('To: "M=?utf-8?B?w7w=?=ller <b@x.test>\r\n');
  });

  test.each([
    ["signed", "Content-Type: multipart/signed; boundary=b\n\n--b\n\nGrüße\n--b--\n"],
    ["told apart by what is not ASCII", 'Content-Type: multipart/mixed; boundary="ü"\n\n--ü\n\nHi\n--ü--\n'],
    ["without the boundary that it speaks of", "Content-Type: multipart/mixed\n\n--b\n\nGrüße\n--b--\n"],
    [
      "quoted-printable and yet not",
      "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\nGrüße\n",
    ],
    ["nested without end", nested(30)],
  ])("what is %s is refused", (_, text) => {
    expect(() => inSevenBits(bytes(HEADER + text))).toThrow();
  });
});

function nested(depth: number): string {
  const open = Array.from(
    { length: depth },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}x\n\n--b${at}x\n`,
  );
  return `${open.join("")}\nGrüße\n`;
}
