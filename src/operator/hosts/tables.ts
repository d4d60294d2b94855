// The tables of hosts of links: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("link_hosts", { of: "workspace", onReset: "stays", onLeave: { stays: "they lead to this server" } });
