// The tables of the pace of ways out: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("pacers", { of: "installation", onLeave: { stays: "they are of this server" } });
table("hops", { of: "installation", onLeave: { stays: "they are of this server" } });
