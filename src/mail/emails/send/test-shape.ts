// The shapes of POST /campaigns/{id}/test and POST /templates/{id}/test.
import { t } from "elysia";
import { idShape, wrapped } from "../../../http/answer-shapes.ts";
import { addressShape, idInputShape, optional } from "../../../http/schemas.ts";

export const MOST_COPIES = 10;

export const testShape = t.Object(
  {
    email: optional(addressShape, "Required without `emails`."),
    emails: optional(
      t.Array(addressShape, { minItems: 1, maxItems: MOST_COPIES }),
      `Up to ${MOST_COPIES} addresses, with \`email\` included. Each gets a copy of its own.`,
    ),
    contactId: optional(idInputShape, "The contact whose data the copies show. Otherwise each shows its recipient's."),
  },
  { examples: [{ email: "ada@example.com" }] },
);

export const testedShape = wrapped(
  t.Object({
    email: { ...idShape, description: "The id of the first copy." },
    emails: t.Optional(
      t.Array(t.Object({ to: t.String(), email: idShape }), { description: "Every copy, if `emails` was given." }),
    ),
  }),
);
