// A saved view as the interface takes and shows it.
import { t } from "elysia";
import { idShape, timeShape } from "../../http/answer-shapes.ts";
import { idInputShape, optional, recordNameShape } from "../../http/schemas.ts";
import { emailStatusShape, happeningShape, providerShape, reasonShape, sourceTypeShape } from "../shape.ts";
import { OTHER_LISTS } from "./lists.ts";
import type { StoredView } from "./queries.ts";

const MOMENT = "A date-time, or how long before now: `24h`, `7d`.";
const momentShape = t.String({
  pattern: "^(\\d{1,4}[hd]|\\d{4}-\\d\\d-\\d\\d(T[\\d:.]{5,12}(Z|[+-]\\d\\d:?\\d\\d))?)$",
});

/** The parameters of GET /emails. */
const filterShape = t.Object(
  {
    search: optional(t.String({ minLength: 1, maxLength: 255 })),
    status: optional(t.Array(emailStatusShape, { minItems: 1, maxItems: 9 })),
    held: optional(t.Boolean()),
    retrying: optional(t.Boolean()),
    sourceType: optional(sourceTypeShape),
    contactId: optional(idInputShape),
    campaignId: optional(idInputShape),
    templateId: optional(t.String({ minLength: 1, maxLength: 100 })),
    workflowId: optional(idInputShape),
    stepId: optional(idInputShape, "With its `workflowId`."),
    domain: optional(t.String({ minLength: 1, maxLength: 255 })),
    provider: optional(providerShape),
    reason: optional(reasonShape),
    failedSince: optional(momentShape, MOMENT),
    happened: optional(happeningShape),
    since: optional(momentShape, MOMENT),
    until: optional(momentShape, MOMENT),
  },
  { additionalProperties: false, description: "In the words of `GET /emails`." },
);

export const viewInputShape = t.Object(
  {
    name: recordNameShape,
    filter: filterShape,
    shared: optional(
      t.Boolean(),
      "For the whole workspace; for oneself unless given. Views that are saved with a key are shared.",
    ),
  },
  { examples: [{ name: "Receipts that failed", filter: { status: ["FAILED"], search: "receipt", since: "7d" } }] },
);

export const viewShape = t.Object(
  { id: idShape, name: t.String(), filter: filterShape, shared: t.Boolean(), createdAt: timeShape },
  { title: "MailView" },
);
export type View = typeof viewShape.static;

export function viewRecord<Filter>({ id, person, name, filter, createdAt }: StoredView) {
  return { id, name, filter: JSON.parse(filter) as Filter, shared: person === null, createdAt };
}

export const otherListShape = t.Union(
  OTHER_LISTS.map((list) => t.Literal(list)),
  { description: "Which list it is a view of." },
);

const otherFilterShape = t.Record(
  t.String({ pattern: "^[a-zA-Z]{1,40}$" }),
  t.String({ minLength: 1, maxLength: 255 }),
  {
    additionalProperties: false,
    maxProperties: 20,
    description: "The parameters of the list's address.",
  },
);

export const otherInputShape = t.Object(
  {
    list: otherListShape,
    name: recordNameShape,
    filter: otherFilterShape,
    shared: optional(t.Boolean(), "For the whole workspace; for oneself unless given."),
  },
  { examples: [{ list: "people", name: "New this week", filter: { since: "7d" } }] },
);
export type OtherInput = typeof otherInputShape.static;

export const otherShape = t.Object(
  {
    id: idShape,
    list: otherListShape,
    name: t.String(),
    filter: t.Record(t.String(), t.String()),
    shared: t.Boolean(),
    createdAt: timeShape,
  },
  { title: "ListView" },
);
