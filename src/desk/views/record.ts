// A saved view as the interface takes and shows it.
import { t } from "elysia";
import { idShape, timeShape } from "../../http/answer-shapes.ts";
import { optional, recordNameShape } from "../../http/schemas.ts";
import type { StoredView } from "./queries.ts";

export const listShape = t.Union(
  ["mails", "people", "campaigns", "events"].map((list) => t.Literal(list)),
  { description: "Which list it is a view of." },
);

const filterShape = t.Record(t.String({ pattern: "^[a-zA-Z]{1,40}$" }), t.String({ minLength: 1, maxLength: 255 }), {
  additionalProperties: false,
  maxProperties: 20,
  description:
    "The parameters of the list's address, as texts: `status` is `FAILED,BOUNCED`, `since` a date-time or `7d`.",
});

export const viewInputShape = t.Object(
  {
    list: listShape,
    name: recordNameShape,
    filter: filterShape,
    shared: optional(
      t.Boolean(),
      "For the whole workspace; for oneself unless given. Views that are saved with a key are shared.",
    ),
  },
  { examples: [{ list: "mails", name: "Receipts that failed", filter: { status: "FAILED", search: "receipt" } }] },
);
export type ViewInput = typeof viewInputShape.static;

export const viewShape = t.Object(
  { id: idShape, list: listShape, name: t.String(), filter: filterShape, shared: t.Boolean(), createdAt: timeShape },
  { title: "View" },
);
export type View = typeof viewShape.static;

export function viewRecord({ id, list, person, name, filter, createdAt }: StoredView): View {
  return { id, list, name, filter: JSON.parse(filter) as View["filter"], shared: person === null, createdAt };
}
