// The tables of webhooks: what each says of itself (src/store/table.ts).
import { deleteEventsAbout } from "./endpoints/replay-queries.ts";
import { sql } from "../../store/sql.ts";
import { madeSince, table } from "../../store/table.ts";

table("webhook_endpoints", {
  of: "workspace",
  onReset: "goes",
  onLeave: {
    only: (row) => sql`${row}.deleted_at is null`,
    secret: ["secret", "former_secret", "former_until"],
  },
});
table("webhook_events", {
  of: "workspace",
  onReset: "goes",
  person: {
    by: ["contact", "data"],
    onErase: { inPieces: deleteEventsAbout },
    onMerge: "moves",
    inExport: { not: "the same is among the events" },
  },
  onLeave: { since: madeSince },
});
table("webhook_deliveries", {
  of: "webhook_events",
  onLeave: {
    refers: { execution: "executions", held: "workflows" },
    as: {
      origin: (row) => sql`case when ${row}.endpoint is null then ${row}.origin end`,
      state: (row) => sql`case ${row}.state when 'CALLING' then 'DUE' else ${row}.state end`,
    },
    arrives: ({ endpoint }) => (endpoint === undefined ? {} : { origin: `endpoint ${endpoint}` }),
  },
});
table("webhook_attempts", { of: "webhook_deliveries", onLeave: { refers: { endpoint: "webhook_endpoints" } } });
