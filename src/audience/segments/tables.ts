// The tables of groups of contacts: what each says of itself (src/store/table.ts).
import type { Tx } from "../../store/store.ts";
import { withoutAddresses } from "./condition/naming.ts";
import { findMembers } from "./membership/sweep.ts";
import { segmentsWithAddresses, updateSegment } from "./queries.ts";
import { leaveAll } from "./membership/membership.ts";
import { table, type ErasedNames } from "../../store/table.ts";

table("segments", {
  of: "workspace",
  onReset: "goes",
  person: {
    by: ["condition"],
    onErase: { named: forgetInSegments },
    onMerge: { stays: "it is of the workspace" },
    inExport: { not: "it is of the workspace" },
  },
});
table("segment_members", {
  of: "segments",
  person: {
    by: ["contact"],
    onErase: { atOnce: (tx, _, contact) => leaveAll(tx, [contact]) },
    onMerge: { by: "joinSegments" },
    inExport: "segments",
  },
});
table("segments_to_empty", { of: "segments" });
table("segment_sizes", { of: "segments" });

/** Filters then match no contact by the addresses. */
async function forgetInSegments(tx: Tx, workspace: number, { emails }: ErasedNames): Promise<void> {
  for (const segment of await segmentsWithAddresses(tx, workspace)) {
    const condition = withoutAddresses(segment.condition, emails);
    if (Bun.deepEquals(condition, segment.condition)) continue;
    const changed = await updateSegment(tx, segment, { ...segment, condition });
    await findMembers(tx, changed, segment.state === "NEW" ? "NEW" : "CHANGED");
  }
}
