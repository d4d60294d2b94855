// Emails in another service's fields, read as a batch of ours.
import type { Caller } from "../../tenant/access/caller.ts";
import { keptContent } from "../../mail/emails/content/queries.ts";
import type { ToldMail } from "../../mail/emails/queries.ts";
import type { AcceptanceBody } from "../../mail/emails/send/answer-shape.ts";
import { readBatch, type EmailBatch, type BatchRequest } from "../../mail/emails/send/batch.ts";
import { AppError, asRefusal } from "../../base/errors.ts";
import type { Reader } from "../../store/store.ts";
import { asWritten } from "../../content/templates/liquid/render.ts";
import { notedWarnings } from "../../http/body/body-notes.ts";
import { nameIgnored, nameWarnings, type CallTranslation } from "./fields.ts";

export function originOf(headers: Readonly<Record<string, unknown>>, { by }: Caller): EmailBatch["origin"] {
  return { requestId: String(headers["x-request-id"]), by };
}

/** The emails read as ours; the ones that cannot be translated as their refusals. */
export function readTranslated(
  read: readonly (CallTranslation | AppError)[],
  terms: Parameters<typeof readBatch>[1],
): readonly (BatchRequest | AppError)[] {
  const items = readBatch(
    read.flatMap((one) => (one instanceof AppError ? [] : [one.body])),
    terms,
  );
  let next = 0;
  return read.map((one) => (one instanceof AppError ? one : (items[next++] as BatchRequest | AppError)));
}

export function orRefusal<Value>(work: () => Value): Value | AppError {
  try {
    return work();
  } catch (error) {
    return asRefusal(error);
  }
}

/** The content of an email where it is the same for each reader: a source with variables was sent to no recipient. */
export async function emailContent(
  reader: Reader,
  { content }: Pick<ToldMail, "content">,
): Promise<{ readonly html: string | null; readonly text: string | null }> {
  const { html = null, text = null } = (await keptContent(reader, content)) ?? {};
  return { html: html && asWritten(html), text: text && asWritten(text) };
}

/** The only email of a batch: a refusal does not name its place there. */
export async function asOne<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    const { code, message, details } = asRefusal(error);
    const errors = details.errors?.map((one) => ({ ...one, field: one.field.replace(PLACE, "") }));
    throw new AppError(code, message.replaceAll(PLACE, ""), errors ? { ...details, errors } : details);
  }
}

const PLACE = /\bemails\.0(?:\.|: |$)/g;

/** Names the recipients left out as suppressed in a header: the answers of other services have no field for it. */
export function nameSkipped(
  headers: Record<string, string | number>,
  sent: readonly (AcceptanceBody | AppError)[],
): void {
  const skipped = sent.flatMap((one) => (one instanceof AppError ? [] : (one.skipped ?? [])));
  const emails = [...new Set(skipped.map(({ email }) => email))];
  if (emails.length > 0) nameWarnings(headers, [{ message: `Suppressed, and so not sent to: ${emails.join(", ")}.` }]);
}

/** Other warnings for the sender, such as our links named in the data. */
export function nameBatchWarnings(headers: Record<string, string | number>, items: EmailBatch["items"]): void {
  const all = items.flatMap((one) => (one instanceof AppError ? [] : notedWarnings(one.body)));
  nameWarnings(headers, [...new Map(all.map((one) => [one.message, one])).values()]);
}

/** The fields that were left out of any of them, and the labels that were changed. */
export function nameAllIgnored(
  headers: Record<string, string | number>,
  read: readonly (CallTranslation | AppError)[],
): void {
  const all = read.filter((one) => !(one instanceof AppError)) as readonly CallTranslation[];
  nameIgnored(
    headers,
    all.flatMap((one) => one.ignored),
  );
  const said = new Set(all.flatMap((one) => one.said ?? []));
  nameWarnings(
    headers,
    [...said].map((message) => ({ message })),
  );
}
