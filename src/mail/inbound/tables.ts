// The tables of mail from outside: what each says of itself (src/store/table.ts).
import { sql } from "../../store/sql.ts";
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
  onLeave: { only: (row) => sql`${row}.due_at is null and ${row}.content is not null` },
});
table("message_slices", { of: "messages", onLeave: { isLarge: true } });
table("notices", { of: "installation", onLeave: { stays: "they are of this server" } });
table("bounce_mailboxes", { of: "installation", onLeave: { stays: "they are of this server" } });
