// The kinds of rows that are pruned, each by the verbs of its room.
import { keepFigures } from "../../programs/campaigns/recipients/pruning-queries.ts";
import * as recipients from "../../programs/campaigns/gone-queries.ts";
import { forgetAnswersTo } from "../../audience/contacts/past/leaving-queries.ts";
import { deleteUnusedContents } from "../../mail/emails/content/queries.ts";
import * as bodies from "../../mail/emails/pruning/body-queries.ts";
import * as mails from "../../mail/emails/pruning/mail-queries.ts";
import * as events from "../../tenant/events/pruning-queries.ts";
import * as inbound from "../../mail/inbound/pruning-queries.ts";
import * as reports from "../../mail/reports/pruning-queries.ts";
import type { ExpiryPiece, ExpiryRange } from "../../base/jobs/pieces.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Dialect, Reader, Store, Tx } from "../../store/store.ts";
import type { Days } from "../../tenant/workspaces/retention.ts";

export type KindName = "attempts" | "events" | "bodies" | "inbound" | "reports" | "mails" | "recipients";

/** `isWhole` false = there is more in the piece: its parts are large. */
export type PruneResult = { readonly rows: number; readonly isWhole: boolean };

export type RetentionKind = {
  readonly name: KindName;
  readonly days: keyof Days;
  /** The rows `r` of a workspace `w`, pruned in the order of their numbers. */
  readonly rows: (dialect: Dialect) => Sql;
  /** The end of the next piece of at most so many rows; null = nothing more is old. */
  readonly end: (reader: Reader, span: ExpiryRange, most: number) => Promise<number | null>;
  /** Selects the rows to prune, and answers how to prune them in one transaction. */
  readonly prepare: (store: Store, piece: ExpiryPiece) => Promise<(tx: Tx) => Promise<PruneResult>>;
  /** How many rows would go. May take long. */
  readonly count: (reader: Reader, workspace: number, before: string) => Promise<number>;
};

/** The limit of messages and attached files in one transaction. */
const BYTES_AT_ONCE = 4_000_000;

const ofMails = () => sql`emails r where r.workspace = w.seq`;

/** In this order: the parts of a mail go before it, in smaller pieces. */
export const KINDS: readonly RetentionKind[] = [
  {
    name: "attempts",
    days: "attemptDays",
    rows: ofMails,
    end: mails.endOfOldMails,
    prepare: async (_, piece) => async (tx) => whole(await mails.deleteOldAttempts(tx, piece)),
    count: mails.countOldAttempts,
  },
  {
    name: "events",
    days: "eventDays",
    rows: () => sql`events r where r.workspace = w.seq`,
    end: events.endOfOldEvents,
    prepare: async (_, piece) => async (tx) => whole(await events.deleteOldEvents(tx, piece)),
    count: events.countOldEvents,
  },
  {
    name: "bodies",
    days: "bodyDays",
    rows: ofMails,
    end: mails.endOfOldMails,
    prepare: prepareBodies,
    count: bodies.countOldBodies,
  },
  {
    name: "inbound",
    days: "inboundDays",
    rows: inbound.receivedOf,
    end: inbound.endOfOldReceived,
    prepare: async (_, piece) => (tx) => pruneReceived(tx, piece),
    count: inbound.countOldReceived,
  },
  {
    name: "reports",
    days: "inboundDays",
    rows: () => sql`reports r where r.workspace = w.seq`,
    end: reports.endOfOldReports,
    prepare: async (_, piece) => async (tx) => whole(await reports.deleteOldReports(tx, piece)),
    count: reports.countOldReports,
  },
  {
    name: "mails",
    days: "mailDays",
    rows: ofMails,
    end: mails.endOfOldMails,
    prepare: async (_, piece) => (tx) => pruneMails(tx, piece),
    count: mails.countOldMails,
  },
  {
    name: "recipients",
    days: "recipientDays",
    rows: () => sql`campaigns r where r.workspace = w.seq`,
    end: recipients.endOfOldCampaigns,
    prepare: async (_, piece) => (tx) => recipients.deleteOldRecipients(tx, piece),
    count: recipients.countOldRecipients,
  },
];

function whole(rows: number): PruneResult {
  return { rows, isWhole: true };
}

async function prepareBodies(store: Store, piece: ExpiryPiece): Promise<(tx: Tx) => Promise<PruneResult>> {
  const long = { longFor: piece.workspace, byLoop: true } as const;
  const found = await store.read((reader) => bodies.oldContents(reader, piece), long);
  const whole = found.filter(({ isGone }) => isGone === 0).map(({ seq }) => seq);
  const toEmpty = await store.read((reader) => bodies.settledContents(reader, whole), long);
  const gone = found.filter(({ isGone }) => isGone === 1).map(({ seq }) => seq);
  return (tx) => pruneBodies(tx, piece, { gone, toEmpty });
}

type OldBodies = { readonly gone: readonly number[]; readonly toEmpty: readonly number[] };

async function pruneBodies(tx: Tx, piece: ExpiryPiece, { gone, toEmpty }: OldBodies): Promise<PruneResult> {
  const emptied = await bodies.emptyContents(tx, toEmpty, piece.before);
  const empty = [...gone, ...emptied];
  if (empty.length === 0) return whole(0);
  const isWhole = await bodies.deleteParts(tx, empty, BYTES_AT_ONCE);
  if (!isWhole) return { rows: emptied.length, isWhole };
  await bodies.clearVariables(tx, piece, empty);
  await bodies.moveTogether(tx, empty);
  return whole(emptied.length);
}

/** A message's bytes first: from then on they cannot be read. */
async function pruneReceived(tx: Tx, piece: ExpiryPiece): Promise<PruneResult> {
  const old = await inbound.takeOldReceived(tx, piece);
  if (old.length === 0) return whole(0);
  const [seqs, contents] = [old.map(({ seq }) => seq), [...new Set(old.map(({ content }) => content))]];
  await bodies.closeReceived(tx, contents);
  if (!(await inbound.deleteSlicesOf(tx, contents, BYTES_AT_ONCE))) return { rows: 0, isWhole: false };
  await events.forgetWhatCame(tx, seqs);
  await mails.deleteReceived(tx, seqs);
  await deleteUnusedContents(tx, contents);
  return whole(old.length);
}

/** Their events stay, and their campaigns keep the figures. */
async function pruneMails(tx: Tx, piece: ExpiryPiece): Promise<PruneResult> {
  const old = await mails.takeOldMails(tx, piece);
  if (old.length === 0) return whole(0);
  const seqs = old.map(({ seq }) => seq);
  await keepFigures(tx, old);
  await forgetAnswersTo(tx, seqs);
  await events.detachFromMails(tx, seqs);
  await mails.deleteOldMails(tx, seqs);
  await deleteUnusedContents(tx, [...new Set(old.map(({ content }) => content))]);
  return whole(old.length);
}
