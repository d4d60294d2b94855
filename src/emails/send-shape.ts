// The shape of POST /v1/send's body (interface.md; attachments: interface-gaps.md §2).
import { t } from "elysia";
import { addressShape, dataShape, nameShape, subjectShape } from "../http/schemas.ts";

const mailbox = t.Union([addressShape, t.Object({ email: addressShape, name: t.Optional(t.Union([nameShape, t.Null()])) })]);

const attachment = t.Object({
  filename: t.String({ minLength: 1, maxLength: 255, pattern: '^[^\\r\\n"]*$' }),
  content: t.String({ minLength: 1 }),
  contentType: t.Optional(t.String({ minLength: 1, maxLength: 255, pattern: "^[^\\r\\n]*$" })),
  type: t.Optional(t.String({ minLength: 1, maxLength: 255, pattern: "^[^\\r\\n]*$" })),
  disposition: t.Optional(t.Union([t.Literal("attachment"), t.Literal("inline")])),
  contentId: t.Optional(t.String({ minLength: 1, maxLength: 255, pattern: "^[^<>\\s]*$" })),
});

export const sendShape = t.Object({
  to: t.Union([mailbox, t.Array(mailbox, { minItems: 1, maxItems: 50 })]),
  from: t.Optional(t.Union([mailbox, t.Null()])),
  subject: t.Optional(t.Union([subjectShape, t.Literal(""), t.Null()])),
  body: t.Optional(t.Union([t.String({ maxLength: 10_000_000 }), t.Null()])),
  text: t.Optional(t.Union([t.String({ maxLength: 10_000_000 }), t.Null()])),
  template: t.Optional(t.Union([t.String({ maxLength: 200 }), t.Null()])),
  name: t.Optional(t.Union([nameShape, t.Null()])),
  subscribed: t.Optional(t.Boolean()),
  data: t.Optional(t.Union([dataShape, t.Null()])),
  headers: t.Optional(t.Union([t.Record(t.String(), t.String()), t.Null()])),
  reply: t.Optional(t.Union([addressShape, t.Null()])),
  attachments: t.Optional(t.Union([t.Array(attachment, { maxItems: 10 }), t.Null()])),
  sendAt: t.Optional(t.Union([t.String({ maxLength: 40 }), t.Null()])),
});

export type SendBody = typeof sendShape.static;
export type MailboxField = typeof mailbox.static;
export type AttachmentField = typeof attachment.static;
