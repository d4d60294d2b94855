// The table of access tokens of ways out: what it says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("way_tokens", { of: "installation", onLeave: { stays: "they are of this server" } });
