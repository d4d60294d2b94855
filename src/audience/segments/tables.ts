// The tables of groups of contacts: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";
import { forgetInSegments } from "./membership/forget.ts";
import { leaveAll } from "./membership/membership.ts";

table("segments", {
  of: "workspace",
  onReset: "goes",
  person: {
    by: ["condition"],
    onErase: { named: forgetInSegments },
    onMerge: { stays: "it is of the workspace" },
    inExport: { not: "it is of the workspace" },
  },
  onLeave: {
    // The loop looks for members anew once the workspace is whole.
    without: ["sweep_due_at", "swept_to", "sweep_end", "swept_at"],
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
  onLeave: { refers: { segment: "segments" } },
});
table("segments_to_empty", { of: "segments", onLeave: { stays: "members go with their segment" } });
table("segment_sizes", { of: "segments", onLeave: "goes" });
