// A saved view as the interface takes and shows it.
import { t } from "elysia";
import { idShape, timeShape } from "../../http/answer-shapes.ts";
import { idInputShape, optional, recordNameShape } from "../../http/schemas.ts";
import { emailStatusShape, reasonShape, sourceTypeShape } from "../shape.ts";
import type { StoredView } from "./queries.ts";

const MOMENT = "A date-time, or how long before now: `24h`, `7d`.";
const momentShape = t.String({
  pattern: "^(\\d{1,4}[hd]|\\d{4}-\\d\\d-\\d\\d(T[\\d:.]{5,12}(Z|[+-]\\d\\d:?\\d\\d))?)$",
});

/** The parameters of GET /emails. */
const filterShape = t.Object(
  {
    search: optional(t.String({ minLength: 1, maxLength: 255 })),
    status: optional(t.Array(emailStatusShape, { minItems: 1, maxItems: 8 })),
    held: optional(t.Boolean()),
    sourceType: optional(sourceTypeShape),
    contactId: optional(idInputShape),
    campaignId: optional(idInputShape),
    templateId: optional(t.String({ minLength: 1, maxLength: 100 })),
    workflowId: optional(idInputShape),
    domain: optional(t.String({ minLength: 1, maxLength: 255 })),
    reason: optional(reasonShape),
    failedSince: optional(momentShape, MOMENT),
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
export type ViewInput = typeof viewInputShape.static;

export const viewShape = t.Object(
  { id: idShape, name: t.String(), filter: filterShape, shared: t.Boolean(), createdAt: timeShape },
  { title: "MailView" },
);
export type View = typeof viewShape.static;

export function viewRecord({ id, person, name, filter, createdAt }: StoredView): View {
  return { id, name, filter: JSON.parse(filter) as View["filter"], shared: person === null, createdAt };
}
