// The tables of events: what each says of itself (src/store/table.ts).
import { deleteOutboxOf, forgetParked } from "./outbox.ts";
import { deleteEventsOf, deleteEventsOfContact } from "./queries.ts";
import { table } from "../../store/table.ts";

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
});
table("interests", { of: "workspace", onReset: "goes" });
