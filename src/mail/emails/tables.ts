// The tables of mails and what they say: what each says of itself (src/store/table.ts).
import { eraseMails } from "./actions/erasure.ts";
import { deleteContentsOf, deleteMailsOf } from "./actions/erasure-queries.ts";
import { sql } from "../../store/sql.ts";
import { mailGoesSince } from "./queries.ts";
import { table } from "../../store/table.ts";
import { forgetTerm } from "./soft-bounces/softness-queries.ts";

table("soft_bounce_terms", {
  of: "contacts",
  person: {
    by: ["contact", "address"],
    onErase: { atOnce: (tx, _, contact) => forgetTerm(tx, contact) },
    onMerge: { stays: "it is of an address" },
    inExport: { not: "it is a count" },
  },
  onLeave: "goes",
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
  onLeave: {
    since: (row, moment) => sql`(
      exists (select 1 from emails e where e.content = ${row}.seq and ${mailGoesSince(sql`e`, moment)})
      or exists (select 1 from campaigns k where k.content = ${row}.seq))`,
  },
});
table("shared_contents", {
  of: "workspace",
  onReset: "goes",
  onLeave: { stays: "it is found anew with the next mail" },
});
table("attachments", {
  of: "contents",
  onLeave: {
    without: ["file"],
    as: { bytes: (row) => sql`coalesce((select f.bytes from files f where f.seq = ${row}.file), ${row}.bytes)` },
    isLarge: true,
  },
});
table("files", { of: "attachments", onLeave: { stays: "each attachment has its bytes" } });
table("raw_messages", { of: "contents", onLeave: { isLarge: true } });
table("raw_slices", { of: "contents", onLeave: { isLarge: true } });
table("messages_to_forget", { of: "contents", onLeave: "goes" });
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
  onLeave: {
    since: mailGoesSince,
    refers: { campaign: "campaigns" },
    // Mail in SENDING arrives as QUEUED: a person decides whether it is sent again.
    as: { status: (row) => sql`case ${row}.status when 'SENDING' then 'QUEUED' else ${row}.status end` },
    without: ["hold", "hop", "rule", "backlog", "place", "resent_from"],
    arrives: ({ due_at }) => (due_at === undefined ? {} : { hold: "workspace" }),
  },
});
table("email_labels", { of: "emails", onLeave: "goes" });
table("retries", { of: "workspace", onReset: "goes", onLeave: { stays: "what it sends again is there" } });
table("retry_errors", { of: "retries", onLeave: { stays: "what it sends again is there" } });
table("email_attempts", { of: "emails", keptFor: "attemptDays", onLeave: { without: ["hop"] } });
table("machine_visits", { of: "emails", onLeave: "goes" });
