// The tables of notes about people: what each says of itself (src/store/table.ts).
import { deleteNotesOf } from "./queries.ts";
import { table } from "../../store/table.ts";

table("notes", {
  of: "contacts",
  person: {
    by: ["contact", "text"],
    onErase: { atOnce: (tx, _, contact) => deleteNotesOf(tx, contact) },
    onMerge: "moves",
    inExport: "notes",
  },
  onLeave: "goes",
});
