// Whatever stands in a field of POST /v1/send, it makes no header, no recipient and no body of its own (RFC 5322 §2.2).
import { describe, expect, test } from "bun:test";
import { contentOf, headerFields, letter, mailSent } from "../support/mails.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";

const INJECTIONS = [
  "\r\nBcc: eve@evil.example",
  "\nBcc: eve@evil.example",
  "\rBcc: eve@evil.example",
  "\r\n Bcc: eve@evil.example",
  "\r\n\r\n<p>Evil</p>",
  "\n\n<p>Evil</p>",
  "\u2028Bcc: eve@evil.example",
  "\u0085Bcc: eve@evil.example",
  "\u000bBcc: eve@evil.example",
  "\u000cBcc: eve@evil.example",
  "\u001b[31mBcc: eve@evil.example",
  "\u560d\u560aBcc: eve@evil.example",
  "%0d%0aBcc: eve@evil.example",
  "=?utf-8?q?=0D=0ABcc:_eve=40evil.example?=",
  "=?utf-8?b?DQpCY2M6IGV2ZUBldmlsLmV4YW1wbGU=?=",
  '"; boundary="evil',
  "<eve@evil.example>",
  ", eve@evil.example",
];

const PLACES: readonly [place: string, body: (text: string) => object][] = [
  ["the subject", (text) => ({ subject: `Hi${text}` })],
  ["a variable of the subject", (text) => ({ subject: "Hi {{ x }}", data: { x: text } })],
  ["a raw variable of the subject", (text) => ({ subject: "Hi {{{ x }}}", data: { x: text } })],
  ["a recipient's name", (text) => ({ to: { email: letter.to, name: `Ada${text}` } })],
  ["a recipient's name in a string", (text) => ({ to: `Ada${text} <${letter.to}>` })],
  ["a recipient", (text) => ({ to: `${letter.to}${text}` })],
  ["the sender's name", (text) => ({ from: { email: letter.from, name: `Shop${text}` } })],
  ["the name beside the sender", (text) => ({ name: `Shop${text}` })],
  ["the sender", (text) => ({ from: `${letter.from}${text}` })],
  ["the reply address", (text) => ({ reply: `help@example.test${text}` })],
  ["a header's name", (text) => ({ headers: { [`X-A${text}`]: "1" } })],
  ["a header's value", (text) => ({ headers: { "X-A": `1${text}` } })],
  ["a file's name", (text) => ({ attachments: [{ filename: `a${text}.txt`, content: "SGVsbG8=" }] })],
  [
    "a file's type",
    (text) => ({ attachments: [{ filename: "a.txt", content: "SGVsbG8=", contentType: `text/plain${text}` }] }),
  ],
  [
    "a file's content id",
    (text) => ({
      attachments: [{ filename: "a.txt", content: "SGVsbG8=", disposition: "inline", contentId: `a${text}` }],
    }),
  ],
];

const USUAL =
  /^(dkim-signature|from|to|reply-to|subject|message-id|date|x-a|mime-version|content-(type|transfer-encoding))$/i;

describe.each(PLACES)("in %s", (_, body) => {
  test("nothing becomes a header, a recipient or a body", async () => {
    await using posthorn = await startPosthorn();
    for (const text of INJECTIONS) {
      posthorn.transport.sent.length = 0;
      const reply = await ask(posthorn, "POST /v1/send", { body: { ...letter, ...body(text) } });
      if (reply.status >= 400) {
        expect(reply.status).toBe(422);
        continue;
      }
      const mail = await mailSent(posthorn);
      const raw = posthorn.transport.sent[0]?.raw as Buffer;
      expect(
        headerFields(raw)
          .map(({ name }) => name)
          .filter((name) => !USUAL.test(name)),
      ).toEqual([]);
      expect(raw.toString("latin1")).not.toMatch(/^Bcc:|[^\r]\n|\r[^\n]/im);
      expect(posthorn.transport.recipients).toEqual([letter.to]);
      const to = Array.isArray(mail.to) ? mail.to : [mail.to];
      expect([to.flatMap((list) => list?.value.map(({ address }) => address)), mail.cc, mail.bcc]).toEqual([
        [letter.to],
        undefined,
        undefined,
      ]);
      expect(contentOf(mail)).toMatchObject({ html: "<p>Hello</p>", from: letter.from });
    }
  });
});
