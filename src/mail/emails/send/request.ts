// Reads the body of POST /v1/send: checks each field, and reports all faults together.
import type { Mailbox } from "../../../base/addresses.ts";
import { linksNamedIn, readData, type DataChanges } from "../../../audience/contacts/data.ts";
import { invalidField, readAll, readEach } from "../../../base/errors.ts";
import { optionalReplyTo, requiredAddress, requiredMailbox, senderName } from "../../../http/body/address-field.ts";
import { readLabels, type Labels } from "../../../base/labels.ts";
import { headerProblem } from "../../../content/mime/custom-headers.ts";
import type { KeptAttachment } from "../content/attachment-queries.ts";
import type { HeaderValue } from "../content/queries.ts";
import type { Recipient } from "../door/request.ts";
import type { FieldWarning } from "../../../http/body/unknown-fields.ts";
import { isLongPast, longPast, sendTime } from "../send-time.ts";
import { attachedFiles, type BytesOf } from "./attached-files.ts";
import { MOST_RECIPIENTS, type MailboxField, type SendBody } from "./shape.ts";
import { RequestTexts } from "./texts.ts";

/** A checked body; a field that a template may still supply is null. */
export type SendRequest = {
  readonly to: readonly Recipient[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
  /** All recipients get one message. */
  readonly isGroup: boolean;
  readonly from: Mailbox | null;
  readonly fromName: string | null;
  readonly subject: string | null;
  readonly preheader: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly template: string | null;
  readonly topic: string | null;
  readonly replyTo: string | null;
  readonly subscribed: boolean | undefined;
  readonly ignoreSuppression: boolean;
  readonly skipSuppressed: boolean;
  readonly data: DataChanges;
  readonly headers: Readonly<Record<string, HeaderValue>>;
  readonly attachments: readonly KeptAttachment[];
  readonly sendAtMs: number | null;
  readonly tracking: boolean;
  readonly labels: Labels;
  /** Warnings for the caller. */
  readonly warnings: readonly FieldWarning[];
};

const MAX_HEADERS = 50;

/** `storesData`: the setting of the workspace. */
export type SendTerms = {
  readonly nowMs: number;
  readonly storesData: boolean;
  /** For files that several requests share. */
  readonly bytesOf?: BytesOf;
  /** For texts that several requests share. */
  readonly texts?: RequestTexts;
};

/** @throws AppError VALIDATION_ERROR with an item for each invalid field */
export function readSendRequest(body: SendBody, terms: SendTerms): SendRequest {
  const { nowMs, storesData, bytesOf, texts = new RequestTexts() } = terms;
  const { sendAt } = body;
  const warnings: FieldWarning[] = [];
  const how = {
    isLiteral: body.literal === true,
    isFilled: body.data != null,
    warn: (one: FieldWarning) => warnings.push(one),
  };
  if (sendAt && isLongPast(sendAt, nowMs)) how.warn({ field: "sendAt", message: longPast("the email") });
  for (const name of linksNamedIn(body.data ?? {})) how.warn({ field: `data.${name}`, message: ownLink(name) });
  const read = readAll({
    from: () => {
      const value = ownOrNull("from", body.from, body);
      if (!value) return null;
      const { address, name } = mailbox("from", value);
      return { address, name: senderName(name) || null };
    },
    subject: () => ownOrNull("subject", texts.read("subject", body.subject, how), body),
    preheader: () => texts.read("preheader", body.preheader, how) || null,
    html: () => {
      const html = texts.read("body", body.body, how);
      return body.text ? html || null : ownOrNull("body", html, body);
    },
    text: () => texts.read("text", body.text, how) ?? null,
    to: () => recipients("to", body.to),
    cc: () => recipients("cc", body.cc),
    bcc: () => recipients("bcc", body.bcc),
    isGroup: () => isGroup(body),
    skipSuppressed: () => skipsSuppressed(body),
    replyTo: () => optionalReplyTo("reply", body.reply || null),
    data: () => readData(body.data ?? {}, { isStored: body.persistent ?? storesData }),
    headers: () => headers(body.headers ?? {}),
    labels: () => readLabels(body),
    attachments: () => (body.attachments ? attachedFiles(body.attachments, bytesOf) : []),
    sendAtMs: () => (sendAt ? sendTime("sendAt", sendAt, nowMs) : null),
  });
  return {
    ...read,
    fromName: senderName(body.name) || null,
    template: body.template || null,
    topic: body.topic || null,
    subscribed: body.subscribed ?? undefined,
    ignoreSuppression: body.ignoreSuppression === true,
    tracking: body.tracking ?? true,
    warnings,
  };
}

function ownLink(name: string): string {
  return `${name} in the data is left out: it is a link that Posthorn makes for each recipient. Use another name for yours.`;
}

/** Null if the template has to supply it. */
function ownOrNull<Value>(field: string, value: Value | null | undefined, { template }: SendBody): Value | null {
  if (!value && !template) throw invalidField(field, "This is required unless a template has it.", "required");
  return value || null;
}

type Recipients = SendBody["to"] | SendBody["cc"];

function recipients(field: "to" | "cc" | "bcc", given: Recipients): Mailbox[] {
  if (!given) return [];
  if (!Array.isArray(given)) return [mailbox(field, given)];
  return readEach(given, (one, index) => mailbox(`${field}.${index}`, one));
}

/** @throws AppError VALIDATION_ERROR if there are too many recipients, or they cannot have separate mails */
function isGroup({ to, cc, bcc, group }: SendBody): boolean {
  let count = 0;
  for (const [field, given] of Object.entries({ to, cc, bcc })) {
    count += Array.isArray(given) ? given.length : given ? 1 : 0;
    const message = `to, cc and bcc together have more than ${MOST_RECIPIENTS} recipients.`;
    if (count > MOST_RECIPIENTS) throw invalidField(field, message, "too_big");
  }
  const hasCopies = [cc, bcc].some((given) => (Array.isArray(given) ? given.length > 0 : given));
  if (group === false && hasCopies)
    throw invalidField("group", "An email with cc or bcc is one message to a group.", "conflicting");
  return group ?? hasCopies;
}

function skipsSuppressed({ skipSuppressed, ignoreSuppression }: SendBody): boolean {
  if (skipSuppressed && ignoreSuppression)
    throw invalidField("skipSuppressed", "Give either this or ignoreSuppression.", "conflicting");
  return skipSuppressed === true;
}

function mailbox(field: string, value: MailboxField): Mailbox {
  if (typeof value !== "string")
    return { address: requiredAddress(`${field}.email`, value.email), name: value.name?.trim() || null };
  return requiredMailbox(field, value);
}

function headers(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(given);
  if (entries.length > MAX_HEADERS)
    throw invalidField("headers", `At most ${MAX_HEADERS} headers can be set.`, "too_big");
  readEach(entries, ([name, value]) => {
    const problem = headerProblem(name, value);
    if (problem) throw invalidField(`headers.${name}`, `This header ${problem}.`, "invalid_header");
  });
  return given;
}
