// An event as the interface shows it (interface-gaps.md §4 "Events").
import { t } from "elysia";
import type { LoggedEvent } from "../events/queries.ts";
import { idShape, nullable, timeShape } from "../http/answer-shapes.ts";
import { dataShape } from "../http/schemas.ts";

export const eventShape = t.Object(
  {
    id: idShape,
    name: t.String(),
    contactId: nullable(idShape),
    emailId: nullable(idShape),
    data: dataShape,
    projectId: idShape,
    createdAt: timeShape,
  },
  { title: "Event" },
);

export function eventRecord(event: LoggedEvent, workspaceId: string): typeof eventShape.static {
  return {
    id: event.id,
    name: event.name,
    contactId: event.contact_id,
    emailId: event.email_id,
    data: JSON.parse(event.data) as Record<string, unknown>,
    projectId: workspaceId,
    createdAt: event.created_at,
  };
}
