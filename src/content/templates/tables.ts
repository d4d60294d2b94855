// The tables of templates: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("templates", { of: "workspace", onReset: "goes", onLeave: "goes" });
table("versions", { of: "workspace", onReset: "goes", onLeave: "goes" });
table("blocks", { of: "workspace", onReset: "goes", onLeave: "goes" });
table("brands", { of: "workspace", onReset: "stays", onLeave: "goes" });
