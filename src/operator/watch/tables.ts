// The tables of what others see: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("watched", { of: "installation" });
table("watch_looks", { of: "installation" });
