// The tables of tenants: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("workspaces", {
  of: "installation",
  onLeave: {
    without: ["way_rules", "search_prepared", "link_host_at", "disabled_at", "arriving_until"],
    secret: ["webhook_secret", "former_webhook_secret", "former_webhook_until"],
    // Nothing leaves until a person has enabled it, and searches find nobody before the loop has read everybody.
    arrives: (_, now) => ({ disabled_at: now, search_prepared: 0 }),
  },
});
