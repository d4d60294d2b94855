// The tables of mail from outside: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("messages", {
  of: "workspace",
  onReset: "goes",
  keptFor: "inboundDays",
  person: {
    by: ["sender", "recipients", "client_address"],
    onErase: { with: "contents" },
    onMerge: { stays: "its mail moves" },
    inExport: { not: "its mail is there" },
  },
});
table("message_slices", { of: "messages" });
table("notices", { of: "installation" });
