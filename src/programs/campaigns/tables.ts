// The tables of campaigns: what each says of itself (src/store/table.ts).
import { forgetInAudiences } from "./erasure.ts";
import { deleteCampaignsOf, withErased } from "./queries.ts";
import { deleteRecipientsOf } from "./recipients/recipient-queries.ts";
import { sql } from "../../store/sql.ts";
import { table } from "../../store/table.ts";

table("campaigns", {
  of: "workspace",
  onReset: { called: "campaigns", inPieces: deleteCampaignsOf },
  person: {
    by: ["audience_condition"],
    onErase: { named: (tx, workspace, { emails }) => forgetInAudiences(tx, workspace, emails) },
    onMerge: { stays: "it is of the workspace" },
    inExport: { not: "it is of the workspace" },
  },
  onLeave: {
    only: (row) => sql`${row}.deleted_at is null`,
    // The loop takes it up once the workspace is whole.
    without: ["due_at"],
    upTo: { fed_to: "contacts" },
    as: {
      recipients_gone: (row) => withErased(sql`recipients_gone`, row),
      skipped_gone: (row) => withErased(sql`skipped_gone`, row, sql` and r.reason is not null`),
    },
  },
});
table("campaign_segments", { of: "campaigns", onLeave: "goes" });
table("audience_pieces", { of: "campaigns", onLeave: { lists: { people: "contacts" } } });
table("recipients", {
  of: "campaigns",
  onReset: { called: "recipients", inPieces: deleteRecipientsOf },
  keptFor: "recipientDays",
  person: {
    by: ["contact"],
    onErase: { stays: "a number that finds nobody, for the counts of the campaign" },
    onMerge: { by: "settleRecipients" },
    inExport: "excludedBy",
  },
  onLeave: { refers: { contact: "contacts", email: "emails" } },
});
table("pruned_mails", { of: "campaigns", onLeave: "goes" });
