// The tables of plans of warm-up: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("warmups", {
  of: "workspace",
  onReset: "stays",
  onLeave: { stays: "mailbox providers know addresses of this server" },
});
table("warmup_mailboxes", { of: "warmups", onLeave: { stays: "mailbox providers know addresses of this server" } });
