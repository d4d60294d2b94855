// The tables of sums of mails: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("mail_counts", { of: "workspace", onReset: "goes", isLoose: true });
table("mail_group_counts", { of: "workspace", onReset: "goes", isLoose: true });
table("mail_facts", { of: "workspace", onReset: "goes", isLoose: true });
table("counted_tags", { of: "workspace", onReset: "goes", isLoose: true });
