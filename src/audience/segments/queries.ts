// The SQL of segments; the SQL of their members is in membership/queries.ts.
import { CLOCK_IS_IN_DOUBT } from "../../store/clock-queries.ts";
import { flag, json, jsonOrNull } from "../../store/columns.ts";
import { sqlList, sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { TurnQueue } from "../../store/turns.ts";
import type { By } from "../../tenant/access/caller.ts";
import { timeOfSaving } from "../../tenant/access/saving.ts";
import { storedCondition, type Condition } from "./condition/check.ts";

export type Segment = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly type: "STATIC" | "DYNAMIC";
  /** Null for STATIC. */
  readonly condition: Condition | null;
  readonly trackMembership: boolean;
  readonly memberCount: number;
  /** NEW: members are being found for the first time. CHANGED: found again, for another condition. */
  readonly state: "NEW" | "CHANGED" | "CURRENT";
  /** The passing of time alone can start or end a match. */
  readonly timeBound: boolean;
  /** The last contact that the current sweep has read; */
  readonly sweptTo: number;
  /** and the contact at which it ends. 0 = no sweep. */
  readonly sweepEnd: number;
  /** The start of the current sweep, or else of the last one. */
  readonly sweptAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The author of the last save; null = unknown. */
  readonly updatedBy: By | null;
};

type SegmentColumns = {
  readonly condition: string | null;
  readonly updatedBy: string | null;
  readonly trackMembership: 0 | 1;
  readonly timeBound: 0 | 1;
};
type SegmentRow = Omit<Segment, keyof SegmentColumns> & SegmentColumns;

const COLUMNS = sql`seq, id, workspace, name, slug, description, type, condition, track_membership as "trackMembership",
  member_count as "memberCount", state, time_bound as "timeBound", swept_to as "sweptTo", sweep_end as "sweepEnd",
  swept_at as "sweptAt", created_at as "createdAt", updated_at as "updatedAt", updated_by as "updatedBy"`;

function segmentOf(row: SegmentRow): Segment {
  const condition = row.condition === null ? null : storedCondition(json(row.condition));
  const updatedBy = jsonOrNull<By>(row.updatedBy);
  return { ...row, condition, updatedBy, trackMembership: flag(row.trackMembership), timeBound: flag(row.timeBound) };
}

async function segmentIn(row: Promise<SegmentRow | null>): Promise<Segment | null> {
  const found = await row;
  return found && segmentOf(found);
}

async function each(rows: Promise<SegmentRow[]>): Promise<Segment[]> {
  return (await rows).map(segmentOf);
}

export function segmentById(reader: Reader, workspace: number, id: string): Promise<Segment | null> {
  return segmentIn(reader.get`select ${COLUMNS} from segments where workspace = ${workspace} and id = ${id}`);
}

/** Locks the segment until this transaction ends. */
export function lockSegment(tx: Tx, workspace: number, id: string): Promise<Segment | null> {
  return segmentIn(
    tx.get`select ${COLUMNS} from segments where workspace = ${workspace} and id = ${id}${tx.dialect.forUpdate}`,
  );
}

export function segmentsNamed(reader: Reader, workspace: number, ids: readonly string[]): Promise<Segment[]> {
  return each(reader.all`
    select ${COLUMNS} from segments where workspace = ${workspace} and id in (${sqlList(ids)}) order by seq`);
}

/** Answers segments that still exist. */
export function segmentsNumbered(reader: Reader, seqs: readonly number[]): Promise<Segment[]> {
  return each(reader.all`select ${COLUMNS} from segments where ${reader.dialect.isAmong(sql`seq`, seqs)} order by seq`);
}

/** As `segmentsNumbered`, locked until this transaction ends. */
export function lockSegments(tx: Tx, seqs: readonly number[]): Promise<Segment[]> {
  return each(tx.all`
    select ${COLUMNS} from segments where ${tx.dialect.isAmong(sql`seq`, seqs)} order by seq${tx.dialect.forUpdate}`);
}

/** Segments whose condition may contain an address, locked until this transaction ends. */
export function segmentsWithAddresses(tx: Tx, workspace: number): Promise<Segment[]> {
  return each(tx.all`
    select ${COLUMNS} from segments where workspace = ${workspace} and instr(condition, '@') > 0
    order by seq${tx.dialect.forUpdate}`);
}

/** Newest first. */
export function segmentsOf(reader: Reader, workspace: number): Promise<Segment[]> {
  return each(reader.all`select ${COLUMNS} from segments where workspace = ${workspace} order by seq desc`);
}

export async function countSegments(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ n: number }>`select count(*) as n from segments where workspace = ${workspace}`;
  return row?.n ?? 0;
}

export function segmentWithSlug(reader: Reader, workspace: number, slug: string): Promise<Segment | null> {
  return segmentIn(reader.get`select ${COLUMNS} from segments where workspace = ${workspace} and slug = ${slug}`);
}

export type SegmentFields = Pick<
  Segment,
  "name" | "slug" | "description" | "condition" | "trackMembership" | "timeBound" | "updatedBy"
>;

function encoded({ condition, trackMembership, timeBound, updatedBy }: SegmentFields): SegmentColumns {
  return {
    updatedBy: updatedBy && JSON.stringify(updatedBy),
    condition: condition && JSON.stringify(condition),
    trackMembership: trackMembership ? 1 : 0,
    timeBound: timeBound ? 1 : 0,
  };
}

/** Answers null if the workspace already has a segment with this slug. */
export function insertSegment(
  tx: Tx,
  segment: SegmentFields & Pick<Segment, "id" | "workspace" | "type">,
): Promise<Segment | null> {
  const { id, workspace, name, slug, description, type } = segment;
  const { condition, trackMembership, timeBound, updatedBy } = encoded(segment);
  return segmentIn(tx.get`
    insert into segments (id, workspace, name, slug, description, type, condition, track_membership, time_bound, state,
      updated_by, created_at, updated_at)
    values (${id}, ${workspace}, ${name}, ${slug}, ${description}, ${type}, ${condition}, ${trackMembership}, ${timeBound},
      'CURRENT', ${updatedBy}, ${tx.now}, ${tx.now})
    on conflict (workspace, slug) do nothing returning ${COLUMNS}`);
}

/** @throws ConstraintError `unique` if the slug was taken at the same moment */
export async function updateSegment(tx: Tx, { seq, updatedAt }: Segment, fields: SegmentFields): Promise<Segment> {
  const { name, slug, description } = fields;
  const { condition, trackMembership, timeBound, updatedBy } = encoded(fields);
  const row = segmentIn(tx.get`
    update segments set name = ${name}, slug = ${slug}, description = ${description}, condition = ${condition},
      track_membership = ${trackMembership}, time_bound = ${timeBound}, updated_by = ${updatedBy},
      updated_at = ${timeOfSaving(tx, { updatedAt })}
    where seq = ${seq} returning ${COLUMNS}`);
  return (await row) as Segment;
}

/** True if one of these workflows is enabled, or has executions that still run or wait. */
export async function isAnyAtWork(reader: Reader, workflows: readonly number[]): Promise<boolean> {
  if (workflows.length === 0) return false;
  const row = await reader.get`
    select 1 as works from workflows w
    where ${reader.dialect.isAmong(sql`w.seq`, workflows)} and (w.enabled = 1 or exists (
      select 1 from executions e where e.workflow = w.seq and e.status in ('RUNNING', 'WAITING'))) limit 1`;
  return row !== null;
}

/** @throws ConstraintError `foreignKey` while the segment is in use */
export function deleteSegment(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from segments where seq = ${seq}`;
}

/** Begins a sweep of all existing contacts, due at `dueAt`. */
export async function beginSweep(
  tx: Tx,
  { seq, workspace, state }: Pick<Segment, "seq" | "workspace" | "state">,
  dueAt: string,
): Promise<Segment> {
  const row = segmentIn(tx.get`
    update segments set state = ${state}, swept_to = 0, swept_at = ${tx.now}, sweep_due_at = ${dueAt},
      sweep_end = (select coalesce(max(c.seq), 0) from contacts c where c.workspace = ${workspace})
    where seq = ${seq} returning ${COLUMNS}`);
  return (await row) as Segment;
}

/** While the date may be wrong, a sweep would move people by mistake. */
const MAY_BE_SWEPT = sql`(time_bound = 0 or not ${CLOCK_IS_IN_DOUBT})`;

/** The segments whose sweep is due, leased until `leaseUntil`; the longest due first. */
export function sweepQueue(leaseUntil: string): TurnQueue<Segment> {
  return {
    name: "sweeps",
    take: (tx, workspace, most) =>
      each(tx.all`
      update segments set sweep_due_at = ${leaseUntil} where seq in (
        select seq from segments
        where workspace = ${workspace} and sweep_due_at is not null and sweep_due_at <= ${tx.now} and ${MAY_BE_SWEPT}
        order by sweep_due_at
        limit ${most}${tx.dialect.skipLocked})
      returning ${COLUMNS}`),
    firstDue: sql`(
      select s.sweep_due_at from segments s where s.workspace = turns.workspace and s.sweep_due_at is not null
        and ${MAY_BE_SWEPT} order by s.sweep_due_at limit 1)`,
  };
}

/** Recalls sweeps scheduled by a clock that was ahead, which would otherwise wait for that time. */
export function recallSweeps(tx: Tx): Promise<number> {
  return tx.run`update segments set sweep_due_at = ${tx.now} where sweep_due_at is not null and sweep_due_at > ${tx.now}`;
}

export function advanceSweep(tx: Tx, seq: number, sweptTo: number): Promise<number> {
  return tx.run`update segments set swept_to = ${sweptTo}, sweep_due_at = ${tx.now} where seq = ${seq}`;
}

export function endSweep(tx: Tx, seq: number, nextAt: string): Promise<number> {
  return tx.run`
    update segments set state = 'CURRENT', swept_to = 0, sweep_end = 0, sweep_due_at = ${nextAt} where seq = ${seq}`;
}

export type ContactSegment = {
  readonly id: string;
  readonly name: string;
  readonly type: "STATIC" | "DYNAMIC";
  readonly since: string;
};

/** The segments of a contact with the memberships as kept, the newest first. */
export function segmentsOfContact(reader: Reader, contact: number): Promise<ContactSegment[]> {
  return reader.all<ContactSegment>`
    select s.id, s.name, s.type, m.entered_at as since
    from segment_members m join segments s on s.seq = m.segment
    where m.contact = ${contact} order by m.entered_at desc, s.seq desc limit 1000`;
}

/** Begins the first sweep of the segments of a workspace that has come in. */
export function sweepArrived(tx: Tx, workspace: number): Promise<number> {
  return tx.run`
    update segments set sweep_due_at = ${tx.now}, swept_at = ${tx.now},
      sweep_end = (select coalesce(max(c.seq), 0) from contacts c where c.workspace = ${workspace})
    where workspace = ${workspace} and type = 'DYNAMIC'`;
}
