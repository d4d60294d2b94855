// The tables of what waits for mailbox providers: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("brakes", { of: "workspace", onReset: "stays" });
table("backlogs", { of: "workspace", onReset: "stays" });
table("mailbox_domains", { of: "installation" });
