// Reading a body of POST /v1/send: each field checked for what it means, all faults told at once (interface.md).
import { parseAddress, parseMailbox, type Mailbox } from "../addresses.ts";
import { readData, type DataChanges, type Variables } from "../contacts/data.ts";
import { AppError, invalidFields, type FieldError } from "../errors.ts";
import { attachedFiles } from "./attached-files.ts";
import { headerProblem } from "./custom-headers.ts";
import type { AttachmentRow } from "./queries.ts";
import { sendTime } from "./send-time.ts";
import type { MailboxField, SendBody } from "./send-shape.ts";

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
  readonly tracking: boolean;
};

const FURTHEST_DAYS_AHEAD = 30;
const MOST_HEADERS = 50;

/** @throws AppError VALIDATION_ERROR with one item for each field that cannot be used */
export function readSendRequest(body: SendBody, nowMs: number): SendRequest {
  const errors: FieldError[] = body.template ? [] : missing(body);
  const request = {
    to: recipients(body.to, errors),
    from: body.from ? mailbox("from", body.from, errors) : null,
    fromName: body.name || null,
    subject: body.subject || null,
    html: body.body || null,
    text: body.text ?? null,
    template: body.template || null,
    replyTo: body.reply ? replyAddress(body.reply, errors) : null,
    subscribed: body.subscribed ?? undefined,
    data: variables(body.data ?? {}, errors),
    headers: headers(body.headers ?? {}, errors),
    attachments: attachedFiles(body.attachments ?? [], errors),
    tracking: body.tracking ?? true,
    sendAtMs: body.sendAt
      ? sendTime({ field: "sendAt", text: body.sendAt, daysAhead: FURTHEST_DAYS_AHEAD }, nowMs, errors)
      : null,
  };
  if (errors.length > 0) throw invalidFields(errors);
  return request;
}

function missing(body: SendBody): FieldError[] {
  const fields = (["from", "subject", "body"] as const).filter((field) => !body[field]);
  return fields.map((field) => ({ field, message: "This is required unless a template has it.", code: "required" }));
}

function recipients(to: SendBody["to"], errors: FieldError[]): Mailbox[] {
  if (!Array.isArray(to)) return [mailbox("to", to, errors)];
  return to.map((one, index) => mailbox(`to.${index}`, one, errors));
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

function variables(data: Variables, errors: FieldError[]): DataChanges {
  try {
    return readData(data);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    errors.push(...(error.details.errors ?? []));
    return { stored: {}, flat: {} };
  }
}

function headers(given: Readonly<Record<string, string>>, errors: FieldError[]): Readonly<Record<string, string>> {
  const entries = Object.entries(given);
  if (entries.length > MOST_HEADERS) {
    errors.push({ field: "headers", message: `At most ${MOST_HEADERS} headers can be set.`, code: "too_big" });
    return {};
  }
  for (const [name, value] of entries) {
    const problem = headerProblem(name, value);
    if (problem) errors.push({ field: `headers.${name}`, message: `This header ${problem}.`, code: "invalid_header" });
  }
  return given;
}
