// The tables of the store itself: what each says of itself (src/store/table.ts).
import { table } from "./table.ts";

table("installation", { of: "installation", onLeave: { stays: "it is of this server" } });
table("turns", { of: "workspace", onReset: "stays", isLoose: true, onLeave: { stays: "they are given anew" } });
