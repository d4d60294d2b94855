// Mailgun's messages, sent: one content for all recipients of a call; a complete message as it is.
import { domainOf } from "../../../base/addresses.ts";
import { AppError, invalidField } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import { lastValue, type WholeForm } from "../../../http/body/whole-form.ts";
import { answerOnce } from "../../../http/idempotency.ts";
import { SmtpReply } from "../../../ground/smtp-listener/smtp-reply.ts";
import { messageIdFor } from "../../../mail/emails/content/message-id.ts";
import { send } from "../../../mail/emails/send/send.ts";
import { readBatch } from "../../../mail/emails/send/batch.ts";
import { acceptSubmitted } from "../../../mail/smtp/acceptance.ts";
import { readSubmitted, type SmtpSubmission } from "../../../mail/smtp/submitted.ts";
import { fittingLabelsOver } from "../../../base/labels.ts";
import type { Store, Tx } from "../../../store/store.ts";
import { nameAllIgnored, nameBatchWarnings, originOf } from "../emails.ts";
import { ignoredIn, type FieldSupport } from "../fields.ts";
import type { CompatRequest } from "../own-calls.ts";
import { domainMeant } from "./domain.ts";
import { messageFrom } from "./fields.ts";
import { isTest, labelsIn, trackingIn } from "./options.ts";
import { mailboxesIn } from "./recipients.ts";

const ACCEPTED = 200;

export type MailgunAnswer = { readonly id: string; readonly message: string };

/** A message to all recipients of the call. It is stored whole, or not at all. */
export async function sendMessage(store: Store, asked: CompatRequest): Promise<MailgunAnswer> {
  const { body, caller, set } = asked;
  const domain = await store.read((reader) => domainMeant(reader, asked));
  const message = messageFrom(body as WholeForm);
  nameAllIgnored(set.headers, [{ body: {}, ignored: message.ignored, said: message.said }]);
  refuseOtherSender(domain.domain, message.from?.address);
  const items = readBatch([message.body], { nowMs: store.clock.nowMs(), storesData: caller.storesSendData });
  const [item] = items;
  if (!item || item instanceof AppError) throw item;
  const request = {
    ...item.request,
    to: message.recipients ?? item.request.to,
    headers: { ...item.request.headers, ...message.headers },
  };
  const order = {
    ...{ caller, request, body: item.body, origin: originOf(set.headers, caller), labelsGiveWay: true },
    // Mailgun takes mail to a suppressed address, and reports it as failed.
    ...({ passesSuppressions: "later", skipsSuppressed: "all" } as const),
  };
  const work = async (tx: Tx) => {
    const { mails, group } = await send(tx, order);
    return queued(group ?? mails[0]?.email ?? newId(tx.nowMs), domain.domain);
  };
  if (isTest(body as WholeForm)) return queued(newId(store.clock.nowMs()), domain.domain);
  const answer = await answerOnce(store, asked, work, ACCEPTED);
  nameBatchWarnings(set.headers, items);
  return answer;
}

/** The id of the message has brackets, as at Mailgun. */
function queued(id: string, domain: string): MailgunAnswer {
  return { id: messageIdFor(id, `@${domain}`), message: "Queued. Thank you." };
}

/** The events of a domain are those of its senders. @throws AppError VALIDATION_ERROR */
function refuseOtherSender(domain: string, from: string | undefined): void {
  if (from === undefined || domainOf(from) === domain) return;
  const message = `The path names ${domain}: name ${domainOf(from)} there, as Posthorn sends from the domain that readers see.`;
  throw invalidField("from", message, "conflicting");
}

const MIME: FieldSupport = {
  taken: ["to", "message", "o:tag", "o:testmode", "o:tracking", "o:tracking-clicks", "o:tracking-opens"],
  refused: {},
};

/** A complete message, for the given recipients. */
export async function sendMime(store: Store, asked: CompatRequest): Promise<MailgunAnswer> {
  const { caller, set } = asked;
  const domain = await store.read((reader) => domainMeant(reader, asked));
  const form = asked.body as WholeForm;
  const names = [...Object.keys(form.texts), ...Object.keys(form.files)].filter((name) => !name.startsWith("v:"));
  const [other] = ignoredIn(Object.fromEntries(names.map((name) => [name, name])), MIME);
  if (other !== undefined)
    throw invalidField(other.slice(0, 60), "A complete message takes no such field.", "unsupported");
  const labels = labelsIn(form);
  nameAllIgnored(set.headers, [{ body: {}, ignored: [], said: labels.said }]);
  const recipients = [...new Set(mailboxesIn("to", form.texts["to"] ?? []).map(({ address }) => address))];
  if (recipients.length === 0) throw invalidField("to", "This is required.", "required");
  const read = submittedIn(form, store.clock.nowMs());
  refuseOtherSender(domain.domain, read.from.address);
  const own = { tags: labels.tags ?? [], metadata: labels.metadata ?? {} };
  const submitted = { ...read, labels: fittingLabelsOver(read.labels, own).labels };
  const answer = { id: read.messageId, message: "Queued. Thank you." };
  if (isTest(form)) return answer;
  const work = async (tx: Tx) => {
    const ids = await acceptSubmitted(tx, caller, { submitted, recipients, tracking: trackingIn(form).isOn });
    if (ids instanceof AppError) throw ids;
    return answer;
  };
  return answerOnce(store, asked, work, ACCEPTED);
}

/** @throws AppError VALIDATION_ERROR */
function submittedIn(form: WholeForm, nowMs: number): SmtpSubmission {
  const [file] = form.files["message"] ?? [];
  const raw = file ? Buffer.from(file.content, "base64") : Buffer.from(lastValue(form, "message") ?? "");
  if (raw.length === 0) throw invalidField("message", "This is required.", "required");
  try {
    return readSubmitted(withCrlf(raw), nowMs);
  } catch (error) {
    if (error instanceof SmtpReply) throw invalidField("message", error.message, "invalid");
    throw error;
  }
}

const [CR, LF] = [13, 10];

/** Each line ends in CRLF. A plain loop: a pattern takes seconds for 14 MB of empty lines. */
function withCrlf(raw: Buffer): Buffer {
  const made = Buffer.allocUnsafe(raw.length * 2);
  let length = 0;
  for (let at = 0; at < raw.length; at++) {
    if (raw[at] === LF && raw[at - 1] !== CR) made[length++] = CR;
    made[length++] = raw[at] as number;
  }
  return made.subarray(0, length);
}
