// What is read of a submitted message, and what of it leaves.
import { describe, expect, test } from "bun:test";
import { threadCpuMs } from "../../src/base/clock.ts";
import { readSubmitted } from "../../src/mail/smtp/submitted.ts";

const NOW = Date.parse("2026-03-01T09:00:00Z");

function read(...lines: string[]) {
  return readSubmitted(Buffer.from(lines.join("\r\n")), NOW);
}

test("a message that has all it needs leaves byte for byte", () => {
  const lines = [
    "Received: from a by b",
    "  with C;\t today ",
    "fRoM :  Ada  <ada@example.test>",
    "Message-ID: <1@b>",
    "Date: whenever",
    "",
    " body ",
    "",
    "",
  ];
  const { bytes, messageId, idempotency } = read(...lines);
  expect(bytes.toString()).toBe(lines.join("\r\n"));
  expect({ messageId, idempotency }).toEqual({
    messageId: "<1@b>",
    idempotency: { kind: "message-id", value: "<1@b>", fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
});

test("what would tell, or is ours to say, is taken off; what is missing is put on", () => {
  const { bytes, idempotency, messageId } = read(
    ...[
      "Return-Path: <a@b.test>",
      "DKIM-Signature: v=1;",
      " a=b",
      "Bcc: x@y.test,",
      " z@y.test",
      "Resent-Bcc: x@y.test",
      "resent-from: x@y.test",
      "ARC-Seal: i=1;",
      " cv=none",
      "Authentication-Results: mx.bank.test; dkim=pass",
      "Received-SPF: pass",
      "Errors-To: x@y.test",
      "Idempotency-Key: k 1",
    ],
    ...["From: ada@example.test", "Message-ID:", "X: 1", "", "Bcc: stays"],
  );
  expect(bytes.toString()).toBe(
    `Message-ID: ${messageId}\r\nDate: Sun, 01 Mar 2026 09:00:00 +0000\r\nFrom: ada@example.test\r\nX: 1\r\n\r\nBcc: stays`,
  );
  expect(messageId).toMatch(/^<[0-9a-f-]{36}@example\.test>$/);
  expect(idempotency).toMatchObject({ kind: "key", value: "k 1" });
});

test.each([
  "<>",
  "systemmessage",
  "<systemmessage>",
  "a@b.test",
  "<a b@c.test>",
  "<@c.test>",
  "<a@>",
  "<a@b.test> <c@d.test>",
])("the Message-ID %p is none: the message gets one of its own", (value) => {
  const { bytes, messageId, idempotency } = read("From: ada@example.test", `Message-ID: ${value}`, "Date: x", "", "");
  expect(messageId).toMatch(/^<[0-9a-f-]{36}@example\.test>$/);
  expect(bytes.toString()).toBe(`Message-ID: ${messageId}\r\nFrom: ada@example.test\r\nDate: x\r\n\r\n`);
  expect(idempotency).toBeNull();
});

test.each(['<"a b"@c.test>', "<a=b+c/d$e@[127.0.0.1]>", "<1.2@localhost>"])("the Message-ID %p is left", (value) => {
  const { messageId, idempotency } = read("From: ada@example.test", `Message-ID: ${value}`, "", "");
  expect([messageId, idempotency?.value]).toEqual([value, value]);
});

test("sender, subject and reply address are read as people see them", () => {
  const { from, subject, replyTo } = read(
    ...[
      "From: =?utf-8?q?Ad=C3=A4_L=2E?= <Ada@Example.test>",
      "Subject: =?iso-8859-1?Q?Gr=FC?= =?ISO-8859-1?q?=DFe?= an",
    ],
    ...[" =?utf-8?b?8J+Y?= =?utf-8?b?gA==?= =?x-none?q?a?=", "Reply-To: Desk <desk@example.test>", "", ""],
  );
  expect(from).toEqual({ address: "ada@example.test", name: "Adä L." });
  expect(subject).toBe("Grüße an 😀a");
  expect(replyTo).toBe("desk@example.test");
});

test("text beyond ASCII in the header is written so that every server can carry it", () => {
  const { bytes, subject, from } = read(
    ...[
      'From: "Ädä, L." <ada@example.test>',
      "To: Bob <bob@example.com>, Jürgen <jürgen@exämple.com>, =?utf-8?q?c?= <c@d.test>",
    ],
    ...[
      "Subject: Grüße an alle",
      'Content-Type: text/plain; name="ü.txt"',
      "X-Note: plain schön schöner plain",
      "",
      "ü",
    ],
  );
  const text = bytes.toString("latin1");
  const header = text.slice(0, text.indexOf("\r\n\r\n"));
  // Who gets the mail decides about addresses that have no form in ASCII.
  const [to, ...others] = header.split("\r\n").toSorted((line) => (line.startsWith("To:") ? -1 : 1));
  expect(Buffer.from(to ?? "", "latin1").toString()).toBe(
    "To: Bob <bob@example.com>, Jürgen <jürgen@exämple.com>, =?utf-8?q?c?= <c@d.test>",
  );
  expect(others.join()).not.toMatch(/[^\x00-\x7f]/);
  expect(header).toContain("name*0*=utf-8''%C3%BC.txt");
  expect(header).toMatch(/X-Note: plain =\?UTF-8\?\S+\?= plain/);
  expect(from).toEqual({ address: "ada@example.test", name: "Ädä, L." });
  expect(subject).toBe("Grüße an alle");
  expect(bytes.toString()).toEndWith("\r\n\r\nü");
});

test.each([
  ["folded with a tab", "From: Ada Lovelace\r\n\t<ada@example.test>", "Ada Lovelace"],
  ["with tabs between its words", "From: Ada\tLovelace <ada@example.test>", "Ada Lovelace"],
  ["with its name in a comment", "From: ada@example.test (Ada \\(L\\) (Countess))", "Ada (L) (Countess)"],
  ["with a comment beside its name", "From: Ada Lovelace (at work) <ada@example.test>", "Ada Lovelace"],
  ["with an encoded comment", "From: <ada@example.test> (=?utf-8?q?Ad=C3=A4?=)", "Adä"],
  ["with nothing but its address", "From: ( ) ada@example.test", null],
])("a From %s is read", (_, line, name) => {
  const { from, bytes } = read(line, "Message-ID: <1@b>", "Date: x", "", "");
  expect(from.address).toBe("ada@example.test");
  expect(from.name?.replaceAll(/ +/g, " ") ?? null).toBe(name);
  expect(bytes.toString()).toStartWith(line);
});

test("a Reply-To folded with a tab is read, and one with a comment", () => {
  const FROM = "From: ada@example.test";
  expect(read(FROM, "Reply-To: Desk\r\n\t<desk@example.test>", "", "").replyTo).toBe("desk@example.test");
  expect(read(FROM, "Reply-To: desk@example.test (Desk)", "", "").replyTo).toBe("desk@example.test");
  expect(read(FROM, "Reply-To: a@example.test, b@example.test", "", "").replyTo).toBeNull();
});

test("the longest header is read and written in no time, whatever it contains (slow)", () => {
  const fold = (text: string) => (text.match(/.{1,450}/gs) ?? []).join("\r\n ");
  const long = (unit: string) => fold(unit.repeat(Math.floor(115_000 / Buffer.byteLength(unit))));
  const values = [
    ...[
      'x\\"x\\"',
      "x\\",
      '"',
      '"x',
      '\\"',
      "(",
      "((x)",
      "<",
      "a, ",
      "a:",
      "ü ",
      "ü",
      "x ü",
      "=?",
      "=?a?q?x?= ",
      "=?a?q?",
    ],
    ...["x=?", " ", "\t", ";", 'boundary="', "boundary ", "=?utf-8?q?=C3?==?utf-8?q?=BC?="],
  ];
  const startMs = threadCpuMs();
  for (const value of values) {
    for (const name of ["To", "Subject", "Content-Type", "X-Other"]) {
      read("From: ada@example.test", "Idempotency-Key: k", `${name}: ü ${long(value)}`, "", "body");
    }
    expect(() => read(`From: ü ${long(value)}`, "", "body")).toThrow(/^5\.6\.0/);
  }
  // Each of them by itself once took seconds, or minutes.
  expect(threadCpuMs() - startMs).toBeLessThan(values.length * 300);
});

describe("refused with a reason", () => {
  const FROM = "From: ada@example.test";
  test.each([
    ["an empty line before the header", ["", FROM]],
    ["an empty line and nothing else", [""]],
    ["an address behind a comment within it", ["From: ada(x)@example.test"]],
    ["two addresses, one in a comment's place", ["From: ada@example.test (x), eve@elsewhere.test"]],
    ["two addresses in brackets", ["From: <ada@example.test> <eve@elsewhere.test>"]],
    ["a comment without end", ["From: ada@example.test (Ada"]],
    ["no colon", ["no colon here", FROM]],
    ["a fold before the first field", [" folded", FROM]],
    ["a line that is too long", [FROM, `Subject: ${"x".repeat(1_000)}`]],
    ["a header that is too large", [FROM, ...Array.from({ length: 150 }, () => `X: ${"x".repeat(900)}`)]],
    ["a name in the From that is an address", ["From: ada@example.test <eve@elsewhere.test>"]],
    ["an empty From", ["From:"]],
    ["a From that is a group", ["From: all: ada@example.test;"]],
    ["two subjects", [FROM, "Subject: a", "subject : b"]],
    ["a key that is too long", [FROM, `Idempotency-Key: ${"k".repeat(256)}`]],
    ["an empty key", [FROM, "Idempotency-Key:"]],
  ])("%s", (_, lines) => {
    expect(() => read(...lines, "", "body")).toThrow(/^5\.\d\.\d /);
  });
});
