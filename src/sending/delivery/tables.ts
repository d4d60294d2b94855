// The tables of what waits for mailbox providers: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("brakes", {
  of: "workspace",
  onReset: "stays",
  onLeave: { stays: "mailbox providers know addresses of this server" },
});
table("backlogs", { of: "workspace", onReset: "stays", onLeave: { stays: "what waits is sorted anew" } });
table("mailbox_domains", { of: "installation", onLeave: { stays: "they are looked up anew" } });
