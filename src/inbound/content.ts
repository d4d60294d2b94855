// What a mail says, as its reader gets it; whichever way it went.
import type { Mail } from "../emails/queries.ts";
import { filesOf, isSubmitted, received, textOf, type Sources } from "./attached.ts";
import { headersOf, type MessageText } from "./reading/text.ts";

/** A mail of ours as it leaves or left; `untracked`: without the pixel and the links that count opens and clicks. */
export type Compose = (mail: Mail, how?: { readonly untracked?: true }) => Promise<Buffer>;

/**
 * Without what counts opens and clicks, so that looking at a mail counts nothing; the header is that of the mail with it.
 * @throws AppError EMAIL_NOT_FOUND, EMAIL_STATE
 */
export async function contentOf(sources: Sources, mail: Mail, compose: Compose): Promise<MessageText> {
  if (mail.status === "RECEIVED") return textOf(sources, () => received(sources, mail));
  const text = await textOf(sources, async () => new Uint8Array(await compose(mail, { untracked: true })));
  const headers = headersOf(await compose(mail));
  return { ...text, headers, files: isSubmitted(mail) ? text.files : await filesOf(sources, mail) };
}
