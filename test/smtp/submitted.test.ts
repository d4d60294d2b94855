// What is read of a message that was handed in, and what of it leaves.
import { describe, expect, test } from "bun:test";
import { readSubmitted } from "../../src/smtp/submitted.ts";

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
  const { bytes, messageId, isNamed } = read(...lines);
  expect(bytes.toString()).toBe(lines.join("\r\n"));
  expect({ messageId, isNamed }).toEqual({ messageId: "<1@b>", isNamed: true });
});

test("what would tell, or is ours to say, is taken off; what is missing is put on", () => {
  const { bytes, idempotencyKey, isNamed, messageId } = read(
    ...[
      "Return-Path: <a@b.test>",
      "DKIM-Signature: v=1;",
      " a=b",
      "Bcc: x@y.test,",
      " z@y.test",
      "Idempotency-Key: k 1",
    ],
    ...["From: ada@example.test", "Message-ID:", "X: 1", "", "Bcc: stays"],
  );
  expect(bytes.toString()).toBe(
    `Message-ID: ${messageId}\r\nDate: Sun, 01 Mar 2026 09:00:00 +0000\r\nFrom: ada@example.test\r\nX: 1\r\n\r\nBcc: stays`,
  );
  expect(messageId).toMatch(/^<[0-9a-f-]{36}@example\.test>$/);
  expect({ idempotencyKey, isNamed }).toEqual({ idempotencyKey: "k 1", isNamed: false });
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
  expect(header).not.toMatch(/[^\x00-\x7f]/);
  expect(header).toContain("bob@example.com");
  expect(header).toContain('name="=?utf-8?B?w7w=?=.txt"');
  expect(header).toMatch(/X-Note: plain =\?UTF-8\?\S+\?= plain/);
  expect(from).toEqual({ address: "ada@example.test", name: "Ädä, L." });
  expect(subject).toBe("Grüße an alle");
  expect(bytes.toString()).toEndWith("\r\n\r\nü");
});

describe("refused with a reason", () => {
  const FROM = "From: ada@example.test";
  test.each([
    ["no colon", ["no colon here", FROM]],
    ["a fold before the first field", [" folded", FROM]],
    ["a line that is too long", [FROM, `Subject: ${"x".repeat(1_000)}`]],
    ["a header that is too large", [FROM, ...Array.from({ length: 300 }, () => `X: ${"x".repeat(900)}`)]],
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
