// The tables of answers to requests: what each says of itself (src/store/table.ts).
import { forgetAnswersAbout } from "./kept-answers.ts";
import { deleteAnswersOf } from "./queries.ts";
import { table } from "../store/table.ts";

table("idempotency_keys", {
  of: "workspace",
  onReset: { called: "answers", inPieces: deleteAnswersOf },
  person: {
    by: ["key", "body"],
    onErase: { with: "answers_about" },
    onMerge: { by: "copyAnswersAbout" },
    inExport: { not: "it is kept for a day" },
  },
  onLeave: { stays: "answers are kept for a day" },
});
table("answers_about", {
  of: "idempotency_keys",
  person: {
    by: ["contact"],
    onErase: { inPieces: forgetAnswersAbout },
    onMerge: { by: "copyAnswersAbout" },
    inExport: { not: "it is kept for a day" },
  },
  onLeave: { stays: "answers are kept for a day" },
});
