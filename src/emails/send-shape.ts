// The shape of POST /v1/send's body (interface.md; attachments: interface-gaps.md §2).
import { t } from "elysia";
import { addressShape, dataShape, nameShape, optional, subjectOrNoneShape } from "../http/schemas.ts";

const mailbox = t.Union([addressShape, t.Object({ email: addressShape, name: optional(nameShape) })]);

const attachment = t.Object({
  filename: t.String({ minLength: 1, maxLength: 255, pattern: '^[^\\r\\n"]*$' }),
  content: t.String({ minLength: 1 }),
  contentType: optional(t.String({ minLength: 1, maxLength: 255, pattern: "^[^\\r\\n]*$" })),
  type: optional(t.String({ minLength: 1, maxLength: 255, pattern: "^[^\\r\\n]*$" })),
  disposition: optional(t.Union([t.Literal("attachment"), t.Literal("inline")])),
  contentId: optional(t.String({ minLength: 1, maxLength: 255, pattern: "^[^<>\\s]*$" })),
});

const example = {
  to: { email: "ada@example.com", name: "Ada" },
  from: "Shop <shop@example.test>",
  subject: "Your order",
  body: '<p>Hello {{ name ?? "there" }}, thank you.</p>',
};

export const sendShape = t.Object(
  {
    to: t.Union([mailbox, t.Array(mailbox, { minItems: 1, maxItems: 50 })]),
    from: optional(mailbox),
    subject: optional(subjectOrNoneShape),
    body: optional(t.String({ maxLength: 10_000_000 })),
    text: optional(t.String({ maxLength: 10_000_000 })),
    template: optional(t.String({ maxLength: 200 })),
    name: optional(nameShape),
    subscribed: optional(t.Boolean()),
    data: optional(dataShape),
    headers: optional(t.Record(t.String(), t.String())),
    reply: optional(addressShape),
    attachments: optional(t.Array(attachment, { maxItems: 10 })),
    sendAt: optional(t.String({ maxLength: 40 })),
  },
  { examples: [example] },
);

export type SendBody = typeof sendShape.static;
export type MailboxField = typeof mailbox.static;
export type AttachmentField = typeof attachment.static;
