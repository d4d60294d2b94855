// `posthorn prune`: deletes expired data now, or prints what it would delete.
import { systemClock } from "../../../base/clock.ts";
import { pruneNow, whatWouldGo, type RetentionShare } from "../../../operator/retention/now.ts";
import type { PruneOptions } from "../../../operator/retention/prune.ts";
import { doubtIn, seenIn } from "../../../store/clock-queries.ts";
import { allRetention } from "../../../tenant/workspaces/queries.ts";
import { inStore, workspaceOf, WORKSPACE_OPTION } from "../beside.ts";
import { printList } from "../print.ts";
import { grouped, ProgressLine } from "../progress.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

export const PRUNE: Verb = {
  name: "prune",
  summary: "Deletes data older than [retention] allows at once; a running server also does so automatically",
  options: {
    "dry-run": { help: "Delete nothing; say what would be deleted" },
    workspace: WORKSPACE_OPTION,
    ...JSON_OPTION,
  },
  run,
};

/** The pause between two pieces, for a server beside it. */
const PAUSE_MS = 20;

async function run(call: VerbCall): Promise<void> {
  const shares = await inStore(call, async ({ store, config }) => {
    const doubt = doubtIn(await store.read(seenIn));
    if (doubt !== null && !call.flag("dry-run")) throw new Error(doubt);
    const work = { store, clock: store.clock, days: config.retention };
    const wanted = await store.read((reader) => workspaceOf(call, reader));
    const all = await store.read(allRetention);
    const workspaces = wanted === null ? all : all.filter(({ seq }) => seq === wanted);
    return call.flag("dry-run") ? whatWouldGo(work, workspaces) : pruned(call, work, workspaces);
  });
  const row = ({ workspace, kind, days, rows }: RetentionShare) => ({
    workspace,
    kind,
    "older than": `${days} days`,
    [call.flag("dry-run") ? "would go" : "deleted"]: grouped(rows),
  });
  printList(call, shares, row, "Everything is kept forever.");
}

async function pruned(
  call: VerbCall,
  work: PruneOptions,
  workspaces: Parameters<typeof pruneNow>[1],
): Promise<RetentionShare[]> {
  const progress = new ProgressLine(call.io, systemClock);
  const onPiece = async ({ workspace, kind, rows }: RetentionShare) => {
    progress.at(`${workspace}, ${kind}: ${grouped(rows)} deleted`);
    await Bun.sleep(PAUSE_MS);
  };
  const shares = await pruneNow(work, workspaces, { onPiece });
  progress.end();
  return shares;
}
