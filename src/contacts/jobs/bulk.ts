// Subscribing, unsubscribing or deleting many contacts: those of a list, or those that a filter matches.
import { invalidField } from "../../errors.ts";
import type { CatchUp } from "../../events/dispatch.ts";
import type { Store, Tx } from "../../store/store.ts";
import { subscribe, unsubscribe } from "../contact.ts";
import {
  countMatching,
  countMatchingOf,
  lastContact,
  nthContact,
  lockContactsById,
  lockMatching,
  type Known,
} from "../selection-queries.ts";
import type { Erasure } from "../suppression.ts";
import { selectedBy, type SegmentCondition, type Selection } from "../selection.ts";
import { openJob, type Done } from "./job.ts";
import { keepSelection, operationsAhead, type JobError, type JobRow, type Operation } from "./queries.ts";

export type BulkOperation = Exclude<Operation, "IMPORT">;
export type BulkWish = {
  readonly contactIds?: readonly string[] | null;
  readonly filter?: Selection | null;
  /** Contacts that are left out, whatever else is said. */
  readonly excludeIds?: readonly string[] | null;
};

/**
 * As it is kept. `lastSeq`: contacts that are made later are left out; null behind an import, whose contacts are meant.
 * `isToBegin`: there were jobs before this one, so who is meant is settled when its turn comes.
 */
type Listed = { readonly contactIds: readonly string[] };
type Filtered = {
  readonly filter: Selection;
  readonly lastSeq: number | null;
  readonly excludeIds: readonly string[];
  readonly isToBegin?: boolean;
};

/** What lies above this room. */
export type Above = {
  readonly segmentCondition: SegmentCondition;
  /** Before a segment is asked for who is in it. */
  readonly catchUp: CatchUp;
  /** @throws AppError CONTACT_NOT_FOUND */
  readonly erase: (tx: Tx, workspace: number, id: string, erasure?: Erasure) => Promise<void>;
};

const MISSING = "There is no such contact.";
const UNCONFIRMED = "This person has not confirmed the subscription, and nobody else can.";

/** Contacts that are looked at in one change, which should take about ten milliseconds. */
const CONTACTS_A_WINDOW = 300;
/** … and that something is done to: with a deleted one goes what there is about it. */
const MAX_CONTACTS_A_BATCH: Readonly<Record<BulkOperation, number>> = { SUBSCRIBE: 300, UNSUBSCRIBE: 300, DELETE: 15 };

/**
 * How many are selected, for `openBulk`: looking through many takes long.
 * @throws AppError VALIDATION_ERROR unless there is either a list or a filter, SEGMENT_NOT_FOUND
 */
export async function countSelected(store: Store, workspace: number, wish: BulkWish, above: Above): Promise<number> {
  const { contactIds, filter } = wish;
  if (contactIds && filter) throw invalidField("filter", "Give either contactIds or filter.", "conflict");
  if (contactIds) return listedIn(wish).length;
  if (!filter) throw invalidField("contactIds", "Give contactIds or filter.", "required");
  if (filter.segmentId) await above.catchUp(workspace);
  const selected = await store.read((reader) => selectedBy(reader, workspace, filter, above.segmentCondition));
  const excluded = [...new Set(wish.excludeIds)];
  return store.read(
    async (reader) =>
      (await countMatching(reader, workspace, selected)) -
      (await countMatchingOf(reader, workspace, selected, excluded)),
    { longFor: workspace },
  );
}

function listedIn({ contactIds, excludeIds }: BulkWish): string[] {
  const excluded = new Set(excludeIds);
  return [...new Set(contactIds)].filter((id) => !excluded.has(id));
}

/** @throws AppError CONFLICT if the workspace has too many jobs that are not finished */
export async function openBulk(
  tx: Tx,
  workspace: number,
  { operation, wish, total }: { operation: BulkOperation; wish: BulkWish; total: number },
): Promise<{ jobId: string }> {
  const selection = wish.contactIds ? { contactIds: listedIn(wish) } : await filterOf(tx, workspace, wish);
  const text = JSON.stringify(selection);
  const job = await openJob(tx, { workspace, operation, status: "PENDING", selection: text, total });
  return { jobId: job.id };
}

async function filterOf(tx: Tx, workspace: number, { filter, excludeIds }: BulkWish): Promise<Filtered> {
  const ahead = await operationsAhead(tx, workspace);
  const lastSeq = ahead.includes("IMPORT") ? null : await lastContact(tx, workspace);
  return { filter: filter ?? {}, lastSeq, excludeIds: excludeIds ?? [], isToBegin: ahead.length > 0 };
}

/** Whether `beginBulk` comes before its first batch. */
export function isToBegin({ status, selection }: JobRow): boolean {
  return status === "PENDING" && selection !== null && (JSON.parse(selection) as Partial<Filtered>).isToBegin === true;
}

/** Now that the jobs before this one are over, settles who is meant. */
export async function beginBulk(store: Store, { seq, workspace, selection }: JobRow, above: Above): Promise<void> {
  const kept = JSON.parse(selection ?? "") as Filtered;
  if (kept.filter.segmentId) await above.catchUp(workspace);
  await store.write(async (tx) => {
    const lastSeq = kept.lastSeq ?? (await lastContact(tx, workspace));
    await keepSelection(tx, seq, JSON.stringify({ ...kept, lastSeq, isToBegin: false }));
  });
}

/** The next contacts of a job. @throws AppError SEGMENT_NOT_FOUND if the segment is gone */
export async function bulkBatch(tx: Tx, job: JobRow, above: Above): Promise<Done> {
  const selection = JSON.parse(job.selection ?? "") as Listed | Filtered;
  const { contacts, missing, ...rest } =
    "filter" in selection ? await filtered(tx, job, selection, above) : await listed(tx, job, selection);
  const pending = contacts.filter((contact) => isRefused(job, contact));
  const others = contacts.filter((contact) => !isRefused(job, contact));
  for (const contact of others) await act(tx, job, contact, above);
  const errors = [...missing, ...pending.map(({ place, id }): JobError => ({ place, about: id, error: UNCONFIRMED }))];
  return { created: 0, updated: others.length, processed: others.length + errors.length, errors, ...rest };
}

/** As `subscribe` has it: that is for the person alone to do. */
function isRefused({ operation }: JobRow, { status }: Known): boolean {
  return operation === "SUBSCRIBE" && status === "PENDING";
}

function act(tx: Tx, { workspace, operation }: JobRow, { seq, id }: Known, { erase }: Above): Promise<void> {
  if (operation === "SUBSCRIBE") return subscribe(tx, workspace, seq);
  return operation === "UNSUBSCRIBE" ? unsubscribe(tx, workspace, seq) : erase(tx, workspace, id, { byJob: true });
}

function maxContacts({ operation }: JobRow): number {
  return MAX_CONTACTS_A_BATCH[operation as BulkOperation];
}

/** `place`: by which errors are put in order. */
type Found = Pick<Done, "position" | "isLast"> & {
  readonly contacts: readonly (Known & { readonly place: number })[];
  readonly missing: readonly JobError[];
};

/** A bounded piece of the workspace, however few in it match. */
async function filtered(tx: Tx, job: JobRow, selection: Filtered, above: Above): Promise<Found> {
  const { workspace, position: after } = job;
  const { filter } = selection;
  // Known since it began.
  const lastSeq = selection.lastSeq ?? 0;
  const end = await nthContact(tx, workspace, { after, upTo: lastSeq }, CONTACTS_A_WINDOW);
  const range = { after, upTo: end ?? lastSeq };
  const selected = await selectedBy(tx, workspace, filter, above.segmentCondition);
  const matching = await lockMatching(tx, workspace, { ...range, ...selected }, maxContacts(job));
  const last = matching[maxContacts(job) - 1];
  const excluded = new Set(selection.excludeIds);
  const contacts = matching
    .filter(({ id }) => !excluded.has(id))
    .map((contact) => ({ ...contact, place: contact.seq }));
  if (last) return { position: last.seq, contacts, missing: [], isLast: false };
  return { position: range.upTo, contacts, missing: [], isLast: end === null };
}

async function listed(tx: Tx, job: JobRow, { contactIds }: Listed): Promise<Found> {
  const { workspace, position } = job;
  const ids = contactIds.slice(position, position + maxContacts(job));
  const there = ids.length === 0 ? [] : await lockContactsById(tx, workspace, ids);
  const places = new Map(ids.map((id, index) => [id, position + index + 1]));
  const contacts = there.map((contact) => ({ ...contact, place: places.get(contact.id) ?? 0 }));
  for (const { id } of there) places.delete(id);
  const missing = [...places].map(([id, place]): JobError => ({ place, about: id, error: MISSING }));
  const end = position + ids.length;
  return { position: end, contacts, missing, isLast: end >= contactIds.length };
}
