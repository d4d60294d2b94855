// The tables of ways out: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("ways", { of: "installation" });
table("way_rules", { of: "workspace", onReset: "stays" });
table("way_domains", { of: "domains" });
