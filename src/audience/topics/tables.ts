// The tables of topics: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("topics", { of: "workspace", onReset: "goes", onLeave: "goes" });
