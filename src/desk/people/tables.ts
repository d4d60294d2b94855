// The tables of merges and erasures: what each says of itself (src/store/table.ts).
import { randomInt } from "node:crypto";
import { table } from "../../store/table.ts";

table("merges", {
  of: "contacts",
  person: {
    by: ["contact", "snapshot"],
    onErase: { by: "takeFormers" },
    onMerge: { by: "mergeContacts" },
    inExport: { not: "what undoes a merge" },
  },
  onLeave: { stays: "a merge is undone where it was made" },
});
table("merged_contacts", {
  of: "contacts",
  person: {
    by: ["id", "contact", "snapshot"],
    onErase: { by: "takeFormers" },
    onMerge: { by: "passOn" },
    inExport: { not: "what undoes a merge" },
  },
  onLeave: {
    without: ["former", "merge", "snapshot", "campaigns_to"],
    // A number that finds nobody.
    arrives: () => ({ former: -randomInt(2 ** 47) }),
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
  onLeave: { stays: "whoever is being erased does not go" },
});
