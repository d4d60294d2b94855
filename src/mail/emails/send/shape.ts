// The shape of POST /v1/send's body.
import { topicKeyShape } from "../../../audience/topics/record.ts";
import { t } from "elysia";
import { idShape, oneOf } from "../../../http/answer-shapes.ts";
import {
  addressShape,
  dataShape,
  mailboxShape,
  nameShape,
  optional,
  preheaderShape,
  shownAs,
  subjectOrNoneShape,
  timeInputShape,
} from "../../../http/schemas.ts";
import { labelFields } from "../../../http/label-shapes.ts";
import { alsoSpelt, SPELLINGS } from "../../../http/body/spellings.ts";

export const MOST_RECIPIENTS = 50;

const mailbox = t.Union([mailboxShape, t.Object({ email: addressShape, name: optional(nameShape) })]);

export const MOST_ATTACHMENTS = 10;

export const attachment = t.Object({
  filename: t.String({ minLength: 1, maxLength: 255, pattern: '^[^\\r\\n"]*$' }),
  content: t.String({ minLength: 1, description: "Base64." }),
  contentType: optional(t.String({ maxLength: 255, pattern: "^[^\\r\\n]*$" }), "Guessed from the name unless given."),
  type: optional(t.String({ maxLength: 255, pattern: "^[^\\r\\n]*$" }), "The same as `contentType`."),
  disposition: optional(oneOf("attachment", "inline")),
  contentId: optional(
    t.String({ maxLength: 255, pattern: "^[!-;=?-~]*$" }),
    "In ASCII, without blanks or angle brackets. An inline file needs one.",
  ),
});

const example = {
  to: { email: "ada@example.com", name: "Ada" },
  from: "Shop <shop@example.test>",
  subject: "Your order",
  body: '<p>Hello {{ name ?? "there" }}, thank you.</p>',
};

const copies = (description: string) =>
  optional(t.Union([mailbox, t.Literal(""), t.Array(mailbox, { maxItems: MOST_RECIPIENTS })]), description);

export const sendShape = t.Object(
  {
    to: t.Union([mailbox, t.Array(mailbox, { minItems: 1, maxItems: MOST_RECIPIENTS })], {
      description:
        "An address, `Name <address>`, an object, or up to 50 of them. Each gets an email of its own, unless the request is for a group.",
    }),
    cc: alsoSpelt(
      copies("As `to`. All recipients then are a group: they get one message, which names those in `to` and `cc`."),
      SPELLINGS.cc,
    ),
    bcc: alsoSpelt(
      copies("As `cc`; the message names nobody of them. `to`, `cc` and `bcc` together have up to 50 recipients."),
      SPELLINGS.bcc,
    ),
    group: optional(
      t.Boolean(),
      "`true`: those in `to` are a group without `cc` or `bcc` too, and get one message that names them all.",
    ),
    from: optional(mailbox, "Its domain must be verified. Required unless the template has one."),
    subject: optional(subjectOrNoneShape, "Required without a template."),
    body: alsoSpelt(
      optional(t.String(), "HTML, up to 1 MB in UTF-8. Required without a template or a `text`."),
      SPELLINGS.body,
    ),
    preheader: optional(
      preheaderShape,
      "What lists of emails show beside the subject: hidden text at the start of the HTML.",
    ),
    text: optional(
      t.String(),
      "Plain text, up to 1 MB in UTF-8. Made from the HTML unless given; an empty text means no text part.",
    ),
    template: optional(
      shownAs(t.String({ maxLength: 200 }), idShape),
      "A template's id or alias; `receipt@3` is its version 3. Fields of the request take precedence.",
    ),
    name: optional(nameShape, "The sender's display name."),
    topic: optional(
      topicKeyShape,
      "The key of a topic, with a MARKETING template; that of the template unless given. Who has left it gets nothing.",
    ),
    subscribed: optional(t.Boolean(), "A new contact is subscribed only if this is `true`."),
    ignoreSuppression: optional(
      t.Boolean(),
      "`true`: transactional email goes out even to a suppressed address, such as a notice that the law demands. Only a key with all permissions may; it is in the audit log.",
    ),
    skipSuppressed: optional(
      t.Boolean(),
      "`true`: recipients whose addresses are suppressed are left out and named in `skipped`, and the others get the email. Otherwise one of them refuses the request.",
    ),
    data: optional(
      dataShape,
      "Variables of this email. They are stored with the contact only with `persistent`, as `{ value, persistent: true }`, or where the workspace's `sendData` is `stored`.",
    ),
    literal: optional(
      t.Boolean(),
      "`true`: braces in the texts of this request are braces, and nothing is filled in. Without it a text that cannot be read is refused if there is `data`, and sent as it stands, with a warning, if there is none.",
    ),
    persistent: optional(
      t.Boolean(),
      "`true`: `data` is stored with the contact too, except a `{ value, persistent: false }`; `null` in it deletes a key. `false`: it is for this email only.",
    ),
    headers: optional(t.Record(t.String(), t.String()), "More header fields, by name."),
    reply: alsoSpelt(optional(mailboxShape, "Reply-To: an address, or `Name <address>`."), SPELLINGS.reply),
    attachments: optional(t.Array(attachment, { maxItems: MOST_ATTACHMENTS }), "10 MB in all."),
    ...labelFields("For finding its emails"),
    sendAt: alsoSpelt(
      optional(timeInputShape, "A date-time with a time zone, up to 366 days ahead. A time in the past means now."),
      SPELLINGS.sendAt,
    ),
    tracking: optional(t.Boolean(), "`false` turns off open and click tracking for these emails."),
  },
  { examples: [example] },
);

export type SendBody = typeof sendShape.static;
export type MailboxField = typeof mailbox.static;
export type AttachmentField = typeof attachment.static;
