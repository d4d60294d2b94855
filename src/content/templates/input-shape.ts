// The input of calls about templates.
import { t } from "elysia";
import {
  nameShape,
  optional,
  preheaderShape,
  pageShape,
  parameter,
  recordNameShape,
  subjectShape,
  wholeNumber,
} from "../../http/schemas.ts";
import { labelFields } from "../../http/label-shapes.ts";
import { alsoSpelt, SPELLINGS } from "../../http/body/spellings.ts";
import { ifUpdatedAtShape } from "../../tenant/access/saving-shape.ts";
import { writtenOptions } from "./written-shape.ts";
import { templateTypeShape } from "./record.ts";
import { MAX_SOURCE_CHARS } from "./liquid/render.ts";

const body = t.String({ minLength: 1, maxLength: MAX_SOURCE_CHARS });
const options = {
  alias: optional(
    t.String({ maxLength: 64, pattern: "^([a-z0-9]([a-z0-9_-]*[a-z0-9])?)?$" }),
    "Lower-case letters, digits, `-` and `_`; taken in place of the id. An empty text means no alias.",
  ),
  publishManually: optional(
    t.Boolean(),
    "What is sent changes when the template is published, not with each change. Switching it off publishes what it says.",
  ),
  description: optional(t.String({ maxLength: 500 })),
  preheader: optional(preheaderShape, "What lists of emails show beside the subject: hidden, at the start."),
  text: optional(t.String({ maxLength: MAX_SOURCE_CHARS })),
  from: optional(t.String({ maxLength: 1000 }), "An address, or `Name <address>`."),
  fromName: optional(nameShape),
  replyTo: alsoSpelt(optional(t.String({ maxLength: 1000 }), "An address, or `Name <address>`."), SPELLINGS.replyTo),
  ...writtenOptions,
  ...labelFields("For finding its emails, with those of the request"),
};
const example = {
  name: "Receipt",
  subject: "Your order {{ order.number }}",
  body: '<p>Hello {{ name ?? "there" }}, thank you for your order.</p>',
  type: "TRANSACTIONAL",
  from: "shop@example.test",
};
export const creation = t.Object(
  {
    name: recordNameShape,
    subject: subjectShape,
    body: alsoSpelt(body, SPELLINGS.body),
    type: templateTypeShape,
    ...options,
  },
  { examples: [example] },
);
export const change = t.Object(
  {
    name: optional(recordNameShape),
    subject: optional(subjectShape),
    body: alsoSpelt(optional(body), SPELLINGS.body),
    type: optional(templateTypeShape),
    ...options,
    ifUpdatedAt: ifUpdatedAtShape,
  },
  { examples: [{ subject: "Order {{ order.number }}" }] },
);
export const listing = t.Object({
  ...pageShape,
  limit: parameter(wholeNumber(1, 100), "Another name for `pageSize`."),
  cursor: parameter(
    t.String({ maxLength: 100 }),
    "The `cursor` of the page before. Pages go on in its size, and `page` is left out.",
  ),
  type: parameter(templateTypeShape, "Only templates of this type."),
  search: parameter(t.String({ maxLength: 200 }), "Part of the name, in any case."),
});
