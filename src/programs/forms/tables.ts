// The tables of sign-up forms: what each says of itself (src/store/table.ts).
import { deleteAnswersAt, deleteAnswersOf } from "./answer-queries.ts";
import { sql } from "../../store/sql.ts";
import { table } from "../../store/table.ts";

table("forms", { of: "workspace", onReset: "goes", onLeave: "goes" });
table("form_wordings", { of: "workspace", onReset: "goes", onLeave: "goes" });
table("form_answers", {
  of: "forms",
  person: {
    by: ["address", "contact", "answer"],
    onErase: {
      named: (tx, workspace, { emails }) => deleteAnswersAt(tx, workspace, emails),
      atOnce: (tx, _, contact) => deleteAnswersOf(tx, contact),
    },
    onMerge: { by: "moveAnswers" },
    inExport: { not: "nobody has confirmed it" },
  },
  onLeave: { only: (row) => sql`${row}.contact is not null` },
});
table("form_counts", { of: "forms", onLeave: "goes" });
