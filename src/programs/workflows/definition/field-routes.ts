// GET /workflows/fields: the fields that conditions can compare.
import { t } from "elysia";
import { shapeOf } from "../../../audience/activity/shapes.ts";
import { someEvents } from "../../../audience/activity/some-events.ts";
import { contactFields } from "../../../audience/contacts/list/fields.ts";
import { countShape, oneOf } from "../../../http/answer-shapes.ts";
import { parameter } from "../../../http/schemas.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { route, routes } from "../../../tenant/access/route-table.ts";
import { eventNameShape, isComparable } from "./steps/step-shape.ts";

const TYPES = ["string", "number", "boolean", "date", "object"] as const;
const typedShape = t.Object({ field: t.String(), type: oneOf(...TYPES) });
type FieldTypeBody = typeof typedShape.static;

const LOOKED_AT = 200;

export function fieldRoutes(access: Access) {
  const { store } = access;
  return routes(access, [
    route(
      "GET",
      "/workflows/fields",
      {
        name: "listWorkflowFields",
        summary: "List the fields that conditions can compare",
        answers: {
          200: t.Object({ fields: t.Array(t.String()), typedFields: t.Array(typedShape), count: countShape }),
        },
        permission: "read",
        query: t.Object({ eventName: parameter(eventNameShape, "Only events of this name are looked at.") }),
        description: `\`contact.…\` as \`GET /contacts/fields\` has them, and \`event.…\` from the newest ${LOOKED_AT} events; by name.`,
      },
      async ({ query, caller: { workspace } }) => {
        const filter = { workspace, contact: null, name: query.eventName ?? null };
        const ofContacts = await contactFields(store, workspace);
        const events = await store.read((reader) => someEvents(reader, filter, null, LOOKED_AT), {
          longFor: workspace,
        });
        const typedFields = [
          ...ofContacts.map(ofContact),
          ...shapeOf(events.events.map(({ data }) => data)).map(ofEvent),
        ]
          .filter(({ field }) => isComparable(field))
          .sort((one, other) => (one.field < other.field ? -1 : 1));
        return { fields: typedFields.map(({ field }) => field), typedFields, count: typedFields.length };
      },
    ),
  ]);
}

function ofContact({ field, type }: FieldTypeBody): FieldTypeBody {
  return { field: `contact.${field}`, type };
}

function ofEvent({ path, types }: ReturnType<typeof shapeOf>[number]): FieldTypeBody {
  const [type = "null"] = types;
  if (type === "text" || type === "null") return { field: `event.${path}`, type: "string" };
  return { field: `event.${path}`, type: type === "list" ? "object" : type };
}
