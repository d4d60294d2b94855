// The tables of tenants: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("workspaces", {
  of: "installation",
  onLeave: {
    without: ["way_rules", "search_prepared", "link_host_at", "disabled_at", "arriving_until"],
    secret: ["webhook_secret", "former_webhook_secret", "former_webhook_until"],
    // It sends nothing until a person has enabled it, and searches find no one before the loop has read all contacts.
    arrives: (_, now) => ({ disabled_at: now, search_prepared: 0 }),
  },
});
