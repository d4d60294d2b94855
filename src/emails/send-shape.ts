// The shape of POST /v1/send's body (interface.md; attachments: interface-gaps.md §2).
import { t } from "elysia";
import { oneOf } from "../http/answer-shapes.ts";
import { addressShape, dataShape, nameShape, optional, subjectOrNoneShape } from "../http/schemas.ts";

const mailbox = t.Union([addressShape, t.Object({ email: addressShape, name: optional(nameShape) })]);

const attachment = t.Object({
  filename: t.String({ minLength: 1, maxLength: 255, pattern: '^[^\\r\\n"]*$' }),
  content: t.String({ minLength: 1, description: "Base64." }),
  contentType: optional(t.String({ minLength: 1, maxLength: 255, pattern: "^[^\\r\\n]*$" })),
  type: optional(t.String({ minLength: 1, maxLength: 255, pattern: "^[^\\r\\n]*$" }), "The same as `contentType`."),
  disposition: optional(oneOf("attachment", "inline")),
  contentId: optional(t.String({ minLength: 1, maxLength: 255, pattern: "^[^<>\\s]*$" }), "An inline file needs one."),
});

const example = {
  to: { email: "ada@example.com", name: "Ada" },
  from: "Shop <shop@example.test>",
  subject: "Your order",
  body: '<p>Hello {{ name ?? "there" }}, thank you.</p>',
};

export const sendShape = t.Object(
  {
    to: t.Union([mailbox, t.Array(mailbox, { minItems: 1, maxItems: 50 })], {
      description: "An address, `Name <address>`, an object, or up to 50 of them. Each gets a mail of its own.",
    }),
    from: optional(mailbox, "Its domain must be verified. Required unless the template has one."),
    subject: optional(subjectOrNoneShape, "Required without a template."),
    body: optional(t.String({ maxLength: 10_000_000 }), "HTML. Required without a template."),
    text: optional(t.String({ maxLength: 10_000_000 }), "Made from the HTML unless given; an empty one means none."),
    template: optional(t.String({ maxLength: 200 }), "A template's id. What the request itself says wins."),
    name: optional(nameShape, "The sender's display name."),
    subscribed: optional(t.Boolean(), "A new contact is not subscribed unless this says so."),
    data: optional(
      dataShape,
      "Variables, kept with the contact too. `null` deletes one; `{ value, persistent: false }` is for this mail only.",
    ),
    headers: optional(t.Record(t.String(), t.String()), "More header fields, by name."),
    reply: optional(addressShape, "Where answers go: an address, or `Name <address>`."),
    attachments: optional(t.Array(attachment, { maxItems: 10 }), "10 MB in all."),
    sendAt: optional(
      t.String({ maxLength: 40 }),
      "A date-time with its zone, up to 30 days ahead. What is past means now.",
    ),
    tracking: optional(t.Boolean(), "false: opens and clicks of these mails are not looked for."),
  },
  { examples: [example] },
);

export type SendBody = typeof sendShape.static;
export type MailboxField = typeof mailbox.static;
export type AttachmentField = typeof attachment.static;
