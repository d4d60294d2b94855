// POST /v1/send/batch: several requests as one, in one transaction.
import {
  AppError,
  asRefusal,
  invalidField,
  invalidFields,
  type ErrorCode,
  type FieldError,
} from "../../../base/errors.ts";
import { inCallersWords, noteWarnings } from "../../../http/body/body-notes.ts";
import { asBody } from "../../../http/body/shape.ts";
import { attempt } from "../../../store/shared-tx.ts";
import type { Tx } from "../../../store/store.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { deleteUnusedFiles, insertFile } from "../content/attachment-queries.ts";
import type { RequestOrigin } from "../content/queries.ts";
import { acceptedOf, type AcceptanceBody } from "./answer-shape.ts";
import { decoded } from "./attached-files.ts";
import { batchItemShape, MOST_RECIPIENTS_OF_BATCH, type BatchItem } from "./batch-shape.ts";
import { readSendRequest, type SendRequest, type SendTerms } from "./request.ts";
import { send, type SendOrder } from "./send.ts";
import type { AttachmentField } from "./shape.ts";
import { RequestTexts } from "./texts.ts";

const MOST_BYTES = 15 * 1024 * 1024;

/** `body`: the item as a body of POST /v1/send, in our spelling. */
export type BatchRequest = { readonly body: object; readonly request: SendRequest };

const check = asBody(batchItemShape)["~standard"].validate;

/**
 * Each item, or its refusal.
 * @throws AppError VALIDATION_ERROR if their recipients are too many or their files too large together
 */
export function readBatch(
  items: readonly unknown[],
  terms: Omit<SendTerms, "bytesOf" | "texts">,
): readonly (BatchRequest | AppError)[] {
  const bodies = items.map((item) => orRefusal(item, () => check(item).value));
  refuseTooMany(bodies);
  const decodedOnce = new Map<AttachmentField, Uint8Array | null>();
  const bytesOf = (file: AttachmentField) => {
    const bytes = decodedOnce.has(file) ? decodedOnce.get(file) : decoded(file);
    decodedOnce.set(file, bytes ?? null);
    return bytes ?? null;
  };
  const texts = new RequestTexts();
  const read = bodies.map((body, at) =>
    body instanceof AppError
      ? body
      : orRefusal(items[at], () => {
          const attachments = filesOf(body, bodies);
          const request = readSendRequest({ ...body, attachments }, { ...terms, bytesOf, texts });
          noteWarnings(body, request.warnings);
          return { body, request };
        }),
  );
  const bytes = [...decodedOnce.values()].reduce((sum, one) => sum + (one?.length ?? 0), 0);
  if (bytes > MOST_BYTES)
    throw invalidField("emails", "The attachments of all emails are larger than 15 MB together.", "too_big");
  return read;
}

/**
 * Other writes wait while one batch is stored.
 * @throws AppError VALIDATION_ERROR
 */
function refuseTooMany(bodies: readonly (BatchItem | AppError)[]): void {
  const recipients = bodies
    .flatMap((body) => (body instanceof AppError ? [] : [body.to, body.cc, body.bcc]))
    .reduce<number>((sum, given) => sum + (Array.isArray(given) ? given.length : given ? 1 : 0), 0);
  const message = `The emails of a batch have at most ${MOST_RECIPIENTS_OF_BATCH} recipients together.`;
  if (recipients > MOST_RECIPIENTS_OF_BATCH) throw invalidField("emails", message, "too_big");
}

function orRefusal<Value>(item: unknown, work: () => Value): Value | AppError {
  try {
    return work();
  } catch (error) {
    return inCallersWords(asRefusal(error), item);
  }
}

/** @throws AppError VALIDATION_ERROR for a reference to a file that no email has */
function filesOf({ attachments }: BatchItem, bodies: readonly (BatchItem | AppError)[]): AttachmentField[] {
  return (attachments ?? []).map((given, at) => {
    if (!("sameAs" in given)) return given;
    const [email = -1, file = -1] = given.sameAs.split(".").map(Number);
    const body = bodies[email];
    const found = body === undefined || body instanceof AppError ? undefined : body.attachments?.[file];
    if (found !== undefined && !("sameAs" in found)) return found;
    const message = "No email of the batch has such a file. Name the one that has its content, such as 0.0.";
    throw invalidField(`attachments.${at}.sameAs`, message, "unknown");
  });
}

export type EmailBatch = {
  readonly caller: Caller;
  readonly origin: RequestOrigin;
  readonly mode: "all" | "each";
  readonly items: readonly (BatchRequest | AppError)[];
} & Pick<SendOrder, "noteIgnored" | "noteLeftOut" | "skipsSuppressed" | "labelsGiveWay">;

/**
 * Queues the mails of all accepted items; answers each in order.
 * @throws AppError in the mode `all`, if any item is refused; in both, if a concurrent transaction makes the door
 * refuse an item after it had changed rows. Then no mail is queued
 */
export async function sendBatch(tx: Tx, batch: EmailBatch): Promise<readonly (AcceptanceBody | AppError)[]> {
  const { mode, items } = batch;
  if (mode === "all") refuseAny(items);
  const files = await storeShared(tx, items);
  // Simultaneously, so that the addresses of all items are locked in one order (store/loads.ts).
  const results = await Promise.all(
    items.map(async (item, at) => {
      const result = item instanceof AppError ? item : await sendOne(tx, batch, { at, item, files });
      if (mode === "all" && result instanceof AppError) throw atItem(result, at);
      return result;
    }),
  );
  if (files.size > 0) await deleteUnusedFiles(tx, [...files.values()]);
  return results;
}

type Files = ReadonlyMap<Uint8Array, number>;
type BatchEntry = { readonly at: number; readonly item: BatchRequest; readonly files: Files };

async function sendOne(tx: Tx, { items: _, mode: __, ...terms }: EmailBatch, { at, item, files }: BatchEntry) {
  const { body, request } = item;
  const attachments = request.attachments.map((one) => ({ ...one, file: files.get(one.content) }));
  const sending = { ...terms, body, request: { ...request, attachments } };
  try {
    return await attempt(tx, async (own) => acceptedOf(await send(own, sending)));
  } catch (error) {
    throw atItem(asRefusal(error), at);
  }
}

/** Bytes that several emails share are stored once. */
async function storeShared(tx: Tx, items: EmailBatch["items"]): Promise<Files> {
  const uses = new Map<Uint8Array, number>();
  for (const item of items)
    for (const { content } of item instanceof AppError ? [] : item.request.attachments)
      uses.set(content, (uses.get(content) ?? 0) + 1);
  const files = new Map<Uint8Array, number>();
  for (const [bytes, count] of uses) if (count > 1) files.set(bytes, await insertFile(tx, bytes));
  return files;
}

/** @throws AppError with the faults of all items */
function refuseAny(items: EmailBatch["items"]): void {
  const refused = items.flatMap((item, at) => (item instanceof AppError ? atItem(item, at) : []));
  const [first] = refused;
  if (first) throw invalidFields(refused.flatMap(({ details }) => details.errors ?? []));
}

/** The field of an email that such a refusal is about. */
const ABOUT: Partial<Readonly<Record<ErrorCode, string>>> = {
  DOMAIN_NOT_VERIFIED: "from",
  DOMAIN_NOT_ALLOWED: "from",
  TEMPLATE_NOT_FOUND: "template",
  CONTACT_UNSUBSCRIBED: "to",
  RECIPIENT_SUPPRESSED: "to",
};

function atItem({ code, message, details }: AppError, at: number): AppError {
  const item = `emails.${at}`;
  if (details.errors) return invalidFields(details.errors.map((one) => ({ ...one, field: `${item}.${one.field}` })));
  const field = [item, ABOUT[code]].filter(Boolean).join(".");
  const errors: FieldError[] = [{ field, message, code: code.toLowerCase() }];
  return new AppError(code, `${field}: ${message}`, { ...details, errors });
}
