// The tables of who may sign in: what each says of itself (src/store/table.ts).
import { forgetNames } from "./audit/audit-queries.ts";
import { table } from "../../store/table.ts";

table("users", { of: "installation", onLeave: { stays: "people of the team are invited anew" } });
table("memberships", { of: "workspace", onReset: "stays", onLeave: { stays: "people of the team are invited anew" } });
table("sessions", { of: "users", onLeave: { stays: "people of the team sign in anew" } });
table("devices", { of: "users", onLeave: { stays: "people of the team sign in anew" } });
table("passkeys", { of: "users", onLeave: { stays: "people of the team sign in anew" } });
table("totp_secrets", { of: "users", onLeave: { stays: "people of the team sign in anew" } });
table("recovery_codes", { of: "users", onLeave: { stays: "people of the team sign in anew" } });
table("identities", { of: "users", onLeave: { stays: "people of the team sign in anew" } });
table("spent_challenges", { of: "installation", onLeave: { stays: "people of the team sign in anew" } });
table("invitations", { of: "workspace", onReset: "stays", onLeave: { stays: "people of the team are invited anew" } });
table("audit", {
  of: "workspace",
  onReset: "stays",
  person: {
    by: ["target_name", "target_sought"],
    onErase: { named: (tx, workspace, { ids }) => forgetNames(tx, workspace, ids) },
    onMerge: { stays: "it says what was done" },
    inExport: { not: "it is of whoever did it" },
  },
  onLeave: { stays: "it says what the team has done in this installation" },
});
