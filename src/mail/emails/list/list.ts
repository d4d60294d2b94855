// Pages of mails, newest first, by cursor. A request reads a bounded number of mails, however few of them match: its
// page may have fewer than `limit`, and the next one goes on where it stopped.
import { uuidAt } from "../../../base/ids.ts";
import { MINUTE_MS } from "../../../base/clock.ts";
import { cursorOf, keyInCursor } from "../../../store/page.ts";
import type { Sql } from "../../../store/sql.ts";
import type { Reader, Store } from "../../../store/store.ts";
import { mailsNumbered, type ToldMail } from "../queries.ts";
import { branchesOf } from "./branches.ts";
import { ofReason, reasonsOf, throughReason, type ReasonCounts } from "./by-reason.ts";
import type { MailFilter } from "./filter.ts";
import { firstFrom, isMarketingStopped, lastBefore, type MailRange } from "./queries.ts";
import { soughtBy, type MailQuery } from "./search.ts";
import { MailWalk } from "./walk.ts";

export type ListTerms = {
  readonly limit: number;
  /** Null = the first page. */
  readonly cursor: string | null;
  /** Empty = no search. */
  readonly search: string;
};

export type MailPage = {
  readonly mails: readonly ToldMail[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
};

const LIST = "emails";
/** Mails are numbered in the order of their times, except those accepted, or read from outside, at the same time. */
const OVERLAP_MS = 10 * MINUTE_MS;

/** @throws AppError INVALID_PARAMETERS for a cursor of another list */
export async function listMails(store: Store, filter: MailFilter, terms: ListTerms): Promise<MailPage> {
  const { limit, cursor, search } = terms;
  const before = cursor === null ? Number.MAX_SAFE_INTEGER : keyInCursor(LIST, "number", cursor);
  const { span, query } = await mailPosition(store, filter, { before, search });
  const { seqs, end } =
    filter.reason === null
      ? await new MailWalk(store, filter, span).through(query, limit + 1)
      : await throughReason({ store, filter, span }, query, limit + 1);
  const shown = seqs.slice(0, limit);
  const isCut = seqs.length > limit;
  const hasMore = isCut || end > span.from;
  const next = isCut ? (shown.at(-1) ?? end) : end;
  const mails = await store.read((reader) => mailsNumbered(reader, shown), { inTurn: true });
  return { mails, cursor: hasMore ? cursorOf(LIST, next) : null, hasMore };
}

/** The reasons of the newest refused mails of a list, and their numbers. */
export async function countReasons(store: Store, filter: MailFilter, search: string): Promise<ReasonCounts> {
  const { span, query } = await mailPosition(store, filter, { before: Number.MAX_SAFE_INTEGER, search });
  return reasonsOf({ store, filter, span }, query);
}

type MailCursor = { readonly before: number; readonly search: string };

function mailPosition(store: Store, filter: MailFilter, { before, search }: MailCursor) {
  return store.read(async (reader) => ({
    span: await spanOf(reader, filter, before),
    query: await queryOf(reader, filter, search),
  }));
}

/** Rounds of windows: a million mails are read. */
const MOST_ROUNDS = 10;

/** All mails of a filter that pass the checks, newest first, up to `most`; null if too many would have to be read. */
export async function allMails(
  store: Store,
  filter: MailFilter,
  checks: readonly Sql[],
  most: number,
): Promise<readonly number[] | null> {
  let span = await store.read((reader) => spanOf(reader, filter, Number.MAX_SAFE_INTEGER));
  const branches = branchesOf(filter, false).map((branch) => ({ ...branch, checks: [...branch.checks, ...checks] }));
  const seqs: number[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = await new MailWalk(store, filter, span).through({ branches }, most - seqs.length);
    seqs.push(...(await ofReason(store, filter.reason, found.seqs)).slice(0, most - seqs.length));
    if (seqs.length === most || found.end === span.from) return seqs;
    span = { ...span, before: found.end };
  }
  return null;
}

async function queryOf(reader: Reader, filter: MailFilter, search: string): Promise<MailQuery> {
  const isStopped = filter.held !== null && (await isMarketingStopped(reader, filter.workspace));
  return search === "" ? { branches: branchesOf(filter, isStopped) } : soughtBy(reader, filter, search, isStopped);
}

/** Ids begin with the time. */
async function spanOf(reader: Reader, { since, until }: MailFilter, before: number): Promise<MailRange> {
  const from = since === null ? 0 : await lastBefore(reader, uuidAt(Date.parse(since) - OVERLAP_MS));
  const last = until === null ? null : await firstFrom(reader, uuidAt(Date.parse(until) + OVERLAP_MS));
  return { from, before: Math.min(before, last ?? before) };
}
