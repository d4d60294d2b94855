// The tables of the store itself: what each says of itself (src/store/table.ts).
import { table } from "./table.ts";

table("installation", { of: "installation" });
table("turns", { of: "workspace", onReset: "stays", isLoose: true });
