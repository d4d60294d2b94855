// Prunes when an operator runs it, or lists what would be deleted.
import type { RetainingWorkspace } from "../../tenant/workspaces/queries.ts";
import { daysOf } from "../../tenant/workspaces/retention.ts";
import { KINDS, type RetentionKind, type KindName } from "./kinds.ts";
import { cutoff, prunePiece, type PruneOptions } from "./prune.ts";
import { setBegun } from "./queries.ts";

/** The rows of one kind in one workspace that are or would be deleted. */
export type RetentionShare = {
  readonly workspace: string;
  readonly kind: KindName;
  /** Older rows are deleted. */
  readonly days: number;
  readonly rows: number;
};

type PruneHooks = {
  /** Called after each piece, with the rows deleted so far; the next piece waits for it. */
  readonly onPiece: (share: RetentionShare) => Promise<void>;
};

/** Prunes everything that is old enough, also where the loop has passed. Kinds that are kept forever are left out. */
export async function pruneNow(
  work: PruneOptions,
  workspaces: readonly RetainingWorkspace[],
  { onPiece }: PruneHooks,
): Promise<RetentionShare[]> {
  const shares: RetentionShare[] = [];
  for (const workspace of workspaces)
    for (const kind of KINDS) {
      const days = daysOf(work.days, workspace)[kind.days];
      if (days > 0) shares.push(await pruneKind(work, workspace, kind, onPiece));
    }
  return shares;
}

async function pruneKind(
  work: PruneOptions,
  workspace: RetainingWorkspace,
  kind: RetentionKind,
  onPiece: PruneHooks["onPiece"],
): Promise<RetentionShare> {
  let share = shareOf(work, workspace, kind, 0);
  await work.store.write((tx) => setBegun(tx, { workspace: workspace.seq, kind: kind.name }));
  for (let done; (done = await prunePiece(work, workspace, kind)) !== null;) {
    share = { ...share, rows: share.rows + done.rows };
    await onPiece(share);
  }
  return share;
}

/** Counts what `pruneNow` would delete, and deletes nothing. Rows deleted along with others are counted with both. */
export async function whatWouldGo(
  work: PruneOptions,
  workspaces: readonly RetainingWorkspace[],
): Promise<RetentionShare[]> {
  const shares: RetentionShare[] = [];
  for (const workspace of workspaces)
    for (const kind of KINDS) {
      const before = cutoff(work.clock.nowMs(), work.days, workspace, kind);
      if (before === null) continue;
      const rows = await work.store.read((reader) => kind.count(reader, workspace.seq, before), {
        longFor: workspace.seq,
      });
      shares.push(shareOf(work, workspace, kind, rows));
    }
  return shares;
}

function shareOf(
  { days }: Pick<PruneOptions, "days">,
  workspace: RetainingWorkspace,
  kind: RetentionKind,
  rows: number,
): RetentionShare {
  return { workspace: workspace.name, kind: kind.name, days: daysOf(days, workspace)[kind.days], rows };
}
