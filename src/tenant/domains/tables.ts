// The tables of sender domains: what each says of itself (src/store/table.ts).
import { table } from "../../store/table.ts";

table("domains", {
  of: "workspace",
  onReset: "stays",
  onLeave: {
    without: [
      "verified_at",
      "taken_unseen",
      "is_demo",
      "checks",
      "checked_at",
      "next_check_at",
      "failing_since",
      "lost_since",
    ],
    arrives: ({ removed_at }, now) => (removed_at === undefined ? { next_check_at: now } : {}),
  },
});
table("domain_keys", {
  of: "domains",
  onLeave: { stays: "they go only among the secrets; without them each domain gets a new key" },
});
table("former_selectors", {
  of: "installation",
  onLeave: { stays: "they are names in the DNS, known to this installation" },
});
