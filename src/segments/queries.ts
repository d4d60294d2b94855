// The SQL of segments; that of their members is in membership-queries.ts.
import { list, sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { Queue } from "../store/turns.ts";

export type SegmentRow = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly type: "STATIC" | "DYNAMIC";
  /** JSON text; null for STATIC. */
  readonly condition: string | null;
  readonly track_membership: 0 | 1;
  readonly member_count: number;
  /** NEW: members are being found for the first time. CHANGED: found again, for another condition. */
  readonly state: "NEW" | "CHANGED" | "CURRENT";
  readonly time_bound: 0 | 1;
  /** The sweep under way has come to this contact; */
  readonly swept_to: number;
  /** and ends with this one. 0 = none is under way. */
  readonly sweep_end: number;
  /** When the sweep under way, or else the last one, began. */
  readonly swept_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

const COLUMNS = sql`seq, id, workspace, name, slug, description, type, condition, track_membership, member_count, state,
  time_bound, swept_to, sweep_end, swept_at, created_at, updated_at`;

export function segmentById(reader: Reader, workspace: number, id: string): Promise<SegmentRow | null> {
  return reader.get<SegmentRow>`select ${COLUMNS} from segments where workspace = ${workspace} and id = ${id}`;
}

/** As it is now, and nobody else's to change until this transaction is over. */
export function lockSegment(tx: Tx, workspace: number, id: string): Promise<SegmentRow | null> {
  return tx.get<SegmentRow>`
    select ${COLUMNS} from segments where workspace = ${workspace} and id = ${id}${tx.dialect.forUpdate}`;
}

export function segmentsNamed(reader: Reader, workspace: number, ids: readonly string[]): Promise<SegmentRow[]> {
  return reader.all<SegmentRow>`
    select ${COLUMNS} from segments where workspace = ${workspace} and id in (${list(ids)}) order by seq`;
}

/** Those that are still there. */
export function segmentsNumbered(reader: Reader, seqs: readonly number[]): Promise<SegmentRow[]> {
  return reader.all<SegmentRow>`
    select ${COLUMNS} from segments where ${reader.dialect.isAmong(sql`seq`, seqs)} order by seq`;
}

/** As `segmentsNumbered`, and nobody else's to change until this transaction is over. */
export function lockSegments(tx: Tx, seqs: readonly number[]): Promise<SegmentRow[]> {
  return tx.all<SegmentRow>`
    select ${COLUMNS} from segments where ${tx.dialect.isAmong(sql`seq`, seqs)} order by seq${tx.dialect.forUpdate}`;
}

/** Newest first. */
export function segmentsOf(reader: Reader, workspace: number): Promise<SegmentRow[]> {
  return reader.all<SegmentRow>`select ${COLUMNS} from segments where workspace = ${workspace} order by seq desc`;
}

export async function countSegments(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ n: number }>`select count(*) as n from segments where workspace = ${workspace}`;
  return row?.n ?? 0;
}

export function segmentWithSlug(reader: Reader, workspace: number, slug: string): Promise<SegmentRow | null> {
  return reader.get<SegmentRow>`select ${COLUMNS} from segments where workspace = ${workspace} and slug = ${slug}`;
}

type SegmentFields = {
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly condition: string | null;
  readonly track_membership: 0 | 1;
  readonly time_bound: 0 | 1;
};

type NewSegment = SegmentFields & Pick<SegmentRow, "id" | "workspace" | "type">;

/** Answers null if there is a segment of this slug. */
export function insertSegment(tx: Tx, segment: NewSegment): Promise<SegmentRow | null> {
  const { id, workspace, name, slug, description, type, condition, track_membership, time_bound } = segment;
  return tx.get<SegmentRow>`
    insert into segments (id, workspace, name, slug, description, type, condition, track_membership, time_bound, state,
      created_at, updated_at)
    values (${id}, ${workspace}, ${name}, ${slug}, ${description}, ${type}, ${condition}, ${track_membership}, ${time_bound},
      'CURRENT', ${tx.now}, ${tx.now})
    on conflict (workspace, slug) do nothing returning ${COLUMNS}`;
}

/** @throws ConstraintError `unique` if the slug was taken at the same moment */
export async function updateSegment(tx: Tx, seq: number, fields: SegmentFields): Promise<SegmentRow> {
  const { name, slug, description, condition, track_membership, time_bound } = fields;
  const row = await tx.get<SegmentRow>`
    update segments set name = ${name}, slug = ${slug}, description = ${description}, condition = ${condition},
      track_membership = ${track_membership}, time_bound = ${time_bound}, updated_at = ${tx.now}
    where seq = ${seq} returning ${COLUMNS}`;
  return row as SegmentRow;
}

/** Whether one of these workflows is enabled, or executions of it still run or wait: what it listened to outlives its last one. */
export async function isAnyAtWork(reader: Reader, workflows: readonly number[]): Promise<boolean> {
  if (workflows.length === 0) return false;
  const row = await reader.get`
    select 1 as works from workflows w
    where ${reader.dialect.isAmong(sql`w.seq`, workflows)} and (w.enabled = 1 or exists (
      select 1 from executions e where e.workflow = w.seq and e.status in ('RUNNING', 'WAITING'))) limit 1`;
  return row !== null;
}

/** @throws ConstraintError `foreignKey` while something uses it */
export function deleteSegment(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from segments where seq = ${seq}`;
}

/** All contacts that there are now are to be gone through, from `dueAt` on. */
export async function beginSweep(
  tx: Tx,
  { seq, workspace, state }: Pick<SegmentRow, "seq" | "workspace" | "state">,
  dueAt: string,
): Promise<SegmentRow> {
  const row = await tx.get<SegmentRow>`
    update segments set state = ${state}, swept_to = 0, swept_at = ${tx.now}, sweep_due_at = ${dueAt},
      sweep_end = (select coalesce(max(c.seq), 0) from contacts c where c.workspace = ${workspace})
    where seq = ${seq} returning ${COLUMNS}`;
  return row as SegmentRow;
}

/** The segments whose sweep is due, for whoever goes on with it until `leaseUntil`; a workspace's longest due first. */
export function sweepQueue(leaseUntil: string): Queue<SegmentRow> {
  return {
    name: "sweeps",
    take: (tx, workspace, most) => tx.all<SegmentRow>`
      update segments set sweep_due_at = ${leaseUntil} where seq in (
        select seq from segments
        where workspace = ${workspace} and sweep_due_at is not null and sweep_due_at <= ${tx.now} order by sweep_due_at
        limit ${most}${tx.dialect.skipLocked})
      returning ${COLUMNS}`,
    firstDue: sql`(
      select s.sweep_due_at from segments s where s.workspace = turns.workspace and s.sweep_due_at is not null
      order by s.sweep_due_at limit 1)`,
  };
}

export function advanceSweep(tx: Tx, seq: number, sweptTo: number): Promise<number> {
  return tx.run`update segments set swept_to = ${sweptTo}, sweep_due_at = ${tx.now} where seq = ${seq}`;
}

export function endSweep(tx: Tx, seq: number, nextAt: string): Promise<number> {
  return tx.run`
    update segments set state = 'CURRENT', swept_to = 0, sweep_end = 0, sweep_due_at = ${nextAt} where seq = ${seq}`;
}
