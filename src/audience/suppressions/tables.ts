// The tables of suppressions: what each says of itself (src/store/table.ts).
import { deleteSuppressionsOf } from "./queries.ts";
import { table } from "../../store/table.ts";

table("suppressions", {
  of: "workspace",
  onReset: { called: "suppressions", inPieces: deleteSuppressionsOf },
  person: {
    by: ["target"],
    onErase: { by: "rememberErased" },
    onMerge: { stays: "it is of an address" },
    inExport: { not: "the contact says so" },
  },
  onLeave: "goes",
});
