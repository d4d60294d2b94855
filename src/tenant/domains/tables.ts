// The tables of sender domains: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("domains", { of: "workspace", onReset: "stays" });
table("domain_keys", { of: "domains" });
table("former_selectors", { of: "installation" });
