// Whatever a field of a submitted message contains, the message leaves with the fields it came with and no others, byte
// by byte.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Posthorn } from "../support/posthorn.ts";
import { startSubmission, submit, type Ports } from "../support/submission.ts";

let open: { posthorn: Posthorn; ports: Ports };
beforeAll(async () => {
  open = await startSubmission({ config: { limits: { requestsPerMinute: 0 } } });
});
afterAll(() => open.posthorn[Symbol.asyncDispose]());

const INJECTIONS = [
  "\nBcc: eve@evil.example",
  "\rBcc: eve@evil.example",
  "\r\nBcc: eve@evil.example",
  "\r\n Bcc: eve@evil.example",
  "\r\n\tBcc: eve@evil.example",
  "\r\n\r\nBcc: eve@evil.example",
  "\r\n \r\nBcc: eve@evil.example",
  "ü\r\n Bcc: eve@evil.example",
  "ü\r\n\tResent-Bcc: eve@evil.example",
  "ü\r\nResent-Bcc: eve@evil.example\r\nX-Last: ü",
  "\u2028Bcc: eve@evil.example",
  "\u0085Bcc: eve@evil.example",
  "\u000bBcc: eve@evil.example",
  "ü\u000c\u0000Bcc: eve@evil.example",
  "\u001b[31mBcc: eve@evil.example",
  "\u560d\u560aBcc: eve@evil.example",
  "=?utf-8?q?=0D=0ABcc:_eve=40evil.example?=",
  "ü =?utf-8?b?DQpCY2M6IGV2ZUBldmlsLmV4YW1wbGU=?= ü",
  'ü"; boundary="evil',
  "ü (=?utf-8?q?=29=0D=0A?=) <eve@evil.example>",
  "ü, eve@evil.example",
];

/** Fields of a message that needs nothing more to leave, each with a place for the text. */
const FIELDS = {
  From: (text: string) => `From: Ada${text} <ada@example.test>`,
  To: (text: string) => `To: "Bob${text}" <bob@example.com>, cy@example.com (Cy${text})`,
  "Reply-To": (text: string) => `Reply-To: Team${text}: desk@example.test;`,
  Subject: (text: string) => `Subject: Hi${text}`,
  "Message-ID": (text: string) => `Message-ID: <1${text}@example.test>`,
  Date: (text: string) => `Date: Mon, 02 Mar 2026 10:00:00 +0100${text}`,
  "X-Note": (text: string) => `X-Note: note${text}`,
  "X-Name": (text: string) => `X-Name${text}: note`,
  "Idempotency-Key": (text: string) => `Idempotency-Key: k${text}`,
  "MIME-Version": (text: string) => `MIME-Version: 1.0 (made${text})`,
  "Content-Type": (text: string) => `Content-Type: text/plain; name="a${text}.txt"`,
};
const BODY = "\r\n\r\nHello\r\nBcc: a line of the body\r\n";
const TAKEN_OFF = /^(bcc|resent-bcc|idempotency-key|dkim-signature)$/i;

test.each(Object.keys(FIELDS))("in %s", async (place) => {
  for (const text of INJECTIONS) {
    const lines = Object.entries(FIELDS).map(([name, line]) => line(name === place ? text : ""));
    const given = Buffer.from(`${lines.join("\r\n")}${BODY}`);
    open.posthorn.transport.sent.length = 0;
    await open.posthorn.store.write((tx) => tx.run`delete from idempotency_keys`);
    const reply = await submit(open, given);
    await open.posthorn.settle();
    if (reply.startsWith("250")) await expectAsGiven(given);
    else expect([reply.slice(0, 9), open.posthorn.transport.sent.length]).toEqual(["550 5.6.0", 0]);
    if (/[^\r]\n|\r[^\n]|\0/.test(given.toString("latin1"))) expect(reply).toStartWith("550");
  }
});

/**
 * One mail to the one recipient: the fields that were given, those in ASCII byte by byte, behind those that it lacks,
 * and the very body.
 */
async function expectAsGiven(given: Buffer): Promise<void> {
  expect(open.posthorn.transport.recipients).toEqual(["bob@example.com"]);
  const [was, is] = [split(given), split(open.posthorn.transport.sent[0]?.raw ?? Buffer.of())];
  const fields = was.fields.filter((field) => !TAKEN_OFF.test(nameOf(field)) && !isReplaced(field));
  const left = is.fields.filter((field) => !TAKEN_OFF.test(nameOf(field)));
  const missing = ["Message-ID", "Date"].filter((name) => !fields.map(nameOf).includes(name));
  expect(left.map(nameOf)).toEqual([...missing, ...fields.map(nameOf)]);
  for (const [at, field] of left.slice(missing.length).entries()) {
    if (isAscii(fields[at] ?? "")) expect(field).toBe(fields[at] as string);
    else if (isAscii(field))
      expect(field).toMatch(/^[\x21-\x39\x3b-\x7e]+:(?: *[\x21-\x7e]+)+(?:\r\n(?: +[\x21-\x7e]+)+)*$/);
    else expect(field).toBe(fields[at] as string);
  }
  expect(is.body).toBe(was.body);
  const { subject, fromName } = (await open.posthorn.call("GET /emails?pageSize=1")).body.data[0];
  expect(`${subject}${fromName}`).not.toMatch(/\p{Cc}|\p{Zl}/u);
}

function split(raw: Buffer): { readonly fields: readonly string[]; readonly body: string } {
  const text = raw.toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  return { fields: text.slice(0, end).split(/\r\n(?![ \t])/), body: text.slice(end) };
}

function nameOf(field: string): string {
  return field.slice(0, field.indexOf(":"));
}

/** A Message-ID that is none. */
function isReplaced(field: string): boolean {
  return /^Message-ID:/.test(field) && !/^Message-ID:\s+<[^\s<>@]+@example\.test>\s*$/.test(field);
}

function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text);
}
