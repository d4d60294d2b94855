// The tables of campaigns: what each says of itself (src/store/table.ts).
import { forgetInAudiences } from "./erasure.ts";
import { deleteCampaignsOf } from "./queries.ts";
import { deleteRecipientsOf } from "./recipients/recipient-queries.ts";
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
});
table("campaign_segments", { of: "campaigns" });
table("audience_pieces", { of: "campaigns" });
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
});
table("pruned_mails", { of: "campaigns" });
