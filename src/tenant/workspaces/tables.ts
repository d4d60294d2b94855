// The tables of tenants: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("workspaces", { of: "installation" });
