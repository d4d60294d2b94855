// The overview of a workspace as the interface shows it.
import { t } from "elysia";
import { noteForYou } from "../notes/record.ts";
import { NEED_SHAPES } from "../../operator/operation/needs/record.ts";
import { countShape, timeShape } from "../../http/answer-shapes.ts";

export const overviewShape = t.Object(
  {
    attention: t.Array(
      t.Union([...NEED_SHAPES, noteForYou], {
        discriminator: "kind",
      }),
    ),
    firstSteps: t.Object({
      named: t.Boolean({ description: "Somebody has given the workspace a name." }),
      mailSent: t.Boolean({ description: "Email to the team, such as an invitation, does not count." }),
      domainVerified: t.Boolean({ description: "By its record; the domain for trying things out does not count." }),
      bouncesSetUp: t.Boolean({
        description:
          "A message has come to a return path, or Amazon SES or a provider has reported something: a setting alone is not enough.",
      }),
      contacts: t.Boolean({
        description: "There are subscribed contacts; who gets a transactional email is not subscribed by it.",
      }),
      team: t.Boolean({ description: "More than one user can sign in." }),
      brand: t.Boolean({ description: "The brand has a logo or a color." }),
      template: t.Boolean({ description: "There is a template." }),
      campaign: t.Boolean({ description: "There is a campaign." }),
      webhook: t.Boolean({ description: "There is a webhook." }),
    }),
  },
  { title: "Overview" },
);

export type Overview = typeof overviewShape.static;
export type OverviewNeed = Overview["attention"][number];

export const statesShape = t.Object(
  {
    since: timeShape,
    accepted: t.Number({ minimum: 0, multipleOf: 1, description: "The sum of the others." }),
    isLowerBound: t.Boolean({ description: "Counting stopped at some bound: there may be more." }),
    waiting: t.Number({ minimum: 0, multipleOf: 1, description: "QUEUED or SENDING." }),
    sent: t.Number({ minimum: 0, multipleOf: 1, description: "SENT or DELIVERED." }),
    perhapsDelivered: countShape,
    failed: countShape,
    skipped: t.Number({
      minimum: 0,
      multipleOf: 1,
      description: "Not sent: the recipient was not subscribed any more.",
    }),
    cancelled: countShape,
    bounced: countShape,
    complained: countShape,
  },
  { title: "MailStates" },
);

export type States = typeof statesShape.static;
