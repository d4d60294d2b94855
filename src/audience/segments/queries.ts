// The SQL of segments; the SQL of their members is in membership/queries.ts.
import { CLOCK_IS_IN_DOUBT } from "../../store/clock-queries.ts";
import { column, only, TableRows, type RecordOf, type RowOf } from "../../store/columns.ts";
import { sqlList, sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { TurnQueue } from "../../store/turns.ts";
import type { ChangeAuthor } from "../../tenant/access/caller.ts";
import { timeOfSaving } from "../../tenant/access/saving.ts";
import { CONDITION } from "./condition/check.ts";

/** The columns that a save changes. */
const SAVED = {
  name: column.text(),
  slug: column.text(),
  description: column.orNull(column.text()),
  /** Null for STATIC. */
  condition: column.orNull(CONDITION),
  trackMembership: column.flag(),
  /** The passing of time alone can start or end a match. */
  timeBound: column.flag(),
  /** The author of the last save; null = unknown. */
  updatedBy: column.orNull(column.json<ChangeAuthor>()),
};
const ROWS = new TableRows("segments", {
  ...SAVED,
  seq: column.number(),
  id: column.text(),
  workspace: column.number(),
  type: column.oneOf<"STATIC" | "DYNAMIC">(),
  memberCount: column.number(),
  /** NEW: members are being found for the first time. CHANGED: found again, for another condition. */
  state: column.oneOf<"NEW" | "CHANGED" | "CURRENT">(),
  /** The last contact that the current sweep has read; */
  sweptTo: column.number(),
  /** and the contact at which it ends. 0 = no sweep. */
  sweepEnd: column.number(),
  /** The start of the current sweep, or else of the last one. */
  sweptAt: column.orNull(column.text()),
  createdAt: column.text(),
  updatedAt: column.text(),
});

export type SegmentFields = RecordOf<typeof SAVED>;
export type Segment = RowOf<typeof ROWS>;

export function segmentById(reader: Reader, workspace: number, id: string): Promise<Segment | null> {
  return ROWS.get(reader, sql`where workspace = ${workspace} and id = ${id}`);
}

/** Locks the segment until this transaction ends. */
export function lockSegment(tx: Tx, workspace: number, id: string): Promise<Segment | null> {
  return ROWS.get(tx, sql`where workspace = ${workspace} and id = ${id}${tx.dialect.forUpdate}`);
}

export function segmentsNamed(reader: Reader, workspace: number, ids: readonly string[]): Promise<Segment[]> {
  return ROWS.all(reader, sql`where workspace = ${workspace} and id in (${sqlList(ids)}) order by seq`);
}

/** Answers segments that still exist. */
export function segmentsNumbered(reader: Reader, seqs: readonly number[]): Promise<Segment[]> {
  return ROWS.all(reader, sql`where ${reader.dialect.isAmong(sql`seq`, seqs)} order by seq`);
}

/** As `segmentsNumbered`, locked until this transaction ends. */
export function lockSegments(tx: Tx, seqs: readonly number[]): Promise<Segment[]> {
  return ROWS.all(tx, sql`where ${tx.dialect.isAmong(sql`seq`, seqs)} order by seq${tx.dialect.forUpdate}`);
}

/** Segments whose condition may contain an address, locked until this transaction ends. */
export function segmentsWithAddresses(tx: Tx, workspace: number): Promise<Segment[]> {
  const isNamed = sql`workspace = ${workspace} and instr(condition, '@') > 0`;
  return ROWS.all(tx, sql`where ${isNamed} order by seq${tx.dialect.forUpdate}`);
}

/** Newest first. */
export function segmentsOf(reader: Reader, workspace: number): Promise<Segment[]> {
  return ROWS.all(reader, sql`where workspace = ${workspace} order by seq desc`);
}

export function countSegments(reader: Reader, workspace: number): Promise<number> {
  return ROWS.count(reader, sql`where workspace = ${workspace}`);
}

export function segmentWithSlug(reader: Reader, workspace: number, slug: string): Promise<Segment | null> {
  return ROWS.get(reader, sql`where workspace = ${workspace} and slug = ${slug}`);
}

/** Answers null if the workspace already has a segment with this slug. */
export function insertSegment(
  tx: Tx,
  segment: SegmentFields & Pick<Segment, "id" | "workspace" | "type">,
): Promise<Segment | null> {
  const made = { ...segment, state: "CURRENT", createdAt: tx.now, updatedAt: tx.now } as const;
  return ROWS.insertUnless(tx, sql`on conflict (workspace, slug) do nothing`, made);
}

/** @throws ConstraintError `unique` if the slug was taken at the same moment */
export function updateSegment(tx: Tx, { seq, updatedAt }: Segment, fields: SegmentFields): Promise<Segment> {
  return ROWS.update(tx, seq, { ...only(SAVED, fields), updatedAt: timeOfSaving(tx, { updatedAt }) });
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
  const [segment] = await ROWS.change(
    tx,
    sql`set state = ${state}, swept_to = 0, swept_at = ${tx.now}, sweep_due_at = ${dueAt},
      sweep_end = (select coalesce(max(c.seq), 0) from contacts c where c.workspace = ${workspace}) where seq = ${seq}`,
  );
  return segment as Segment;
}

/** While the date may be wrong, a sweep would move people by mistake. */
const MAY_BE_SWEPT = sql`(time_bound = 0 or not ${CLOCK_IS_IN_DOUBT})`;

/** The segments whose sweep is due, leased until `leaseUntil`; the longest due first. */
export function sweepQueue(leaseUntil: string): TurnQueue<Segment> {
  return {
    name: "sweeps",
    take: (tx, workspace, most) =>
      ROWS.change(
        tx,
        sql`set sweep_due_at = ${leaseUntil} where seq in (
          select seq from segments
          where workspace = ${workspace} and sweep_due_at is not null and sweep_due_at <= ${tx.now} and ${MAY_BE_SWEPT}
          order by sweep_due_at
          limit ${most}${tx.dialect.skipLocked})`,
      ),
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
