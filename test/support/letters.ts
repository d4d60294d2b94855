// A letter to start from, and ways to look at the message that is made of it.
import { expect } from "bun:test";
import { type ParsedMail, simpleParser } from "mailparser";
import { type Attachment, compose, type MimeLetter } from "../../src/content/mime/compose.ts";
import { messageIdFor } from "../../src/mail/emails/content/message-id.ts";

export const LETTER_ID = "0199a3b4-0000-7000-8000-00000000abcd";

export const plainLetter: MimeLetter = {
  id: LETTER_ID,
  messageId: messageIdFor(LETTER_ID, "news@shop.example"),
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

export const file: Attachment = {
  filename: "a.bin",
  contentType: null,
  disposition: "attachment",
  contentId: null,
  content: Buffer.from("bytes"),
};

export const picture: Attachment = {
  filename: "logo.png",
  contentType: "image/png",
  disposition: "inline",
  contentId: "logo",
  content: Buffer.from("picture"),
};

/** The message of the plain letter with these changes. */
export async function composed(changes: Partial<MimeLetter>): Promise<string> {
  return (await compose({ ...plainLetter, ...changes })).toString("latin1");
}

/** The same message as an independent parser reads it. */
export async function readBack(changes: Partial<MimeLetter>): Promise<ParsedMail> {
  return simpleParser(await compose({ ...plainLetter, ...changes }), { skipHtmlToText: true, skipTextToHtml: true });
}

/** The header with the line end of its last field. */
export function headerOf(message: string): string {
  return message.slice(0, message.indexOf("\r\n\r\n") + 2);
}

/** The names of all fields of the header, in their order. */
export function fieldNames(message: string): string[] {
  return [...headerOf(message).matchAll(/^([^\s:]+):/gm)].map((match) => match[1] ?? "");
}

/** ASCII, CRLF only, short lines, a line end at the end: RFC 5321 §2.3.8, §4.5.3.1.6. */
export function expectFitForTheWire(message: string): void {
  expect(message).not.toMatch(/[^\t\r\n\x20-\x7e]/);
  expect(message.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(Math.max(...message.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998);
  expect(message.endsWith("\r\n")).toBe(true);
}
