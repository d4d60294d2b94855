// The tables of reports of receivers: what each says of itself (src/store/table.ts).
import { deleteReportsOf } from "./pruning-queries.ts";
import { table } from "../../store/table.ts";

table("reports", {
  of: "workspace",
  onReset: { called: "reports", inPieces: deleteReportsOf },
  keptFor: "inboundDays",
});
table("dmarc_rows", { of: "reports" });
table("tls_rows", { of: "reports" });
