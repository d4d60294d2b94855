// The tables of reports of receivers: what each says of itself (src/store/table.ts).
import { deleteReportsOf } from "./pruning-queries.ts";
import { madeSince, table } from "../../store/table.ts";

table("reports", {
  of: "workspace",
  onReset: { called: "reports", inPieces: deleteReportsOf },
  keptFor: "inboundDays",
  onLeave: { refers: { message: "messages" }, since: madeSince },
});
table("dmarc_rows", { of: "reports", onLeave: "goes" });
table("tls_rows", { of: "reports", onLeave: "goes" });
