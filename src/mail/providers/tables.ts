// The tables of what providers report: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("provider_reports", { of: "installation", onLeave: { stays: "it is of this server" } });
