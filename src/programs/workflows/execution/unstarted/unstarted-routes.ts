// GET /workflows/{id}/unstarted: events that started nothing, and why.
import { t } from "elysia";
import { findContact } from "../../../../audience/contacts/contact.ts";
import { countShape, emailAddressShape, idShape, nullable, oneOf, timeShape } from "../../../../http/answer-shapes.ts";
import { idInputShape, parameter, wholeNumber } from "../../../../http/schemas.ts";
import { cursorOf, keyInCursor } from "../../../../store/page.ts";
import type { Access } from "../../../../tenant/access/auth.ts";
import { get, routes } from "../../../../tenant/access/route-table.ts";
import { findWorkflow } from "../../definition/workflow.ts";
import { KEPT, REASONS, SAID, type UnstartedReason } from "./unstarted.ts";
import { countUnstarted, unstartedPage, type UnstartedExecution } from "./unstarted-queries.ts";

const reasonShape = oneOf(...REASONS);
const unstartedShape = t.Object(
  {
    eventId: idShape,
    eventName: t.String(),
    contact: nullable(t.Object({ id: idShape, email: emailAddressShape })),
    reason: reasonShape,
    message: t.String(),
    createdAt: timeShape,
  },
  { title: "UnstartedEvent" },
);

const LIST = "unstarted";
const DEFAULT_LIMIT = 20;

export function unstartedRoutes(access: Access) {
  return routes(access, [
    get(
      "/workflows/:id/unstarted",
      {
        name: "listUnstarted",
        summary: "List events that started nothing, newest first",
        answers: {
          200: t.Object(
            {
              data: t.Array(unstartedShape),
              counts: t.Array(t.Object({ reason: reasonShape, events: countShape })),
              total: t.Number({ description: "Of all reasons." }),
              isLowerBound: t.Boolean({
                description: "Only the last ten thousand are kept, and there may have been more.",
              }),
              cursor: nullable(t.String()),
              hasMore: t.Boolean(),
            },
            { title: "UnstartedEvents" },
          ),
        },
        permission: "read",
        query: t.Object({
          reason: parameter(reasonShape, "Only those with this reason."),
          contactId: parameter(idInputShape, "Only those of this contact."),
          limit: parameter(wholeNumber(1, 100), "20 unless given."),
          cursor: parameter(t.String({ maxLength: 100 }), "The `cursor` of the page before."),
        }),
        refuses: ["WORKFLOW_NOT_FOUND", "CONTACT_NOT_FOUND"],
        description:
          "Events that an enabled workflow listens to. `counts` and `total` are those of the workflow, whatever the list is filtered by.",
      },
      async (reader, { params, query, caller: { workspace } }) => {
        const { seq: workflow } = await findWorkflow(reader, workspace, params.id);
        const { reason = null, contactId, limit = DEFAULT_LIMIT, cursor } = query;
        const contact = contactId === undefined ? null : (await findContact(reader, workspace, contactId)).seq;
        const before = cursor === undefined ? null : keyInCursor(LIST, "number", cursor);
        const rows = await unstartedPage(reader, { workflow, contact, reason }, { before, limit: limit + 1 });
        const shown = rows.slice(0, limit);
        const hasMore = rows.length > limit;
        const last = shown.at(-1);
        return {
          data: shown.map(unstartedRecord),
          ...(await countsOf(reader, workflow)),
          cursor: hasMore && last ? cursorOf(LIST, last.seq) : null,
          hasMore,
        };
      },
      "long",
    ),
  ]);
}

function unstartedRecord({
  contactId,
  contactEmail,
  reason: known,
  ...row
}: UnstartedExecution): typeof unstartedShape.static {
  const { eventId, eventName, createdAt } = row;
  const reason = known as UnstartedReason;
  const contact = contactId === null || contactEmail === null ? null : { id: contactId, email: contactEmail };
  return { eventId, eventName, contact, reason, message: SAID[reason], createdAt };
}

async function countsOf(reader: Parameters<typeof countUnstarted>[0], workflow: number) {
  const counts = (await countUnstarted(reader, workflow, KEPT))
    .map(({ reason, events }) => ({ reason: reason as UnstartedReason, events }))
    .sort((one, other) => other.events - one.events);
  const total = counts.reduce((sum, { events }) => sum + events, 0);
  return { counts, total, isLowerBound: total >= KEPT };
}
