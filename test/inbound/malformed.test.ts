// Mails that are broken, by accident or on purpose: each is kept as it came, gives one event, and harms nobody else.
import { expect, test } from "bun:test";
import { threadCpuMs } from "../../src/base/clock.ts";
import { authenticate } from "../../src/mail/inbound/reading/authenticate.ts";
import { readContents } from "../../src/mail/inbound/reading/contents.ts";
import { readNotice } from "../../src/mail/inbound/bounces/notice.ts";
import { ReadingThread } from "../../src/mail/inbound/reading-thread.ts";
import { TableResolver } from "../support/resolver.ts";
import { TestClock } from "../support/clock.ts";
import { bring, LETTER, received, startHouse, wire } from "../support/outside.ts";

const FROM = "From: ada@elsewhere.test\n";
const multipart = (depth: number): string =>
  Array.from({ length: depth }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`).join("");

const MAILS: readonly [what: string, mail: string][] = [
  ["no header", "\nbody\n"],
  ["no body", FROM],
  ["nothing", "\n"],
  ["a header that is none", "this is no header\nnor this\n\nbody\n"],
  ["a From without an address", "From: nobody\n\nbody\n"],
  ["a From that never ends", `From: "${"(".repeat(5_000)} <a@b.test>\n\nbody\n`],
  ["groups within groups", `From: ${"a:".repeat(2_000)} b@c.test;\n\nbody\n`],
  ["two Froms", `${FROM}From: eve@elsewhere.test\n\nbody\n`],
  ["a Subject of encoded words without end", `${FROM}Subject: ${"=?utf-8?Q?=41?= ".repeat(3_000)}\n\nbody\n`],
  ["a Subject in a charset that nobody knows", `${FROM}Subject: =?x-nothing?B?////?=\n\nbody\n`],
  ["a Subject with half a character", `${FROM}Subject: =?utf-16be?B?2D0=?=\n\nbody\n`],
  ["a Subject with a NUL and line ends inside", `${FROM}Subject: =?utf-8?Q?a=00b=0D=0AX:_y?=\n\nbody\n`],
  ["bytes that are no text", `${FROM}Content-Type: text/plain; charset=utf-8\n\n\xff\xfe\xfd\n`],
  ["parts within parts", `${FROM}${multipart(1_500)}`],
  [
    "twenty thousand parts",
    `${FROM}Content-Type: multipart/mixed; boundary=b\n\n${"--b\n\nx\n".repeat(20_000)}--b--\n`,
  ],
  ["a multipart without its boundary", `${FROM}Content-Type: multipart/mixed\n\nbody\n`],
  ["a boundary that never comes", `${FROM}Content-Type: multipart/mixed; boundary=b\n\nbody\n`],
  ["base64 that is none", `${FROM}Content-Transfer-Encoding: base64\n\n!!!!%%%%\n`],
  ["an encoding that nobody knows", `${FROM}Content-Transfer-Encoding: rot13\n\nobql\n`],
  ["headers of objects", `${FROM}__proto__: x\nconstructor: y\nprototype: z\n\nbody\n`],
  ["HTML that is deep", `${FROM}Content-Type: text/html\n\n${"<div>\n".repeat(20_000)}\n`],
  ["a Date of another world", `${FROM}Date: yesterday\n\nbody\n`],
  ["a Message-ID of any length", `${FROM}Message-ID: <${"x".repeat(900)}@${"y".repeat(900)}>\n\nbody\n`],
  ["a filename that climbs", `${FROM}Content-Disposition: attachment; filename="../../etc/passwd\\0"\n\nx\n`],
  [
    "a message in a message",
    `${FROM}Content-Type: message/rfc822\n\n${FROM}Content-Type: message/rfc822\n\n${FROM}\nbody\n`,
  ],
];

test("each of them is kept as it came and gives one event", async () => {
  // Of its own: one that is lent says that its clock was set back.
  const { posthorn, port } = await startHouse({ clock: new TestClock() });
  await using _ = posthorn;
  for (const [what, mail] of MAILS)
    expect([what, await bring({ port }, Buffer.from(mail.replaceAll("\n", "\r\n"), "latin1"))]).toEqual([
      what,
      "250 2.6.0 Stored",
    ]);
  await bring({ port }, LETTER);
  const events = await received(posthorn);
  expect(events).toHaveLength(MAILS.length + 1);
  expect(events.filter(({ subject }) => subject === "Hello")).toMatchObject([
    { body: "How are you?\n", dmarcVerdict: "PASS" },
  ]);
  for (const event of events) expect(event.from).toBe("ada@elsewhere.test");
  const kept = new Set<string>();
  for (const { id } of (await posthorn.call("GET /emails?pageSize=100")).body.data) {
    const raw = await fetch(`${posthorn.server.url}/emails/${id}/raw`, {
      headers: { authorization: `Bearer ${posthorn.keys.secret}` },
    });
    kept.add(Buffer.from(await raw.arrayBuffer()).toString("latin1"));
  }
  expect(MAILS.filter(([, mail]) => !kept.has(mail.replaceAll("\n", "\r\n"))).map(([what]) => what)).toEqual([]);
  expect(posthorn.logLines.filter((line) => /\s(warn|error)\s/.test(line) && !line.includes("certificate"))).toEqual(
    [],
  );
});

test("every text of them can be stored: no NUL, no line end in a header, no half character", async () => {
  for (const [what, mail] of MAILS) {
    const { subject, fromHeader, body, sender } = await readContents(wire(mail));
    for (const text of [subject, fromHeader, sender?.name ?? ""])
      expect([what, /[\0\r\n]/.test(text), text.isWellFormed()]).toEqual([what, false, true]);
    expect([what, body.includes("\0"), body.isWellFormed()]).toEqual([what, false, true]);
  }
});

const MB = 1024 * 1024;
const ENVELOPE = { clientAddress: "192.0.2.1", helo: "x.test", sender: "", recipients: ["help@example.test"] };
const spaces = " ".repeat(120_000);
const signatures = Array.from(
  { length: 10 },
  (_, n) => `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=x.test; s=k; l=${n}; h=from; bh=AAAA; b=AAAA\n`,
).join("");
const report = (fields: string) =>
  `${FROM}Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n${fields}\n--b--\n`;

const EXPENSIVE: readonly [what: string, mail: () => string][] = [
  ["a From of spaces", () => `From: a@x.test${spaces}x\n\nbody\n`],
  ["a field of very many lines", () => `${FROM}Subject: a\n ${"\n ".repeat(60_000)}x\n\nbody\n`],
  ["ten signatures over one line of 6 MB", () => `${FROM}${signatures}\n${"a  ".repeat(2 * MB)}\n`],
  ["ten signatures over lines of 6 MB", () => `${FROM}${signatures}\n${"a  b \n".repeat(MB)}`],
  ["a report with a field of spaces", () => report(`Action:${spaces.repeat(4)}a\u2028b\nStatus: 5.1.1`)],
  [
    "a report of one word again and again",
    () => report(`Action: failed\nDiagnostic-Code: smtp; 5.1.1 ${"in virtual".repeat(40_000)}`),
  ],
];

test.each(EXPENSIVE)(
  "%s takes seconds at the most",
  async (_, mail) => {
    const raw = wire(mail());
    const ask = async () => ({ nameExists: true, records: [], ttlSeconds: 1 });
    const mostMs = raw.length > MB ? 10_000 : 2_500;
    const started = threadCpuMs();
    await readContents(raw);
    await authenticate(raw, ENVELOPE, { ask, host: "mail.example.test", nowMs: 0 });
    await readNotice(raw);
    expect(threadCpuMs() - started).toBeLessThan(mostMs);
  },
  300_000,
);

test("a thread that one message keeps busy is stopped, and the next one reads on", async () => {
  const scanners = { rspamdUrl: null, clamdSocket: null, timeoutMs: 100 };
  const reading = { resolver: new TableResolver(), scanners, host: "mail.example.test" };
  const thread = new ReadingThread({ ...reading, maxReadMs: 60_000, maxBusyMs: 1_000 });
  const bytes = (text: string) => new Uint8Array(wire(text));
  const long = thread.read(bytes(`${FROM}${signatures}\n${"a  b \n".repeat(10 * MB)}`), ENVELOPE, 0);
  expect(long).rejects.toThrow("took too long");
  await long.catch(() => undefined);
  // On a busy machine a new thread may take longer to start than a message may take.
  const arrival = { envelope: ENVELOPE, carriers: [], nowMs: 0 };
  const read = () => thread.notice(bytes(LETTER), { addressees: [], sender: null }, arrival).catch(() => null);
  const next = async (): Promise<string> => (await read())?.kind ?? next();
  expect(await next()).toBe("unknown");
  thread.close();
});
