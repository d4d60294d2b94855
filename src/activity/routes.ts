// /events: what has happened in a workspace (interface-gaps.md §4 "Events").
import { Elysia, t } from "elysia";
import { findContact } from "../contacts/contact.ts";
import { eventNames, loggedEvents, type LogFilter, type LoggedEvent } from "../events/queries.ts";
import { nullable } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { wholeNumber } from "../http/schemas.ts";
import { asQuery } from "../http/shape.ts";
import { cursorOf, keyInCursor } from "../store/page.ts";
import type { Reader } from "../store/store.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { eventRecord, eventShape } from "./record.ts";

const LIST = "events";
const DEFAULT_LIMIT = 100;
const MAX_NAMES = 10_000;
/** A page is cut off earlier where its events say very much. */
const MAX_CHARS_A_PAGE = 4 * 1024 * 1024;
const EVENTS_A_READ = 100;

const listing = t.Object({
  eventName: t.Optional(t.String({ maxLength: 255 })),
  contactId: t.Optional(t.String({ minLength: 1, maxLength: 100 })),
  limit: t.Optional(wholeNumber(1, 1_000, DEFAULT_LIMIT)),
  cursor: t.Optional(t.String({ maxLength: 100 })),
});
const page = t.Object({ events: t.Array(eventShape), cursor: nullable(t.String()), hasMore: t.Boolean() });
const names = t.Object({ eventNames: t.Array(t.String()) });

export function activityRoutes(access: Access) {
  const { store } = access;
  return new Elysia({ prefix: "/events" })
    .use(secretKey(access))
    .get(
      "",
      ({ query, caller }) => {
        const before = query.cursor === undefined ? null : keyInCursor(LIST, "number", query.cursor);
        const limit = query.limit ?? DEFAULT_LIMIT;
        return store.read(
          async (reader) => {
            const { workspace } = caller;
            const contact = query.contactId ? (await findContact(reader, workspace, query.contactId)).seq : null;
            const filter = { workspace, contact, name: query.eventName ?? null };
            const { events, hasMore } = await someEvents(reader, filter, before, limit);
            return {
              events: events.map((event) => eventRecord(event, caller.workspaceId)),
              cursor: hasMore ? cursorOf(LIST, events.at(-1)?.seq ?? 0) : null,
              hasMore,
            };
          },
          { longFor: caller.workspace },
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
        eventNames: await store.read((reader) => eventNames(reader, caller.workspace, MAX_NAMES), {
          longFor: caller.workspace,
        }),
      }),
      { detail: answers("List the names of events that there have been", { 200: names }) },
    );
}

type SomeEvents = { readonly events: readonly LoggedEvent[]; readonly hasMore: boolean };

/** At least one, if there is one. */
async function someEvents(
  reader: Reader,
  filter: LogFilter,
  before: number | null,
  limit: number,
): Promise<SomeEvents> {
  const events: LoggedEvent[] = [];
  for (let chars = 0; ;) {
    const wanted = Math.min(EVENTS_A_READ, limit + 1 - events.length);
    const rows = await loggedEvents(reader, filter, events.at(-1)?.seq ?? before, wanted);
    for (const row of rows) {
      chars += row.data.length;
      if (events.length === limit || (events.length > 0 && chars > MAX_CHARS_A_PAGE)) return { events, hasMore: true };
      events.push(row);
    }
    if (rows.length < wanted) return { events, hasMore: false };
  }
}
