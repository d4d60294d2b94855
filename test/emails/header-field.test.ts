// The header of composed mails: addresses, custom fields, and attempts to smuggle in others:
// src/content/mime/header-field.ts.
import { describe, expect, test } from "bun:test";
import { simpleParser } from "mailparser";
import type { MimeLetter } from "../../src/content/mime/compose.ts";
import { seeded } from "../support/seeded.ts";
import {
  composed,
  expectFitForTheWire,
  fieldNames,
  file,
  headerOf,
  LETTER_ID,
  picture,
  readBack,
} from "../support/letters.ts";

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

test("500 generated attempts put no line of their own into any header (slow)", async () => {
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
    ...[
      '"',
      "\\",
      "<",
      ">",
      ";",
      ",",
      ":",
      "=",
      "?",
      "%0D%0A",
      "a",
      "word",
      "ü",
      "😀",
      "\ud800",
      `--=_${LETTER_ID}-mixed--`,
    ],
  ];
  const hostile = () => random.text(parts, 1 + random.below(12));
  for (let count = 0; count < 500; count++) {
    const letter: Partial<MimeLetter> = {
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
