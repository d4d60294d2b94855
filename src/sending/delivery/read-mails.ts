// Reads claimed mails in batches and gives each out once, so that no text stays in memory longer than its mail needs
// it.
import { iso } from "../../base/clock.ts";
import type { MailToSend } from "../../mail/emails/queries.ts";
import { mailsToSend } from "../../mail/emails/sending-queries.ts";
import type { Store } from "../../store/store.ts";
import { bytesOfParts } from "../carrier/large-parts.ts";

export type ReadMails = Promise<Map<number, MailToSend>>;

/** A fault is thrown to each caller that takes out a mail. */
export function readMails(store: Pick<Store, "read" | "clock">, seqs: readonly number[]): ReadMails {
  if (seqs.length === 0) return Promise.resolve(new Map());
  const read = store.read(async (reader) => new Map(await mailsToSend(reader, seqs, iso(store.clock.nowMs()))));
  read.catch(() => undefined);
  return read;
}

/** Null if the mail is gone. */
export async function takeOut(read: ReadMails, seq: number): Promise<MailToSend | null> {
  const mails = await read;
  const mail = mails.get(seq) ?? null;
  mails.delete(seq);
  return mail;
}

/** The parts of a mail that recording an outcome needs: hundreds of mails may wait to be recorded. */
export function withoutTexts(mail: MailToSend): MailToSend {
  return { ...mail, html: "", text: null, headers: null, data: null, variables: null };
}

/** The memory that composing the mail takes. */
export async function bytesOf(store: Pick<Store, "read">, mail: MailToSend): Promise<number> {
  const texts = [mail.html, mail.text, mail.data, mail.variables];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), await bytesOfParts(store, mail));
}
