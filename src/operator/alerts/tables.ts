// The tables of what the operator is told: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("troubles", { of: "installation" });
table("alerts", { of: "installation" });
