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
