// The table of settings that owners keep: what it says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("kept_settings", { of: "installation", onLeave: { stays: "they are of this server" } });
