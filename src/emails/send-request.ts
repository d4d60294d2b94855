// Reading a body of POST /v1/send: each field checked for what it means, all faults told at once (interface.md).
import { parseAddress, parseMailbox, type Mailbox } from "../addresses.ts";
import { readData, type DataChanges } from "../contacts/data.ts";
import { invalidFields, type FieldError } from "../errors.ts";
import { headerProblem } from "./custom-headers.ts";
import type { AttachmentRow } from "./queries.ts";
import type { AttachmentField, MailboxField, SendBody } from "./send-shape.ts";

/** A body that can be read; what a template may still supply is null. */
export type SendRequest = {
  readonly to: readonly Mailbox[];
  readonly from: Mailbox | null;
  readonly fromName: string | null;
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly template: string | null;
  readonly replyTo: string | null;
  readonly subscribed: boolean | undefined;
  readonly data: DataChanges;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly AttachmentRow[];
  readonly sendAtMs: number | null;
};

const LARGEST_ATTACHMENTS_BYTES = 10 * 1024 * 1024;
const FURTHEST_AHEAD_MS = 30 * 24 * 60 * 60 * 1000;
const MOST_HEADERS = 50;

/** @throws AppError VALIDATION_ERROR with one item for each field that cannot be used */
export function readSendRequest(body: SendBody, nowMs: number): SendRequest {
  const errors: FieldError[] = [];
  const request = {
    to: recipients(body.to, errors),
    from: body.from ? mailbox("from", body.from, errors) : null,
    fromName: body.name || null,
    subject: body.subject || null,
    html: body.body || null,
    text: body.text ?? null,
    template: body.template || null,
    replyTo: body.reply ? replyAddress(body.reply, errors) : null,
    subscribed: body.subscribed,
    data: readData(body.data ?? {}),
    headers: headers(body.headers ?? {}, errors),
    attachments: attachments(body.attachments ?? [], errors),
    sendAtMs: body.sendAt ? moment(body.sendAt, nowMs, errors) : null,
  };
  if (errors.length > 0) throw invalidFields(errors);
  return request;
}

/** Whoever is named twice gets one mail. */
function recipients(to: SendBody["to"], errors: FieldError[]): Mailbox[] {
  const named = Array.isArray(to)
    ? to.map((one, index) => mailbox(`to.${index}`, one, errors))
    : [mailbox("to", to, errors)];
  const byAddress = new Map<string, Mailbox>();
  for (const recipient of named) if (!byAddress.has(recipient.address)) byAddress.set(recipient.address, recipient);
  return [...byAddress.values()];
}

function mailbox(field: string, value: MailboxField, errors: FieldError[]): Mailbox {
  const read = typeof value === "string" ? parseMailbox(value) : addressWithName(value);
  if (read) return read;
  const where = typeof value === "string" ? field : `${field}.email`;
  errors.push({ field: where, message: "This is not an e-mail address.", code: "invalid_email" });
  return { address: "", name: null };
}

function addressWithName(value: { email: string; name?: string | null }): Mailbox | null {
  const address = parseAddress(value.email);
  return address === null ? null : { address, name: value.name?.trim() || null };
}

function replyAddress(value: string, errors: FieldError[]): string | null {
  const address = parseAddress(value);
  if (!address) errors.push({ field: "reply", message: "This is not an e-mail address.", code: "invalid_email" });
  return address;
}

function headers(given: Readonly<Record<string, string>>, errors: FieldError[]): Readonly<Record<string, string>> {
  const entries = Object.entries(given);
  if (entries.length > MOST_HEADERS) {
    errors.push({ field: "headers", message: `At most ${MOST_HEADERS} headers can be set.`, code: "too_big" });
  }
  for (const [name, value] of entries) {
    const problem = headerProblem(name, value);
    if (problem) errors.push({ field: `headers.${name}`, message: `This header ${problem}.`, code: "invalid_header" });
  }
  return given;
}

function attachments(given: readonly AttachmentField[], errors: FieldError[]): AttachmentRow[] {
  const read = given.map((field, index) => attachment(`attachments.${index}`, field, errors));
  const bytes = read.reduce((sum, one) => sum + one.bytes.length, 0);
  if (bytes > LARGEST_ATTACHMENTS_BYTES) {
    errors.push({ field: "attachments", message: "The attachments are larger than 10 MB together.", code: "too_big" });
  }
  return read;
}

function attachment(field: string, given: AttachmentField, errors: FieldError[]): AttachmentRow {
  const bytes = fromBase64(given.content);
  const disposition = given.disposition ?? "attachment";
  if (!bytes) errors.push({ field: `${field}.content`, message: "The content is not base64.", code: "invalid_base64" });
  if (disposition === "inline" && !given.contentId) {
    errors.push({ field: `${field}.contentId`, message: "An inline attachment needs a contentId.", code: "required" });
  }
  return {
    filename: given.filename,
    content_type: given.contentType ?? given.type ?? null,
    disposition,
    content_id: given.contentId ?? null,
    bytes: bytes ?? new Uint8Array(),
  };
}

/** RFC 4648 §4, line breaks inside allowed; null if it is anything else. */
function fromBase64(text: string): Uint8Array | null {
  const packed = /\s/.test(text) ? text.replace(/\s+/g, "") : text;
  const unpadded = packed.replace(/={1,2}$/, "");
  const bytes = Buffer.from(unpadded, "base64");
  const whole = packed.length === unpadded.length || packed.length % 4 === 0;
  return whole && Math.ceil((bytes.length * 4) / 3) === unpadded.length && !/[-_]/.test(unpadded) ? bytes : null;
}

function moment(text: string, nowMs: number, errors: FieldError[]): number | null {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) {
    errors.push({ field: "sendAt", message: "This is not an ISO 8601 date-time with its zone.", code: "invalid_date" });
  } else if (ms - nowMs > FURTHEST_AHEAD_MS) {
    errors.push({ field: "sendAt", message: "sendAt may lie up to 30 days ahead.", code: "too_big" });
  }
  return ms;
}
