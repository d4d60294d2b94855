// The tables of who may sign in: what each says of itself (src/store/table.ts).
import { forgetNames } from "./audit/audit-queries.ts";
import { table } from "../../store/table.ts";

table("users", { of: "installation" });
table("memberships", { of: "workspace", onReset: "stays" });
table("sessions", { of: "users" });
table("passkeys", { of: "users" });
table("spent_challenges", { of: "installation" });
table("invitations", { of: "workspace", onReset: "stays" });
table("audit", {
  of: "workspace",
  onReset: "stays",
  person: {
    by: ["target_name", "target_sought"],
    onErase: { named: (tx, workspace, { ids }) => forgetNames(tx, workspace, ids) },
    onMerge: { stays: "it says what was done" },
    inExport: { not: "it is of whoever did it" },
  },
});
