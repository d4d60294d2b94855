// /events: the log of a workspace's events.
import { t } from "elysia";
import { findContact } from "../contacts/contact.ts";
import type { LoggedEvent } from "../../tenant/events/queries.ts";
import { emailAddressShape, idShape, nullable, timeShape } from "../../http/answer-shapes.ts";
import { labelFilters } from "../../http/label-shapes.ts";
import { dataShape, parameter, wholeNumber } from "../../http/schemas.ts";
import { namesSought } from "../../base/labels.ts";
import { cursorOf, keyInCursor } from "../../store/page.ts";
import type { Reader } from "../../store/store.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { get, routes } from "../../tenant/access/route-table.ts";
import { nameRoutes } from "./name-routes.ts";
import { someEvents } from "./some-events.ts";

const eventShape = t.Object(
  {
    id: idShape,
    name: t.String(),
    contactId: nullable(idShape),
    contactEmail: nullable(emailAddressShape),
    emailId: nullable(idShape),
    data: dataShape,
    projectId: idShape,
    createdAt: timeShape,
  },
  { title: "LoggedEvent" },
);

function eventRecord(event: LoggedEvent, workspaceId: string): typeof eventShape.static {
  return {
    id: event.id,
    name: event.name,
    contactId: event.contactId,
    contactEmail: event.contactEmail,
    emailId: event.emailId,
    data: event.data,
    projectId: workspaceId,
    createdAt: event.createdAt,
  };
}

const LIST = "events";
const DEFAULT_LIMIT = 100;

const listing = t.Object({
  eventName: parameter(t.String({ maxLength: 255 }), "Only events of this name."),
  contactId: parameter(t.String({ minLength: 1, maxLength: 100 }), "Only events of this contact."),
  ...labelFilters,
  limit: parameter(wholeNumber(1, 1_000, DEFAULT_LIMIT), "How many events a page has at most."),
  cursor: parameter(t.String({ maxLength: 100 }), "The `cursor` of the page before."),
});
const page = t.Object(
  { events: t.Array(eventShape), cursor: nullable(t.String()), hasMore: t.Boolean() },
  { title: "LoggedEventPage" },
);

export function activityRoutes(access: Access) {
  const log = routes(access, [
    get(
      "/events",
      {
        name: "listEvents",
        summary: "List events, newest first",
        answers: { 200: page },
        permission: "read",
        query: listing,
        refuses: ["CONTACT_NOT_FOUND"],
      },
      (reader, { query, caller }) => eventsPage(reader, caller, query),
      "long",
    ),
  ]);
  return [log, nameRoutes(access)];
}

async function eventsPage(reader: Reader, { workspace, workspaceId }: Caller, query: typeof listing.static) {
  const before = query.cursor === undefined ? null : keyInCursor(LIST, "number", query.cursor);
  const contact = query.contactId ? (await findContact(reader, workspace, query.contactId)).seq : null;
  const filter = { workspace, contact, name: query.eventName ?? null, labels: namesSought(query) };
  const { events, hasMore } = await someEvents(reader, filter, before, query.limit ?? DEFAULT_LIMIT);
  return {
    events: events.map((event) => eventRecord(event, workspaceId)),
    cursor: hasMore ? cursorOf(LIST, events.at(-1)?.seq ?? 0) : null,
    hasMore,
  };
}
