// The tables of merges and erasures: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("merges", {
  of: "contacts",
  person: {
    by: ["contact", "snapshot"],
    onErase: { by: "takeFormers" },
    onMerge: { by: "mergeContacts" },
    inExport: { not: "what undoes a merge" },
  },
});
table("merged_contacts", {
  of: "contacts",
  person: {
    by: ["id", "contact", "snapshot"],
    onErase: { by: "takeFormers" },
    onMerge: { by: "passOn" },
    inExport: { not: "what undoes a merge" },
  },
});
table("merged_rows", {
  of: "contacts",
  person: {
    by: ["former"],
    onErase: { with: "contacts" },
    onMerge: { by: "keepMoved" },
    inExport: { not: "what undoes a merge" },
  },
});
table("erasures", {
  of: "contacts",
  person: {
    by: ["contact"],
    onErase: { with: "contacts" },
    onMerge: { stays: "nobody who is erased is merged" },
    inExport: { not: "it is of nobody who is there" },
  },
});
