// What left, read back by an independent parser.
import { type ParsedMail, simpleParser } from "mailparser";
import type { Posthorn } from "./posthorn.ts";

/** Runs the loops and answers every mail that has left so far, in the order of the recipients' addresses. */
export async function mailsSent(posthorn: Posthorn): Promise<ParsedMail[]> {
  await posthorn.settle();
  const sent = [...posthorn.transport.sent].sort((a, b) => a.envelope.recipient.localeCompare(b.envelope.recipient));
  return Promise.all(sent.map(({ raw }) => simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true })));
}

/** The one mail that has left. */
export async function mailSent(posthorn: Posthorn): Promise<ParsedMail> {
  const [mail, ...others] = await mailsSent(posthorn);
  if (!mail || others.length > 0) throw new Error(`${others.length + (mail ? 1 : 0)} mails have left`);
  return mail;
}

/** What a reader sees of it; null where there is no such part. */
export function contentOf({ subject, html, text, from, replyTo }: ParsedMail) {
  return {
    subject,
    html: html ? html.trim() : null,
    text: text?.trim() || null,
    from: from?.value[0]?.address,
    fromName: from?.value[0]?.name,
    reply: replyTo?.value[0]?.address,
  };
}

/** The header of what left, field by field, unfolded. */
export function headerFields(raw: Buffer): { readonly name: string; readonly value: string }[] {
  const header = raw.toString("latin1").split("\r\n\r\n")[0] ?? "";
  const lines = header.replace(/\r\n[ \t]/g, " ").split("\r\n");
  return lines.map((line) => ({
    name: line.slice(0, line.indexOf(":")),
    value: line.slice(line.indexOf(":") + 1).trim(),
  }));
}

export const letter = {
  to: "ada@example.com",
  from: "hello@example.test",
  subject: "Hi",
  body: "<p>Hello</p>",
} as const;
