// /events/names, /events/counts, /events/shape: which events exist, how often they occur, and what their data looks
// like.
import { t } from "elysia";
import { countShape, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { eventNames, lastOfName } from "../../tenant/events/queries.ts";
import type { Reader } from "../../store/store.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { get, routes } from "../../tenant/access/route-table.ts";
import { someEvents } from "./some-events.ts";
import { shapeOf, TYPES } from "./shapes.ts";

const MAX_NAMES = 10_000;
const MAX_COUNTED_NAMES = 500;
const MOST_COUNTED = 10_000;
const BUDGET_MS = 250;
const LOOKED_AT = 200;

const nameShape = t.Object(
  {
    name: t.String(),
    count: t.Union([countShape, t.Null()], { description: "Null = there was no time to count it." }),
    isLowerBound: t.Boolean({ description: `There are more than ${MOST_COUNTED}.` }),
    lastAt: timeShape,
  },
  { title: "EventName" },
);

const fieldShape = t.Object({
  path: t.String({ description: "Keys of nested objects have dots between." }),
  types: t.Array(oneOf(...TYPES)),
  seen: t.Number({ minimum: 0, multipleOf: 1, description: "In how many of the events." }),
  samples: t.Array(t.String()),
});

export function nameRoutes(access: Access) {
  const { clock } = access;
  return routes(access, [
    get(
      "/events/names",
      {
        name: "listEventNames",
        summary: "List the names of recorded events",
        answers: { 200: t.Object({ eventNames: t.Array(t.String()) }) },
        permission: "read",
      },
      async (reader, { caller }) => ({ eventNames: await eventNames(reader, caller.workspace, MAX_NAMES) }),
      "long",
    ),
    get(
      "/events/counts",
      {
        name: "countEvents",
        summary: "Count events by their names",
        answers: {
          200: t.Object(
            {
              names: t.Array(nameShape),
              hasMore: t.Boolean({ description: `There are more than ${MAX_COUNTED_NAMES} names.` }),
            },
            { title: "EventNames" },
          ),
        },
        permission: "read",
        description: "The name whose event came last is first. What is forgotten is not counted.",
      },
      (reader, { caller }) => countsOf(reader, caller.workspace, clock),
      "long",
    ),
    get(
      "/events/shape",
      {
        name: "getEventShape",
        summary: "Show what events of a name tell",
        answers: { 200: t.Object({ events: countShape, fields: t.Array(fieldShape) }, { title: "EventShape" }) },
        permission: "read",
        query: t.Object({ eventName: t.String({ minLength: 1, maxLength: 255, description: "The name." }) }),
        description: `Of the newest ${LOOKED_AT} events, which are \`events\`: the keys of their data, up to 100, their types and a few values.`,
      },
      async (reader, { query, caller: { workspace } }) => {
        const filter = { workspace, contact: null, name: query.eventName };
        const { events } = await someEvents(reader, filter, null, LOOKED_AT);
        return { events: events.length, fields: shapeOf(events.map(({ data }) => data)) };
      },
      "long",
    ),
  ]);
}

async function countsOf(reader: Reader, workspace: number, clock: Access["clock"]) {
  const endMs = clock.monotonicMs() + BUDGET_MS;
  const all = await eventNames(reader, workspace, MAX_COUNTED_NAMES + 1);
  const names: (typeof nameShape.static)[] = [];
  for (const name of all.slice(0, MAX_COUNTED_NAMES)) {
    const most = clock.monotonicMs() < endMs ? MOST_COUNTED + 1 : 0;
    const found = await lastOfName(reader, { workspace, name }, most);
    if (!found) continue;
    const count = most === 0 ? null : Math.min(found.count, MOST_COUNTED);
    names.push({ name, count, isLowerBound: found.count > MOST_COUNTED, lastAt: found.lastAt });
  }
  return {
    names: names.sort((one, other) => (one.lastAt < other.lastAt ? 1 : -1)),
    hasMore: all.length > MAX_COUNTED_NAMES,
  };
}
