// The SQL of finding mails. A list is read along an index in the order of acceptance; conditions beyond the index are
// checked row by row.
import { wayOfHop } from "../../../ground/ways/hop.ts";
import { sql, steadyList, type Sql } from "../../../store/sql.ts";
import type { RefusalFacts } from "../refusals/reason.ts";
import type { EmailStatus } from "../shape.ts";
import type { Reader } from "../../../store/store.ts";

export type MailOwner = "contact" | "campaign";

const TABLES: Readonly<Record<MailOwner, Sql>> = {
  contact: sql`contacts where`,
  campaign: sql`campaigns where deleted_at is null and`,
};

export async function seqOf(reader: Reader, workspace: number, what: MailOwner, id: string): Promise<number | null> {
  const row = await reader.get<{ seq: number }>`
    select seq from ${TABLES[what]} workspace = ${workspace} and id = ${id}`;
  return row?.seq ?? null;
}

/** The content of a group; null = there is no such group. */
export async function contentOfGroup(reader: Reader, workspace: number, group: string): Promise<number | null> {
  const row = await reader.get<{ seq: number }>`
    select seq from contents where group_id = ${group} and +workspace = ${workspace}`;
  return row?.seq ?? null;
}

/**
 * For mails `e` and contents `c`. `where`: served by the index, in the order of mails. `checks`: the conditions checked
 * for each mail.
 */
export type Branch = {
  readonly index: string;
  readonly where: Sql;
  readonly checks: readonly Sql[];
  /** The index is that of labels `l`. */
  readonly isByLabel?: true;
};

/** Mails with `from` <= number < `before`. */
export type MailRange = { readonly from: number; readonly before: number };

const SEQ = sql`e.seq`;
const within = ({ from, before }: MailRange, seq = SEQ) => sql`${seq} < ${before} and ${seq} >= ${from}`;

/** The table of a branch, and the column with the number of the mail. */
function branchSource({ dialect }: Reader, { index, isByLabel }: Branch) {
  if (isByLabel) return { from: sql`email_labels l${dialect.along(index)}`, seq: sql`l.email` };
  return { from: sql`emails e${dialect.along(index)}`, seq: SEQ };
}

/** The newest mails of a branch, without its checks. */
export async function newestOf(reader: Reader, branch: Branch, span: MailRange, limit: number): Promise<number[]> {
  const { from, seq } = branchSource(reader, branch);
  const rows = await reader.all<{ seq: number }>`
    select ${seq} as seq from ${from} where ${branch.where} and ${within(span, seq)} order by ${seq} desc limit ${limit}`;
  return rows.map(({ seq }) => seq);
}

type Window = { readonly mails: number; readonly last: number };

/** The span of the newest `most` mails of a branch. */
export async function windowOf(reader: Reader, branch: Branch, span: MailRange, most: number): Promise<Window> {
  const { from, seq } = branchSource(reader, branch);
  const row = await reader.get<{ mails: number; last: number | null }>`
    select count(*) as mails, min(seq) as last from (
      select ${seq} as seq from ${from} where ${branch.where} and ${within(span, seq)}
      order by ${seq} desc limit ${most}) as place`;
  return { mails: row?.mails ?? 0, last: row?.last ?? span.from };
}

/** As `newestOf`, with the checks. */
export async function checkedOf(reader: Reader, branch: Branch, span: MailRange, limit: number): Promise<number[]> {
  const { from, seq } = branchSource(reader, branch);
  const mails = branch.isByLabel ? sql`${from} cross join emails e` : from;
  const isIts = branch.isByLabel ? sql` and e.seq = l.email` : sql``;
  const rows = await reader.all<{ seq: number }>`
    select ${seq} as seq from ${mails} join contents c on c.seq = e.content
    where ${branch.where}${isIts} and ${within(span, seq)}${all(branch.checks)} order by ${seq} desc limit ${limit}`;
  return rows.map(({ seq }) => seq);
}

/** The mails among these that pass, newest first. */
export async function passingAmong(
  reader: Reader,
  seqs: readonly number[],
  checks: readonly Sql[],
  span: MailRange,
): Promise<number[]> {
  if (seqs.length === 0) return [];
  const rows = await reader.all<{ seq: number }>`
    select e.seq from emails e join contents c on c.seq = e.content
    where e.seq in (${steadyList(seqs)}) and ${within(span)}${all(checks)} order by e.seq desc`;
  return rows.map(({ seq }) => seq);
}

export type RefusalRow = RefusalFacts & { readonly seq: number };

/**
 * The refusal of each of these mails, newest first. A soft bounce may have followed a failure, so the type is that of a
 * bounce.
 */
export async function refusalsAmong(reader: Reader, seqs: readonly number[]): Promise<RefusalRow[]> {
  if (seqs.length === 0) return [];
  return reader.all<RefusalRow>`
    select seq, status, error, case when bounced_at is not null then bounce_type end as "bounceType"
    from emails where ${reader.dialect.isAmong(sql`seq`, seqs)} order by seq desc`;
}

/** The condition that a mail `e` waits for a later time, without an attempt. */
export function isScheduled(now: string): Sql {
  return sql`(e.status = 'QUEUED' and e.due_at > ${now} and e.attempts = 0 and e.error is null)`;
}

/** The condition that a content `c` came with a key of this set. */
export function isOfKey(id: string): Sql {
  const named = JSON.stringify({ kind: "KEY", id }).slice(0, -1);
  return sql`substr(c.accepted_by, 1, ${named.length}) = ${named}`;
}

function all(checks: readonly Sql[]): Sql {
  return checks.reduce((some, check) => sql`${some} and ${check}`, sql``);
}

/** The first mail of any workspace made at this moment or later, by its id; null = none. */
export async function firstFrom(reader: Reader, id: string): Promise<number | null> {
  const row = await reader.get<{ seq: number }>`select seq from emails where id >= ${id} order by id limit 1`;
  return row?.seq ?? null;
}

/** The last mail made before this moment; 0 = none. Mails after the moment may be numbered in any order. */
export async function lastBefore(reader: Reader, id: string): Promise<number> {
  const row = await reader.get<{ seq: number }>`select seq from emails where id < ${id} order by id desc limit 1`;
  return row?.seq ?? 0;
}

type MailTemplateRef = { readonly workspace: number; readonly template: string };

/** Counts up to `most`. */
export async function countContentsOf(
  reader: Reader,
  { workspace, template }: MailTemplateRef,
  most: number,
): Promise<number> {
  const row = await reader.get<{ contents: number }>`
    select count(*) as contents from (
      select 1 from contents where workspace = ${workspace} and template_id = ${template} limit ${most}) as place`;
  return row?.contents ?? 0;
}

/** As `checkedOf`, from the contents of a template to their mails. */
export async function checkedOfTemplate(
  reader: Reader,
  { workspace, template }: MailTemplateRef,
  { span, checks }: { readonly span: MailRange; readonly checks: readonly Sql[] },
  limit: number,
): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`
    select e.seq from contents c cross join emails e
    where c.workspace = ${workspace} and c.template_id = ${template} and e.content = c.seq and ${within(span)}${all(checks)}
    order by e.seq desc limit ${limit}`;
  return rows.map(({ seq }) => seq);
}

/** The settled mails of a campaign in these states, in no order, up to `most`. */
export async function settledOf(
  reader: Reader,
  campaign: number,
  statuses: readonly EmailStatus[],
  most: number,
): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`
    select seq from emails where campaign = ${campaign} and status in (${steadyList(statuses)}) and due_at is null limit ${most}`;
  return rows.map(({ seq }) => seq);
}

/** As `settledOf`, for mails that are queued, held or in hand. */
export async function waitingOf(reader: Reader, campaign: number, most: number): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`
    select seq from emails where campaign = ${campaign} and due_at is not null limit ${most}`;
  return rows.map(({ seq }) => seq);
}

/** The contacts whose addresses begin with this text, up to `most`. */
export async function contactsStarting(
  reader: Reader,
  workspace: number,
  address: string,
  most: number,
): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`
    select seq from contacts where workspace = ${workspace} and ${reader.dialect.startsWith(sql`email`, address)} limit ${most}`;
  return rows.map(({ seq }) => seq);
}

/** The ways in which a text can name mails exactly. */
export type MailNames = {
  readonly ids: readonly string[];
  readonly remoteId: string;
  readonly messageId: string;
  readonly requestId: string;
};

/** A request has up to fifty mails; a message that is submitted repeatedly may have more. */
const MOST_NAMED = 200;

/** The newest mails with these names. The plus keeps the search off the index of the workspace. */
export async function mailsNamed(reader: Reader, workspace: number, names: MailNames): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`
    select seq from (
      select e.seq from emails e where e.id in (${steadyList(names.ids)}) and +e.workspace = ${workspace}
      union
      select e.seq from emails e where e.remote_id in (${names.remoteId}, ${names.messageId}) and +e.workspace = ${workspace}
      union
      select e.seq from contents c join emails e on e.content = c.seq
      where c.workspace = ${workspace} and c.message_id = ${names.messageId}
      union
      select e.seq from contents c join emails e on e.content = c.seq
      where c.group_id in (${steadyList(names.ids)}) and +c.workspace = ${workspace}
      union
      select e.seq from contents c join emails e on e.content = c.seq
      where c.workspace = ${workspace} and c.request_id = ${names.requestId}) as named
    order by seq desc limit ${MOST_NAMED}`;
  return rows.map(({ seq }) => seq);
}

export async function isMarketingStopped(reader: Reader, workspace: number): Promise<boolean> {
  const row =
    await reader.get`select 1 as stopped from workspaces where seq = ${workspace} and marketing_stopped is not null`;
  return row !== null;
}

/** The mail servers to which a way out leads or led. */
export async function hopsOfWay(reader: Reader, way: string): Promise<number[]> {
  const hops = await reader.all<{ seq: number; name: string }>`select seq, name from hops`;
  return hops.filter(({ name }) => wayOfHop(name) === way).map(({ seq }) => seq);
}
