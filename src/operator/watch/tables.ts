// The tables of what others see: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("watch_findings", { of: "installation", onLeave: { stays: "it is of this server" } });
table("watch_looks", { of: "installation", onLeave: { stays: "it is of this server" } });
