// The tables of what moves in a merge, and of erasures: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("merged_rows", {
  of: "contacts",
  person: {
    by: ["former"],
    onErase: { with: "contacts" },
    onMerge: { by: "keepMoved" },
    inExport: { not: "what undoes a merge" },
  },
  onLeave: { stays: "a merge is undone where it was made" },
});
table("erasures", {
  of: "contacts",
  person: {
    by: ["contact"],
    onErase: { with: "contacts" },
    onMerge: { stays: "nobody who is erased is merged" },
    inExport: { not: "it is of nobody who is there" },
  },
  onLeave: { stays: "people whose erasure is under way are left out" },
});
