// The tables of what the operator is told: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("troubles", { of: "installation", onLeave: { stays: "they are of this server" } });
table("alerts", { of: "installation", onLeave: { stays: "they are of this server" } });
