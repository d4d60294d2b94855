// The tables of mails and what they say: what each says of itself (src/store/table.ts).
import { eraseMails } from "./actions/erasure.ts";
import { deleteContentsOf, deleteMailsOf } from "./actions/erasure-queries.ts";
import { table } from "../../store/table.ts";

table("soft_bounce_terms", {
  of: "contacts",
  person: {
    by: ["contact", "address"],
    onErase: { by: "stripContact" },
    onMerge: { stays: "it is of an address" },
    inExport: { not: "it is a count" },
  },
});
table("contents", {
  of: "workspace",
  onReset: { called: "contents", inPieces: deleteContentsOf },
  keptFor: "bodyDays",
  person: {
    by: ["data", "subject", "headers"],
    onErase: { by: "leaveContents" },
    onMerge: { stays: "its mails move" },
    inExport: "mails",
  },
});
table("shared_contents", { of: "workspace", onReset: "goes" });
table("attachments", { of: "contents" });
table("files", { of: "attachments" });
table("raw_messages", { of: "contents" });
table("raw_slices", { of: "contents" });
table("messages_to_forget", { of: "contents" });
table("emails", {
  of: "workspace",
  onReset: { called: "mails", inPieces: deleteMailsOf },
  keptFor: "mailDays",
  person: {
    by: ["contact", "to_address", "to_name", "subject", "variables", "reply", "error"],
    onErase: { inPieces: eraseMails },
    onMerge: "moves",
    inExport: "mails",
  },
});
table("email_labels", { of: "emails" });
table("retries", { of: "workspace", onReset: "goes" });
table("retry_errors", { of: "retries" });
table("attempts", { of: "emails", keptFor: "attemptDays" });
table("machine_visits", { of: "emails" });
