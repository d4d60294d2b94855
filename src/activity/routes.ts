// /events: what has happened in a workspace (interface-gaps.md §4 "Events").
import { Elysia, t } from "elysia";
import { findContact } from "../contacts/contact.ts";
import { eventNames, loggedEvents } from "../events/queries.ts";
import { nullable } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { wholeNumber } from "../http/schemas.ts";
import { asQuery } from "../http/shape.ts";
import { cursorAfter, keyInCursor } from "../store/page.ts";
import { secretKey, type Gate } from "../workspaces/auth.ts";
import { eventRecord, eventShape } from "./record.ts";

const LIST = "events";
const USUAL_LIMIT = 100;
const MOST_NAMES = 10_000;

const listing = t.Object({
  eventName: t.Optional(t.String({ maxLength: 255 })),
  contactId: t.Optional(t.String({ maxLength: 100 })),
  limit: t.Optional(wholeNumber(1, 1_000)),
  cursor: t.Optional(t.String({ maxLength: 100 })),
});
const page = t.Object({ events: t.Array(eventShape), cursor: nullable(t.String()), hasMore: t.Boolean() });
const names = t.Object({ eventNames: t.Array(t.String()) });

export function activityRoutes({ store, ...gate }: Gate) {
  return new Elysia({ prefix: "/events" })
    .use(secretKey({ store, ...gate }))
    .get(
      "",
      ({ query, caller }) => {
        const before = query.cursor === undefined ? null : keyInCursor(LIST, "number", query.cursor);
        const limit = query.limit ?? USUAL_LIMIT;
        return store.read(
          async (reader) => {
            const { workspace } = caller;
            const contact = query.contactId ? (await findContact(reader, workspace, query.contactId)).seq : null;
            const filter = { workspace, contact, name: query.eventName ?? null };
            const rows = await loggedEvents(reader, filter, before, limit + 1);
            const events = rows.slice(0, limit);
            const last = rows.length > limit ? events.at(-1) : undefined;
            return {
              events: events.map((event) => eventRecord(event, caller.workspaceId)),
              cursor: last ? cursorAfter(LIST, last.seq) : null,
              hasMore: last !== undefined,
            };
          },
          { long: true },
        );
      },
      {
        query: asQuery(listing),
        detail: answers("List events, newest first", { 200: page }, { refuses: ["CONTACT_NOT_FOUND"] }),
      },
    )
    .get(
      "/names",
      async ({ caller }) => ({
        eventNames: await store.read((reader) => eventNames(reader, caller.workspace, MOST_NAMES), { long: true }),
      }),
      { detail: answers("List the names of events that there have been", { 200: names }) },
    );
}
