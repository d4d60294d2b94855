// Bulk jobs: subscribing, unsubscribing or deleting many contacts, or changing their topic choices or segments. The
// contacts are a list, or match a filter.
import { invalidField } from "../../base/errors.ts";
import type { ChangeAuthor } from "../../tenant/access/caller.ts";
import type { Tx } from "../../store/store.ts";
import { subscribe, unsubscribe } from "../../audience/contacts/contact.ts";
import {
  countMatching,
  countMatchingOf,
  lastContact,
  lockContactsById,
  lockMatching,
  nthContact,
  type SelectionRow,
  type Selection,
} from "../../audience/contacts/search/selection-queries.ts";
import { joinable, joinSegment, leaveSegment } from "../../audience/segments/members.ts";
import { choose, mergeChoices, type ChoiceChanges } from "../../audience/topics/choice.ts";
import { choicesIn } from "../../audience/contacts/queries.ts";
import { eraseContacts } from "../people/erasure.ts";
import { openJob, type JobBatchResult } from "./jobs/job.ts";
import type { JobError } from "./jobs/error-queries.ts";
import {
  keepSelection,
  operationsAhead,
  type BulkOperation,
  type SelectionByFilter,
  type ContactJob,
  type SelectionById,
  type SegmentMove,
  type TopicAssignment,
} from "./jobs/queries.ts";
import { selectedBy, type SelectionServices } from "./selection.ts";

export type BulkInput = {
  readonly contactIds?: readonly string[] | null;
  readonly filter?: Selection | null;
  /** Contacts that are always left out. */
  readonly excludeIds?: readonly string[] | null;
  /** The changes of their topic choices. */
  readonly topics?: ChoiceChanges;
  /** The public id of a STATIC segment to join or leave. */
  readonly segment?: string;
};

const MISSING = "There is no such contact.";
const UNCONFIRMED = "This person has not confirmed the subscription, and nobody else can.";

/** Contacts that one transaction examines, which should take about ten milliseconds, … */
const CONTACTS_A_WINDOW = 300;
/** … and contacts that it deletes, each with its history. */
const DELETED_A_BATCH = 15;

/**
 * The number of selected contacts. Counting many takes long, so it precedes the transaction of `openBulk`.
 * @throws AppError VALIDATION_ERROR unless there is either a list or a filter, or for `imported` without an import;
 * SEGMENT_NOT_FOUND
 */
export async function countSelected(
  { store, clock, catchUp }: SelectionServices,
  workspace: number,
  input: BulkInput,
): Promise<number> {
  const { contactIds, filter } = input;
  if (contactIds && filter) throw invalidField("filter", "Give either contactIds or filter.", "conflict");
  if (contactIds) return listedIn(input).length;
  if (!filter) throw invalidField("contactIds", "Give contactIds or filter.", "required");
  // Without its import, `imported` would select all contacts.
  if (filter.imported && !filter.importId)
    throw invalidField("filter.importId", "Say of which import, with `imported`.", "required");
  if (filter.segmentId) await catchUp(workspace);
  const selected = await store.read((reader) => selectedBy(reader, workspace, filter, clock.nowMs()));
  const excluded = [...new Set(input.excludeIds)];
  return store.read(
    async (reader) =>
      (await countMatching(reader, workspace, selected)) -
      (await countMatchingOf(reader, workspace, selected, excluded)),
    { longFor: workspace },
  );
}

function listedIn({ contactIds, excludeIds }: BulkInput): string[] {
  const excluded = new Set(excludeIds);
  return [...new Set(contactIds)].filter((id) => !excluded.has(id));
}

/** @throws AppError CONFLICT if the workspace has too many unfinished jobs */
export async function openBulkJob(
  tx: Tx,
  workspace: number,
  {
    operation,
    input,
    total,
    madeBy,
  }: { operation: BulkOperation; input: BulkInput; total: number; madeBy: ChangeAuthor },
): Promise<{ jobId: string }> {
  const those = input.contactIds ? { contactIds: listedIn(input) } : await filterOf(tx, workspace, input);
  const { topics, segment } = input;
  const selection = { ...those, ...(topics ? { topics } : {}), ...(segment ? { segment } : {}) };
  const { id } = await openJob(tx, { workspace, operation, status: "PENDING", selection, total, madeBy });
  return { jobId: id };
}

async function filterOf(tx: Tx, workspace: number, { filter, excludeIds }: BulkInput): Promise<SelectionByFilter> {
  const ahead = await operationsAhead(tx, workspace);
  const lastSeq = ahead.includes("IMPORT") ? null : await lastContact(tx, workspace);
  return { filter: filter ?? {}, lastSeq, excludeIds: excludeIds ?? [], isToBegin: ahead.length > 0 };
}

/** The filter of a job that `beginBulk` must begin before its first batch; null for all other jobs. */
export function filterToBegin({ status, selection }: ContactJob): SelectionByFilter | null {
  return status === "PENDING" && selection && "filter" in selection && selection.isToBegin ? selection : null;
}

/** Selects the job's contacts, now that the jobs before it are over. */
export async function beginBulk(
  { store, catchUp }: Pick<SelectionServices, "store" | "catchUp">,
  { seq, workspace }: ContactJob,
  waiting: SelectionByFilter,
): Promise<void> {
  if (waiting.filter.segmentId) await catchUp(workspace);
  await store.write(async (tx) => {
    const lastSeq = waiting.lastSeq ?? (await lastContact(tx, workspace));
    await keepSelection(tx, seq, { ...waiting, lastSeq, isToBegin: false });
  });
}

/** Processes the next contacts of a job. @throws AppError SEGMENT_NOT_FOUND if the segment has been deleted */
export async function bulkBatch(tx: Tx, job: ContactJob): Promise<JobBatchResult> {
  const selection = job.selection as SelectionById | SelectionByFilter;
  const { contacts, missing, ...rest } =
    "filter" in selection ? await filtered(tx, job, selection) : await listed(tx, job, selection);
  const refused = contacts.filter((contact) => isRefused(job, contact));
  const others = contacts.filter((contact) => !isRefused(job, contact));
  await act(tx, job, others);
  const errors = [...missing, ...refused.map(({ place, id }): JobError => ({ place, about: id, error: UNCONFIRMED }))];
  return { created: 0, updated: others.length, processed: others.length + errors.length, errors, ...rest };
}

/** A PENDING contact can only subscribe in person. */
function isRefused({ operation }: ContactJob, { status }: SelectionRow): boolean {
  return operation === "SUBSCRIBE" && status === "PENDING";
}

function say(tx: Tx, { id: cause, workspace, selection }: ContactJob, contact: SelectionRow): Promise<void> {
  const { topics: changes = {} } = selection as TopicAssignment;
  const before = choicesIn(contact.topics);
  return choose(tx, { workspace, contact, before, after: mergeChoices(before, changes), act: { cause } });
}

/** @throws AppError SEGMENT_NOT_FOUND if the segment has been deleted */
async function moveMembers(tx: Tx, job: ContactJob, those: readonly SelectionRow[]): Promise<void> {
  const { segment: id = "" } = job.selection as SegmentMove;
  const segment = await joinable(tx, job.workspace, id);
  const contacts = those.map(({ seq }) => seq);
  if (job.operation === "JOIN") await joinSegment(tx, segment, contacts);
  else await leaveSegment(tx, segment, contacts);
}

async function act(tx: Tx, job: ContactJob, those: readonly SelectionRow[]): Promise<void> {
  const { id: cause, workspace, operation } = job;
  if (operation === "TOPICS") return void (await Promise.all(those.map((one) => say(tx, job, one))));
  if (operation === "JOIN" || operation === "LEAVE") return moveMembers(tx, job, those);
  const set = operation === "SUBSCRIBE" ? subscribe : operation === "UNSUBSCRIBE" ? unsubscribe : null;
  if (set) return void (await Promise.all(those.map((one) => set(tx, workspace, one, { cause }))));
  const ids = those.map(({ id }) => id);
  if (ids.length > 0) await eraseContacts(tx, workspace, ids, { byJob: true, cause });
}

function mostContacts({ operation }: ContactJob): number {
  return operation === "DELETE" ? DELETED_A_BATCH : CONTACTS_A_WINDOW;
}

type BulkBatch = Pick<JobBatchResult, "position" | "isLast"> & {
  /** `place`: the position by which errors are ordered. */
  readonly contacts: readonly (SelectionRow & { readonly place: number })[];
  readonly missing: readonly JobError[];
};

/** Covers a bounded range of the workspace's contacts, even if few of them match. */
async function filtered(
  tx: Tx,
  job: ContactJob,
  { filter, lastSeq, excludeIds }: SelectionByFilter,
): Promise<BulkBatch> {
  const { workspace, position: after } = job;
  // Set when the job began.
  const newest = lastSeq ?? 0;
  const end = await nthContact(tx, workspace, { after, upTo: newest }, CONTACTS_A_WINDOW);
  const upTo = end ?? newest;
  const selected = await selectedBy(tx, workspace, filter, tx.nowMs);
  const matching = await lockMatching(tx, workspace, { after, upTo, ...selected }, mostContacts(job));
  const last = matching[mostContacts(job) - 1];
  const excluded = new Set(excludeIds);
  const contacts = matching
    .filter(({ id }) => !excluded.has(id))
    .map((contact) => ({ ...contact, place: contact.seq }));
  if (last) return { position: last.seq, contacts, missing: [], isLast: false };
  return { position: upTo, contacts, missing: [], isLast: end === null };
}

async function listed(tx: Tx, job: ContactJob, { contactIds }: SelectionById): Promise<BulkBatch> {
  const { workspace, position } = job;
  const ids = contactIds.slice(position, position + mostContacts(job));
  const known = ids.length === 0 ? [] : await lockContactsById(tx, workspace, ids);
  const places = new Map(ids.map((id, index) => [id, position + index + 1]));
  const contacts = known.map((contact) => ({ ...contact, place: places.get(contact.id) ?? 0 }));
  for (const { id } of known) places.delete(id);
  const missing = [...places].map(([id, place]): JobError => ({ place, about: id, error: MISSING }));
  const end = position + ids.length;
  return { position: end, contacts, missing, isLast: end >= contactIds.length };
}
