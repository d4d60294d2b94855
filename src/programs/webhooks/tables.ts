// The tables of webhooks: what each says of itself (src/store/table.ts).
import { deleteEventsAbout } from "./endpoints/replay-queries.ts";
import { table } from "../../store/table.ts";

table("webhook_endpoints", { of: "workspace", onReset: "goes" });
table("webhook_events", {
  of: "workspace",
  onReset: "goes",
  person: {
    by: ["contact", "data"],
    onErase: { inPieces: deleteEventsAbout },
    onMerge: "moves",
    inExport: { not: "the same is among the events" },
  },
});
table("webhook_deliveries", { of: "webhook_events" });
table("webhook_attempts", { of: "webhook_deliveries" });
