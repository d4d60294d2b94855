// The documented JSON of a report, and the answer to a request with reports.
import { t } from "elysia";
import { countShape } from "../../http/answer-shapes.ts";

const text = (maxLength: number, description: string) => t.Optional(t.String({ maxLength, description }));

export const genericShape = t.Object(
  {
    type: t.Union([
      t.Literal("delivered"),
      t.Literal("bounced"),
      t.Literal("delayed"),
      t.Literal("complained"),
      t.Literal("unsubscribed"),
      t.Literal("opened"),
      t.Literal("clicked"),
    ]),
    emailId: text(100, "Our id of the email, if the relay knows it."),
    messageId: text(998, "Its Message-ID, which counts together with the recipient."),
    recipient: text(320, "The address that the email went to."),
    bounceType: t.Optional(t.Union([t.Literal("Permanent"), t.Literal("Transient")])),
    reason: text(2_000, "What the refusing server said, with its codes."),
    link: text(2_000, "What was clicked."),
  },
  { title: "ProviderReport" },
);

/** The body of the provider `generic`. */
export const reportsShape = t.Array(genericShape, {
  maxItems: 1_000,
  examples: [
    [
      {
        type: "bounced",
        messageId: "<0199a3b4@example.com>",
        recipient: "ada@example.com",
        reason: "550 5.1.1 unknown",
      },
    ],
  ],
});

export const takenShape = t.Object(
  {
    events: countShape,
    recorded: t.Number({
      minimum: 0,
      multipleOf: 1,
      description: "Those about an email that is known here. The others change nothing, and neither does a repeat.",
    }),
  },
  { title: "ProviderReportsTaken" },
);
