// Signatures, checked by an independent verifier: src/sending/carrier/message/dkim.ts.
import { beforeAll, describe, expect, test } from "bun:test";
import { createPrivateKey } from "node:crypto";
import { dkimVerify } from "mailauth/lib/dkim/verify";
import { relaxedBody, relaxedField } from "../../src/sending/carrier/message/dkim-canonical.ts";
import { type DkimKey, sign } from "../../src/sending/carrier/message/dkim.ts";
import { makeDkimKey } from "../../src/tenant/domains/dkim-key.ts";
import { compose, type MimeLetter } from "../../src/content/mime/compose.ts";
import { file, picture, plainLetter } from "../support/letters.ts";
import { seeded } from "../support/seeded.ts";

const SIGNED_AT_MS = Date.UTC(2026, 0, 31, 9, 30, 5) + 999;

let key: DkimKey;
let record: string;

beforeAll(async () => {
  const made = await makeDkimKey();
  key = { domain: "shop.example", selector: "s1", privateKeyPem: made.privateKeyPem };
  record = `v=DKIM1; k=rsa; p=${made.publicKeyBase64}`;
});

async function resolver(name: string): Promise<string[][]> {
  if (name !== "s1._domainkey.shop.example") throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
  return [[record]];
}

async function verdict(message: Buffer): Promise<string> {
  const { results } = await dkimVerify(message, { resolver });
  return results.length === 1 ? (results[0]?.status.result ?? "") : `${results.length} signatures`;
}

async function verdictOfSigned(message: string): Promise<string> {
  return verdict(await sign(Buffer.from(message, "latin1"), key, SIGNED_AT_MS));
}

function lines(...texts: string[]): string {
  return texts.join("\r\n");
}

function withByte(message: Buffer, at: number, byte: number): Buffer {
  const copy = Buffer.from(message);
  copy[at] = byte;
  return copy;
}

describe("composed mails of all shapes have a valid signature", () => {
  test.each<[string, Partial<MimeLetter>]>([
    ["text and html", {}],
    ["only text", { html: "" }],
    ["only html", { text: "" }],
    ["nothing", { html: "", text: "" }],
    [
      "foreign",
      { subject: "Grüße 😀", text: "日本語", html: "<p>שלום</p>", from: { name: "Ünï", address: "a@shop.example" } },
    ],
    ["addresses beyond ASCII", { to: { name: "Jörg", address: "jörg@x.example" }, replyTo: "пётр@x.example" }],
    ["spaces and empty lines", { html: "", text: " \t a  b \n\n\n  \n\t\n" }],
    [
      "long fields",
      { subject: "long ".repeat(150), headers: { "List-Unsubscribe": `<https://x/${"u".repeat(900)}>` } },
    ],
    [
      "list fields",
      { headers: { "List-Id": "a <b.c>", "Feedback-ID": "a:b", "List-Unsubscribe-Post": "x", "X-Other": "y" } },
    ],
    ["files", { attachments: [file, picture] }],
    ["a large file", { attachments: [{ ...file, content: Buffer.alloc(1_000_000, "abc \t") }] }],
  ])("%s", async (_name, changes) => {
    const raw = await compose({ ...plainLetter, ...changes }, { utf8: true });
    const signed = await sign(raw, key, SIGNED_AT_MS);
    expect(await verdict(signed)).toBe("pass");
    expect(signed.subarray(signed.length - raw.length)).toEqual(raw);
  });
});

test("the signature comes first, says when and by whom, and names what readers see once more than it occurs", async () => {
  const raw = lines(
    "Received: by x",
    "To: b@c.com",
    "From: a@shop.example",
    "X-Other: x",
    "Subject: s",
    "",
    "body",
    "",
  );
  const signed = (await sign(Buffer.from(raw), key, SIGNED_AT_MS)).toString();
  const field = signed.slice(0, signed.indexOf("\r\nReceived"));
  expect(field).toStartWith(
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=shop.example;\r\n s=s1; t=1769851805;\r\n",
  );
  expect(field.replaceAll("\r\n ", "")).toContain(
    "h=subject:from:to:from:subject:to:date:reply-to:message-id:content-type;",
  );
  expect(Math.max(...field.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(78);
});

test("a change of any byte that is signed breaks the signature (slow)", async () => {
  const raw = await compose({ ...plainLetter, headers: { "List-Unsubscribe": "<https://x>", "Feedback-ID": "a:b" } });
  const signed = await sign(raw, key, SIGNED_AT_MS);
  const survived: number[] = [];
  for (let at = signed.length - raw.length; at < signed.length; at++) {
    if ((await verdict(withByte(signed, at, signed[at] === 0x23 ? 0x24 : 0x23))) === "pass") survived.push(at);
  }
  expect(survived).toEqual([]);
});

test("a change of what is signed about the signature breaks it", async () => {
  const signed = (await sign(await compose(plainLetter), key, SIGNED_AT_MS)).toString();
  for (const [from, to] of [
    ["t=17", "t=16"],
    ["h=content-type:", "h="],
    ["bh=", "bh=A"],
    ["v=1", "v=1; x=9999999999"],
  ] as const) {
    expect(await verdict(Buffer.from(signed.replace(from, to)))).not.toBe("pass");
  }
});

describe("fields cannot be added or moved", () => {
  const header = ["From: a@shop.example", "Reply-To: one@x", "Reply-To: two@x", "Subject: s", "X-Other: x"];
  const changed = async (change: (message: string) => string) => {
    const signed = await sign(Buffer.from(lines(...header, "", "body", "")), key, SIGNED_AT_MS);
    return verdict(Buffer.from(change(signed.toString())));
  };

  test("but those that nobody looks at can", async () => {
    expect(await changed((message) => message)).toBe("pass");
    expect(await changed((message) => `Received: by x\r\nX-Spam: no\r\n${message}`)).toBe("pass");
    expect(await changed((message) => message.replace("X-Other: x", "X-Other: y"))).toBe("pass");
  });

  test.each<[string, (message: string) => string]>([
    ["a second From above", (message) => `From: x@evil.com\r\n${message}`],
    ["a second From below", (message) => message.replace("\r\n\r\n", "\r\nFrom: x@evil.com\r\n\r\n")],
    ...["Subject", "To", "Date", "Reply-To", "Message-ID", "Content-Type"].map(
      (name): [string, (message: string) => string] => [`one more ${name}`, (message) => `${name}: x\r\n${message}`],
    ),
    ["no From", (message) => message.replace("From: a@shop.example\r\n", "")],
    ["one of two fields of a name taken away", (message) => message.replace("Reply-To: one@x\r\n", "")],
    [
      "two fields of a name in another order",
      (message) => message.replace("one@x", "three@x").replace("two@x", "one@x").replace("three@x", "two@x"),
    ],
  ])("%s", async (_name, change) => {
    expect(await changed(change)).not.toBe("pass");
  });
});

test("what relays may do to white space does no harm", async () => {
  const raw = lines("From: a@shop.example", "Subject: one  two", "\tthree", "", "a  b ", "", "c", "", "");
  const signed = (await sign(Buffer.from(raw), key, SIGNED_AT_MS)).toString();
  const relayed = signed
    .replace("Subject: one  two\r\n\tthree", "SUBJECT :one two three  ")
    .replace("a  b \r\n", "a\tb\r\n")
    .replace(/(\r\n)+$/, "\r\n\r\n\r\n\r\n");
  expect(relayed).not.toBe(signed);
  expect(await verdict(Buffer.from(relayed))).toBe("pass");
});

describe("messages of odd shapes are signed", () => {
  test.each([
    ["an empty body", "From: a@shop.example\r\n\r\n"],
    ["a body of empty lines", "From: a@shop.example\r\n\r\n\r\n\r\n"],
    ["a body of spaces", "From: a@shop.example\r\n\r\n \t \r\n  "],
    ["no last line end", "From: a@shop.example\r\n\r\nbody"],
    ["an empty line in front of the body", "From: a@shop.example\r\n\r\n\r\nbody\r\n"],
    ["bytes above 127", "From: a@shop.example\r\nSubject: \xc3\xbc \xff\r\n\r\n\xff\xfe \xa0\r\n"],
    ["a folded From", "From:\r\n a@shop.example\r\n\r\nbody\r\n"],
    ["an empty Subject", "From: a@shop.example\r\nSubject:\r\nTo: \r\n\r\nbody\r\n"],
    ["a signature of another", "DKIM-Signature2: v=1\r\nFrom: a@shop.example\r\n\r\nbody\r\n"],
  ])("%s", async (_name, message) => {
    expect(await verdictOfSigned(message)).toBe("pass");
  });
});

test("a message that ends with its header is signed as one with an empty body", async () => {
  for (const [raw, end] of [
    ["From: a@shop.example", "\r\n\r\n"],
    ["From: a@shop.example\r\n", "\r\n"],
  ] as const) {
    const signed = await sign(Buffer.from(raw), key, SIGNED_AT_MS);
    expect(await verdict(Buffer.from(`${signed.toString()}${end}`))).toBe("pass");
  }
});

test("1,000 generated messages are signed so that each is valid (slow)", async () => {
  const random = seeded(3);
  const names = ["Subject", "TO", "cc", "Reply-To", "List-Id", "List-Unsubscribe", "X-Other", "Received", "Message-ID"];
  const words = ["a", "word", " ", "  ", "\t", "\r\n ", "\r\n\t ", ":", ";", "=", "b=", "\xe9", '"'];
  const bodyParts = [
    "a",
    "word",
    " ",
    "\t",
    "\r\n",
    "\r\n\r\n",
    " \r\n",
    "\r\n ",
    ".",
    "--",
    "\xff",
    "=",
    "From: x\r\n",
  ];
  const failed: string[] = [];
  for (let count = 0; count < 1000; count++) {
    const fields = Array.from({ length: random.below(8) }, () => {
      return `${random.pick(names)}${random.pick([":", ": ", ":\t", " : "])}x${random.text(words, random.below(12))}x\r\n`;
    });
    fields.splice(random.below(fields.length + 1), 0, "From: a@shop.example\r\n");
    const message = `${fields.join("")}\r\n${random.text(bodyParts, random.below(30))}${random.pick(["x", "\r\n"])}`;
    if ((await verdictOfSigned(message)) !== "pass") failed.push(message);
  }
  expect(failed).toEqual([]);
});

test("many signatures at once do not disturb each other", async () => {
  const letters = Array.from({ length: 100 }, (_, n) => ({ ...plainLetter, subject: `Letter ${n}` }));
  const signed = await Promise.all(letters.map(async (letter) => sign(await compose(letter), key, SIGNED_AT_MS)));
  expect(new Set(await Promise.all(signed.map(verdict)))).toEqual(new Set(["pass"]));
});

test("what cannot be signed is refused", async () => {
  const raw = Buffer.from("From: a@shop.example\r\n\r\nbody\r\n");
  await expect(sign(raw, { ...key, privateKeyPem: "no key" }, SIGNED_AT_MS)).rejects.toThrow();
  await expect(sign(Buffer.from("To: a@b.com\r\n\r\nFrom: x\r\n"), key, SIGNED_AT_MS)).rejects.toThrow("without From");
  // A reader sees no header, whatever its body looks like.
  const headless = Buffer.from("\r\nFrom: ada@shop.example\r\n\r\nHi\r\n");
  await expect(sign(headless, key, SIGNED_AT_MS)).rejects.toThrow("without From");
});

test("a new key is RSA of 2048 bits, and never the same twice (slow)", async () => {
  const [one, two] = await Promise.all([makeDkimKey(), makeDkimKey()]);
  expect(createPrivateKey(one.privateKeyPem).asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 });
  expect(one.privateKeyPem).toStartWith("-----BEGIN PRIVATE KEY-----\n");
  expect(one.publicKeyBase64).toMatch(/^MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A[A-Za-z0-9+/]+={0,2}$/);
  expect(one.publicKeyBase64).not.toBe(two.publicKeyBase64);
});

describe("the relaxed forms are those of RFC 6376", () => {
  test("for any body, whether it has that form already or not", () => {
    const random = seeded(6376);
    const byLine = (body: string) => {
      const lines = body.split("\r\n").map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""));
      const text = lines.join("\r\n").replace(/(\r\n)+$/, "");
      return text === "" ? "" : `${text}\r\n`;
    };
    for (let round = 0; round < 3_000; round++) {
      const body = random.text(["a", "b c", " ", "\t", "\r\n", "\r\n", "=\r\n", "\n", "\r"], random.below(9));
      expect(relaxedBody(Buffer.from(body)).toString()).toBe(byLine(body));
    }
  });

  test("§3.4.5, the example", () => {
    expect([relaxedField("A: X"), relaxedField("B : Y\t\r\n\tZ  ")]).toEqual(["a:X", "b:Y Z"]);
    expect(relaxedBody(Buffer.from(" C \r\nD \t E\r\n\r\n\r\n")).toString()).toBe(" C\r\nD E\r\n");
  });

  test("§3.4.4, a last line without its end gets one", () => {
    for (const body of ["a", "a ", "a \t", "a\r\n \t", "a\r\n\r\n "]) {
      expect(relaxedBody(Buffer.from(body)).toString()).toBe("a\r\n");
    }
  });

  test("§3.4.4, an empty body stays empty", () => {
    for (const body of ["", "\r\n", "\r\n\r\n", " ", " \r\n\t\r\n "])
      expect(relaxedBody(Buffer.from(body))).toHaveLength(0);
  });
});

test("fields that the next hop is known to rewrite are left unsigned, and may change", async () => {
  const message = Buffer.from(
    lines(
      "From: a@shop.example",
      "Date: Sat, 31 Jan 2026 09:30:05 +0000",
      "Message-ID: <1@shop.example>",
      "",
      "Hi",
      "",
    ),
  );
  const signed = await sign(message, { ...key, leaveOut: ["date", "message-id"] }, SIGNED_AT_MS);
  const rewritten = signed
    .toString()
    .replace("<1@shop.example>", "<theirs@amazonses.example>")
    .replace("Sat, 31 Jan", "Sun, 01 Feb");
  expect(await verdict(Buffer.from(rewritten))).toBe("pass");
  expect(await verdict(Buffer.from(signed.toString().replace("a@shop.example", "b@shop.example")))).toBe("fail");
});
