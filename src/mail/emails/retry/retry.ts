// Sending many mails again: those that a filter finds now, each once, some in each transaction together with the
// progress. A crash leaves no batch half done, and any process goes on.
import { DAY_MS, iso } from "../../../base/clock.ts";
import { AppError, invalidField, isStoreAway, limitReached } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import type { Reader, Store, Tx } from "../../../store/store.ts";
import type { SenderScope } from "../../../tenant/domains/domain.ts";
import { readFilter, type FilterInput } from "../list/filter.ts";
import { allMails } from "../list/list.ts";
import { mailsNumbered, type ToldMail } from "../queries.ts";
import { skippedBy } from "../refusals/skip-reasons.ts";
import { repeat } from "../actions/resend.ts";
import * as queries from "./queries.ts";
import type { DueRetry, Retry, RetryError } from "./queries.ts";

/** Signalled when there are mails to send again. */
export const RETRYING = "retrying";

const MOST_MAILS = 10_000;
const MAILS_A_BATCH = 25;
const MOST_ERRORS = 1_000;
const KEPT_MS = 30 * DAY_MS;

/**
 * The mails that are worth another attempt; searched before the transaction of `openRetry`.
 * @throws AppError VALIDATION_ERROR if there are none or too many; CONTACT_NOT_FOUND, CAMPAIGN_NOT_FOUND
 */
export async function mailsToRetry(store: Store, workspace: number, input: FilterInput): Promise<readonly number[]> {
  const fault = (field: string, message: string, code?: string) => invalidField(`filter.${field}`, message, code);
  const asked = { ...input, status: input.status ?? (["FAILED"] as const) };
  const filter = await store.read((reader) => readFilter(reader, workspace, asked, fault));
  const found = await allMails(store, filter, queries.WORTH_RETRYING, MOST_MAILS + 1);
  if (found === null || found.length > MOST_MAILS) throw tooMany();
  if (found.length === 0) throw invalidField("filter", "No email matches that could be sent again.", "no_match");
  return found.toReversed();
}

function tooMany(): AppError {
  const message = `One call sends up to ${MOST_MAILS} emails again: narrow the filter, for example with since and until.`;
  return invalidField("filter", message, "too_big");
}

/** @throws AppError CONFLICT if the workspace has an unfinished one */
export async function openRetry(
  tx: Tx,
  sender: SenderScope,
  mails: readonly number[],
): Promise<{ readonly jobId: string }> {
  const { workspace, domains } = sender;
  const id = newId(tx.nowMs);
  if ((await queries.insertRetry(tx, { id, workspace, domains, mails })) === 0)
    throw limitReached(
      "jobs",
      1,
      "Emails of the workspace are being sent again.",
      "Wait until that job has finished, or cancel it.",
    );
  tx.signal(RETRYING);
  return { jobId: id };
}

/** @throws AppError JOB_NOT_FOUND */
export async function findRetry(reader: Reader, workspace: number, id: string): Promise<Retry> {
  const retry = await queries.retryById(reader, workspace, id);
  if (!retry) throw new AppError("JOB_NOT_FOUND", `There is no job ${id} of this kind.`);
  return retry;
}

/**
 * Queued mails stay queued.
 * @throws AppError JOB_NOT_FOUND, CONFLICT if it is over
 */
export async function cancelRetry(tx: Tx, workspace: number, id: string): Promise<Retry> {
  const { seq } = await findRetry(tx, workspace, id);
  if ((await queries.setCancelled(tx, seq)) === 0) throw new AppError("CONFLICT", "The job is over.");
  return findRetry(tx, workspace, id);
}

/** Sends the next mails of a retry again. */
export async function retryBatch(tx: Tx, retry: DueRetry): Promise<void> {
  const { workspace, processed } = retry;
  const seqs = retry.mails.slice(processed, processed + MAILS_A_BATCH);
  await queries.lockMails(tx, workspace, seqs);
  const mails = await mailsNumbered(tx, seqs);
  const errors: RetryError[] = [];
  for (const mail of mails.toReversed()) {
    const error = await refusalOf(tx, retry, mail);
    if (error !== null) errors.push({ emailId: mail.id, error });
  }
  const failed = retry.processed - retry.resent;
  await queries.insertRetryErrors(tx, retry.seq, errors.slice(0, Math.max(0, MOST_ERRORS - failed)));
  const done = processed + seqs.length;
  await queries.keepRetried(tx, retry.seq, {
    status: done < retry.total ? "PROCESSING" : "COMPLETED",
    processed: done,
    resent: retry.resent + mails.length - errors.length,
  });
}

/** Sends the mail again; answers why that is refused. */
async function refusalOf(tx: Tx, { workspace, domains }: Retry, mail: ToldMail): Promise<string | null> {
  if (mail.resentAt !== null) return "The email was sent again before.";
  try {
    await repeat(tx, { workspace, domains }, mail);
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || isStoreAway(error)) throw error;
    // The message of that error names the address.
    if (error.code === "RECIPIENT_SUPPRESSED") return error.details.values?.["why"] ?? error.message;
    return error.code === "CONTACT_UNSUBSCRIBED" ? skippedBy(error) : error.message;
  }
}

export function forgetOldRetries(store: Store, most: number): Promise<number> {
  return store.write((tx) => queries.deleteRetriesBefore(tx, iso(tx.nowMs - KEPT_MS), most));
}
