// The tables of sums of mails: what each says of itself (src/store/table.ts).
import { sql } from "../../store/sql.ts";
import { table } from "../../store/table.ts";

table("mail_counts", { of: "workspace", onReset: "goes", isLoose: true, onLeave: "goes" });
table("mail_group_counts", {
  of: "workspace",
  onReset: "goes",
  isLoose: true,
  onLeave: { only: (row) => sql`${row}.kind not in ('hop', 'hop by hour', 'hop by day')` },
});
table("mail_increments", { of: "workspace", onReset: "goes", isLoose: true, onLeave: { without: ["hop"] } });
table("counted_tags", { of: "workspace", onReset: "goes", isLoose: true, onLeave: "goes" });
