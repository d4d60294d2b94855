// The tables of copies: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("backups", { of: "installation", onLeave: { stays: "they are of this server" } });
