// The shapes of POST /v1/send/batch.
import { t } from "elysia";
import { errorShape, idShape, oneOf, timeShape } from "../../../http/answer-shapes.ts";
import { optional, shownAs } from "../../../http/schemas.ts";
import { attachment, MOST_ATTACHMENTS, sendShape } from "./shape.ts";
import { acceptedShape, skippedShape } from "./answer-shape.ts";

export const MOST_EMAILS = 100;
/** Recipients of all emails together. */
export const MOST_RECIPIENTS_OF_BATCH = 1_000;

const sameFile = t.Object(
  {
    sameAs: t.String({
      pattern: "^\\d{1,2}\\.\\d$",
      description: "A file of another email of the batch: the number of that email and of the file there, both from 0.",
    }),
  },
  { examples: [{ sameAs: "0.0" }] },
);

/** The body of POST /v1/send; a file may refer to that of another email. */
export const batchItemShape = t.Object(
  {
    ...sendShape.properties,
    attachments: optional(
      t.Array(t.Union([attachment, sameFile]), { maxItems: MOST_ATTACHMENTS }),
      "10 MB in one email, 15 MB in all. A file that several emails have is sent and stored once.",
    ),
  },
  { title: "EmailOfBatch" },
);

export type BatchItem = typeof batchItemShape.static;

const example = {
  emails: [
    { to: "ada@example.com", from: "Shop <shop@example.test>", subject: "Your order", text: "Thank you, Ada." },
    { to: "bob@example.com", from: "Shop <shop@example.test>", subject: "Your order", text: "Thank you, Bob." },
  ],
};

export const batchShape = t.Object(
  {
    emails: shownAs(
      t.Array(t.Unknown(), { minItems: 1, maxItems: MOST_EMAILS }),
      t.Array(batchItemShape, {
        minItems: 1,
        maxItems: MOST_EMAILS,
        description: `Each as POST /v1/send takes it; at most ${MOST_RECIPIENTS_OF_BATCH} recipients together.`,
      }),
    ),
    mode: optional(
      oneOf("all", "each"),
      "`all`, unless given: one that is refused refuses the whole batch. `each`: it takes nothing from the others, and `results` says why it was refused.",
    ),
  },
  { examples: [example] },
);

export const batchedShape = t.Object({
  results: t.Array(
    t.Object({
      ok: t.Boolean({ description: "Whether it was accepted." }),
      emails: t.Optional(t.Array(acceptedShape, { description: "As POST /v1/send answers them." })),
      group: t.Optional(idShape),
      skipped: t.Optional(skippedShape),
      error: t.Optional(errorShape.properties.error),
    }),
    { description: "One item an email, in their order." },
  ),
  timestamp: timeShape,
});
