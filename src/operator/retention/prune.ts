// Pruning in pieces: one transaction each, with the place that it has reached. A process that dies is continued from
// there; where two prune the same piece, the later one finds nothing.
import { DAY_MS, iso, type Clock } from "../../base/clock.ts";
import type { Dialect, Store } from "../../store/store.ts";
import type { RetainingWorkspace } from "../../tenant/workspaces/queries.ts";
import { daysOf, type Days } from "../../tenant/workspaces/retention.ts";
import type { RetentionKind } from "./kinds.ts";
import { reachedIn, setBegun, setReached } from "./queries.ts";

/** Rows that had to stay when they were passed may be deleted by now: a new pass begins after so long. */
const PASS_MS = 30 * DAY_MS;

export type PruneOptions = {
  readonly store: Store;
  readonly clock: Pick<Clock, "nowMs">;
  /** The retention of the installation. */
  readonly days: Days;
};

/**
 * The limit of one transaction. All others wait for the single writer of a file, so it is held for a few milliseconds
 * only.
 */
export const ROWS_AT_ONCE: Readonly<Record<Dialect["name"], number>> = { sqlite: 50, postgres: 500 };

export type PruneCount = { readonly rows: number };

/** The moment before which things of this kind go; null = never. */
export function cutoff(
  nowMs: number,
  installation: Days,
  workspace: RetainingWorkspace,
  kind: RetentionKind,
): string | null {
  const days = daysOf(installation, workspace)[kind.days];
  return days === 0 ? null : iso(nowMs - days * DAY_MS);
}

/** Prunes a piece of one kind in one workspace; null = nothing more is old enough. */
export async function prunePiece(
  { store, clock, days }: PruneOptions,
  workspace: RetainingWorkspace,
  kind: RetentionKind,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<PruneCount | null> {
  const before = cutoff(clock.nowMs(), days, workspace, kind);
  if (before === null) return null;
  const place = { workspace: workspace.seq, kind: kind.name };
  const known = await store.read((reader) => reachedIn(reader, place));
  const span = { workspace: workspace.seq, after: known?.reached ?? 0, before };
  const upTo = await store.read((reader) => kind.end(reader, span, rowsAtOnce[reader.dialect.name]));
  if (upTo === null)
    return known && known.reached > 0 && begunLongAgo(known.begunAt, clock) ? again(store, place) : null;
  const prune = await kind.prepare(store, { ...span, upTo });
  return store.write(async (tx) => {
    const { rows, isWhole } = await prune(tx);
    if (isWhole) await setReached(tx, place, upTo);
    return { rows };
  });
}

function begunLongAgo(begunAt: string, clock: PruneOptions["clock"]): boolean {
  return begunAt < iso(clock.nowMs() - PASS_MS);
}

async function again(store: Store, place: { readonly workspace: number; readonly kind: string }): Promise<PruneCount> {
  await store.write((tx) => setBegun(tx, place));
  return { rows: 0 };
}
