// The tables of people: what each says of itself (src/store/table.ts).
import { randomInt } from "node:crypto";
import { deleteFormerOf } from "./past/former-queries.ts";
import { deleteImportedOf, forgetImported } from "./past/imported-queries.ts";
import { forgetAnswersOf } from "./past/leaving-queries.ts";
import { deleteContactsOf } from "./removal-queries.ts";
import { sql } from "../../store/sql.ts";
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
  onLeave: {
    // Without those who are being erased, or were merged into others.
    only: (row) => sql`instr(${row}.email, '@') > 0`,
    without: ["sought"],
  },
});
table("contact_counts", { of: "workspace", onReset: "goes", onLeave: { stays: "they are counted anew" } });
table("import_changes", {
  of: "contact_jobs",
  onReset: { called: "notes of imports", inPieces: deleteImportedOf },
  person: {
    by: ["contact"],
    onErase: { atOnce: forgetImported },
    onMerge: { by: "moveImported" },
    inExport: { not: "what a file said is in the contact" },
  },
  onLeave: { stays: "an import is undone where it was made" },
});
table("import_exclusions", {
  of: "workspace",
  onReset: "goes",
  onLeave: { stays: "an import waits where it was made" },
});
table("former_addresses", {
  of: "workspace",
  onReset: "goes",
  person: {
    by: ["address", "contact"],
    onErase: { atOnce: (tx, _, contact) => deleteFormerOf(tx, contact) },
    onMerge: { by: "moveIdentity" },
    inExport: "formerEmails",
  },
  onLeave: "goes",
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
  onLeave: "goes",
});
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
    // No contact has such a number.
    arrives: () => ({ former: -randomInt(2 ** 47) }),
  },
});
