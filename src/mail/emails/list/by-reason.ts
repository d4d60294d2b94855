// Mails by the reason for their refusal: derived from each reply, so the number of mails read is bounded.
import type { Reader, Store } from "../../../store/store.ts";
import { REASONS, reasonOf, type RefusalReason } from "../refusals/reason.ts";
import type { MailFilter } from "./filter.ts";
import { refusalsAmong, type MailRange } from "./queries.ts";
import type { MailQuery } from "./search.ts";
import { MailWalk, type MailWalkResult } from "./walk.ts";

/** Mails of one read. */
const CHUNK = 1_000;
/** For a page, or for the counts. */
const MOST_CHUNKS = 3;

type ReasonSearch = { readonly store: Store; readonly filter: MailFilter; readonly span: MailRange };

/** The mails among these that were refused for this reason, in order; null = any reason. */
export async function ofReason(
  store: Store,
  reason: RefusalReason | null,
  seqs: readonly number[],
): Promise<readonly number[]> {
  if (reason === null) return seqs;
  const passing: number[] = [];
  for (let from = 0; from < seqs.length; from += CHUNK) {
    const some = await store.read((reader) => refusalsAmong(reader, seqs.slice(from, from + CHUNK)), { inTurn: true });
    passing.push(...some.filter((mail) => reasonOf(mail) === reason).map(({ seq }) => seq));
  }
  return passing;
}

/**
 * As `MailWalk.through`, for mails that were refused for the filter's reason; it may end before it has found `most`.
 */
export async function throughReason(
  { store, filter, span }: ReasonSearch,
  query: MailQuery,
  most: number,
): Promise<MailWalkResult> {
  const seqs: number[] = [];
  let { before } = span;
  for (let chunk = 0; chunk < MOST_CHUNKS; chunk++) {
    const found = await new MailWalk(store, filter, { ...span, before }).through(query, CHUNK);
    seqs.push(...(await ofReason(store, filter.reason, found.seqs)));
    before = found.end;
    if (seqs.length >= most) return { seqs: seqs.slice(0, most), end: seqs[most - 1] ?? before };
    if (before === span.from) break;
  }
  return { seqs, end: before };
}

export type ReasonCounts = {
  readonly counts: readonly { readonly reason: RefusalReason; readonly count: number }[];
  /** There are more mails than were read. */
  readonly isLowerBound: boolean;
};

/** The reasons of the newest refused mails and their numbers, the most frequent first. */
export async function reasonsOf({ store, filter, span }: ReasonSearch, query: MailQuery): Promise<ReasonCounts> {
  const tally = new Map<RefusalReason, number>();
  let { before } = span;
  for (let chunk = 0; chunk < MOST_CHUNKS && before > span.from; chunk++) {
    const found = await new MailWalk(store, filter, { ...span, before }).through(query, CHUNK);
    await store.read((reader) => addTo(tally, reader, found.seqs), { inTurn: true });
    before = found.end;
  }
  const counts = REASONS.map((reason) => ({ reason, count: tally.get(reason) ?? 0 })).filter(({ count }) => count > 0);
  return { counts: counts.sort((one, other) => other.count - one.count), isLowerBound: before > span.from };
}

async function addTo(tally: Map<RefusalReason, number>, reader: Reader, seqs: readonly number[]): Promise<void> {
  for (const mail of await refusalsAmong(reader, seqs)) {
    const reason = reasonOf(mail);
    if (reason !== null) tally.set(reason, (tally.get(reason) ?? 0) + 1);
  }
}
