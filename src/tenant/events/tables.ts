// The tables of events: what each says of itself (src/store/table.ts).
import { deleteOutboxOf, forgetParked } from "./outbox.ts";
import { deleteEventsOf, deleteEventsOfContact } from "./queries.ts";
import { madeSince, table } from "../../store/table.ts";

table("events", {
  of: "workspace",
  onReset: { called: "events", inPieces: deleteEventsOf },
  keptFor: "eventDays",
  person: {
    by: ["contact", "data"],
    onErase: { inPieces: deleteEventsOfContact },
    onMerge: "moves",
    inExport: "events",
  },
  onLeave: { since: madeSince },
});
table("outbox", {
  of: "workspace",
  onReset: { called: "changes that nobody was told of", inPieces: deleteOutboxOf },
  isLoose: true,
  person: {
    by: ["contact", "notice"],
    onErase: { inPieces: forgetParked },
    onMerge: { by: "moveOutbox" },
    inExport: { not: "it is told within seconds" },
  },
  onLeave: { stays: "each is told within seconds" },
});
table("interests", {
  of: "workspace",
  onReset: "goes",
  onLeave: {
    refers: { listener: { by: "kind", segment: "segments", workflow: "workflows", endpoint: "webhook_endpoints" } },
  },
});
