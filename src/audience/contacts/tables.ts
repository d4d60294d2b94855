// The tables of people: what each says of itself (src/store/table.ts).
import { deleteFormerOf } from "./past/former-queries.ts";
import { deleteImportedOf, forgetImported } from "./past/imported-queries.ts";
import { forgetAnswersOf } from "./past/leaving-queries.ts";
import { deleteContactsOf } from "./removal-queries.ts";
import { table } from "../../store/table.ts";

table("contacts", {
  of: "workspace",
  onReset: { called: "contacts", inPieces: deleteContactsOf },
  person: {
    by: ["email", "data"],
    onErase: { by: "withdrawContact" },
    onMerge: { by: "mergeContacts" },
    inExport: "contact",
  },
});
table("contact_counts", { of: "workspace", onReset: "goes" });
table("imported", {
  of: "contact_jobs",
  onReset: { called: "notes of imports", inPieces: deleteImportedOf },
  person: {
    by: ["contact"],
    onErase: { atOnce: forgetImported },
    onMerge: { by: "moveImported" },
    inExport: { not: "what a file said is in the contact" },
  },
});
table("erased_before_import", { of: "workspace", onReset: "goes" });
table("former_addresses", {
  of: "workspace",
  onReset: "goes",
  person: {
    by: ["address", "contact"],
    onErase: { atOnce: (tx, _, contact) => deleteFormerOf(tx, contact) },
    onMerge: { by: "moveIdentity" },
    inExport: "formerEmails",
  },
});
table("leaving_answers", {
  of: "workspace",
  onReset: "goes",
  person: {
    by: ["contact", "words"],
    onErase: { atOnce: (tx, _, contact) => forgetAnswersOf(tx, contact) },
    onMerge: "moves",
    inExport: "leavingAnswers",
  },
});
