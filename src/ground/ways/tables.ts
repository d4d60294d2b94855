// The tables of ways out: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("ways", { of: "installation", onLeave: { stays: "they are of this server" } });
table("way_rules", {
  of: "workspace",
  onReset: "stays",
  onLeave: { stays: "they name sending routes of this server" },
});
table("way_domains", { of: "domains", onLeave: { stays: "they name sending routes of this server" } });
