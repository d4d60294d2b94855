// Merges all contacts with the same mailbox, as the last search has found them: a bulk job (bulk/jobs/) that merges
// a group in each transaction, by the rule of a merge without choices. The oldest contact stays.
import { COMMAND_LINE, type ChangeAuthor } from "../../../tenant/access/caller.ts";
import { openJob, type JobBatchResult } from "../jobs/job.ts";
import { operationsAhead, type ContactJob } from "../jobs/queries.ts";
import { canonical } from "../../../audience/contacts/sign-up/mailbox.ts";
import type { Contact } from "../../../audience/contacts/queries.ts";
import { AppError } from "../../../base/errors.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { lockEach, mergeContacts } from "../../people/merging/merge.ts";
import * as queries from "./merging-queries.ts";
import { dismissedAmong, type DuplicateSearch } from "./queries.ts";
import { MAX_IN_GROUP } from "./search.ts";

/** Why a group is left out, before its merge is tried. */
export const REFUSALS = ["pending", "dismissed"] as const;
export type MergeRefusal = (typeof REFUSALS)[number];

const SENTENCES: Readonly<Record<MergeRefusal, string>> = {
  pending: "One of them has not confirmed the subscription yet.",
  dismissed: "Somebody has said that some of them are not the same person.",
};

export type MergeVerdict<One> = { readonly those: readonly One[]; readonly refusal: MergeRefusal | null };
type Pair = { readonly one: number; readonly other: number };

/**
 * The contacts of a group that are one, by their present addresses, and why they cannot be merged; null = fewer than
 * two are left. `dismissed`: pairs among these and others.
 */
export function judge<One extends Pick<Contact, "seq" | "email" | "status">>(
  group: readonly One[],
  dismissed: ReadonlyMap<number, readonly Pair[]>,
): MergeVerdict<One> | null {
  const mailboxes = [...Map.groupBy(group, ({ email }) => canonical(email)).values()];
  const those = mailboxes.find(({ length }) => length > 1);
  if (!those) return null;
  const seqs = new Set(those.map(({ seq }) => seq));
  if (those.some(({ seq }) => dismissed.get(seq)?.some(({ other }) => seqs.has(other))))
    return { those, refusal: "dismissed" };
  return { those, refusal: those.some(({ status }) => status === "PENDING") ? "pending" : null };
}

export async function dismissals(reader: Reader, seqs: readonly number[]): Promise<ReadonlyMap<number, Pair[]>> {
  return Map.groupBy(await dismissedAmong(reader, seqs), ({ one }) => one);
}

type MergeAllJob = { readonly searchId: string; readonly total: number; readonly madeBy: ChangeAuthor };

/**
 * `searchId`: of the preview, so that no other contacts are merged. Answers the job's public id.
 * @throws AppError CONFLICT without a finished search, after another one, while another such job is unfinished, or if
 * the workspace has too many jobs
 */
export async function openMergeAll(tx: Tx, workspace: number, { searchId, ...job }: MergeAllJob): Promise<string> {
  if (foundBy(await queries.lockSearch(tx, workspace)) !== searchId)
    throw new AppError("CONFLICT", "Duplicates have been looked for again since.", {
      reason: "duplicates_changed",
      suggestion: "Look at the new preview first.",
    });
  await refuseWhileMerging(tx, workspace);
  const opened = { workspace, operation: "MERGE", status: "PENDING", selection: null, ...job } as const;
  const { id } = await openJob(tx, opened);
  await queries.keepMergeJob(tx, workspace, id);
  return id;
}

/** The public id of a finished search. @throws AppError CONFLICT */
export function foundBy(search: Pick<DuplicateSearch, "id" | "state"> | null): string {
  if (search?.state === "COMPLETED") return search.id;
  throw new AppError("CONFLICT", "There is no finished search for duplicates.", {
    reason: "duplicates_not_found",
    suggestion: "Look for duplicates, and wait until that is done.",
  });
}

/** The groups keep their numbers until the end. @throws AppError CONFLICT */
export async function refuseWhileMerging(tx: Tx, workspace: number): Promise<void> {
  if (!(await operationsAhead(tx, workspace)).includes("MERGE")) return;
  throw new AppError("CONFLICT", "All contacts with the same mailbox are being merged.", {
    reason: "merging_duplicates",
    suggestion: "Wait until that is done.",
  });
}

/** Merges the next group of a job. `updated` counts the groups. */
export async function mergeNext(tx: Tx, job: ContactJob): Promise<JobBatchResult> {
  const group = await queries.groupAfter(tx, job.workspace, job.position, MAX_IN_GROUP);
  const nothing = { position: group?.number ?? job.position, created: 0, updated: 0, processed: 0, errors: [] };
  if (!group) return { ...nothing, isLast: true };
  const contacts = (await lockEach(tx, group.contacts)).filter(({ email }) => email.includes("@"));
  const judged = judge(contacts, await dismissals(tx, group.contacts));
  const [into] = judged?.those ?? [];
  if (!judged || !into) return { ...nothing, isLast: false };
  const { those, refusal } = judged;
  const error = refusal === null ? await merged(tx, job, those) : SENTENCES[refusal];
  const errors = error === null ? [] : [{ place: group.number, about: into.id, error }];
  return { ...nothing, processed: 1, updated: error === null ? 1 : 0, errors, isLast: false };
}

/** Null = they are merged; else why they are not: mergeContacts refuses before it changes anything. */
async function merged(tx: Tx, { id: cause, workspace, madeBy }: ContactJob, contacts: readonly Contact[]) {
  const data = { rule: "keep", values: {} } as const;
  try {
    await mergeContacts(tx, { workspace, contacts, data, by: madeBy ?? COMMAND_LINE, cause });
  } catch (error) {
    const isRefused = error instanceof AppError && (error.code === "CONFLICT" || error.code === "VALIDATION_ERROR");
    if (isRefused) return error.message;
    throw error;
  }
  notifyChange(tx, "contacts", workspace);
  return null;
}
