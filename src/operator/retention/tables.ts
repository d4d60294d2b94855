// The tables of how far is pruned: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("prunings", { of: "workspace", onReset: "goes", onLeave: { stays: "it is counted anew" } });
