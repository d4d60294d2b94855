// The tables of plans of warm-up: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("warmups", { of: "workspace", onReset: "stays" });
table("warmup_mailboxes", { of: "warmups" });
