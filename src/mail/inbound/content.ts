// The content of a mail as its reader sees it, outgoing or inbound.
import type { Mail } from "../emails/queries.ts";
import { filesOf, isSubmitted, received, readableText, type InboundSources } from "./attached.ts";
import { headersOf } from "./reading/header-fields.ts";
import type { MessageText } from "./reading/text.ts";

/**
 * A mail of ours as it leaves or left; `bare`: without the pixel, the links that count clicks, and the attached files.
 */
export type Compose = (mail: Mail, how?: { readonly bare?: true }) => Promise<Buffer>;

/**
 * Without the files, as an inline HTML file would be read as part of the text. Without tracking, so that reading a mail
 * counts nothing; the header is that of the tracked mail.
 * @throws AppError EMAIL_NOT_FOUND, EMAIL_STATE
 */
export async function mailText(sources: InboundSources, mail: Mail, compose: Compose): Promise<MessageText> {
  if (mail.status === "RECEIVED") return readableText(sources, () => received(sources, mail));
  const text = await readableText(sources, async () => new Uint8Array(await compose(mail, { bare: true })));
  const headers = headersOf(await compose(mail));
  return { ...text, headers, files: isSubmitted(mail) ? text.files : await filesOf(sources, mail) };
}
