// The record of the statistics of mails, for the interface.
import { t } from "elysia";
import { countShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";

const counts = {
  accepted: countShape,
  sent: countShape,
  delivered: countShape,
  failed: countShape,
  bounced: countShape,
  hardBounced: countShape,
  softBounced: countShape,
  complained: countShape,
  opened: countShape,
  clicked: countShape,
  unsubscribed: countShape,
  leftTopic: countShape,
  skipped: countShape,
  cancelled: countShape,
};
const countsShape = t.Object(counts, { title: "MailCounts" });
export type StatisticsCounts = typeof countsShape.static;

export const reportedShape = t.Boolean({
  description: "False = no delivery was ever reported here, so that none is counted says nothing.",
});

export const stepShape = oneOf("hour", "day", "week");
export const byShape = oneOf("sourceType", "domain", "template", "campaign", "provider", "tag", "way");

export const statisticsShape = t.Object(
  {
    from: timeShape,
    to: timeShape,
    step: stepShape,
    timeZone: t.String(),
    countedFrom: t.Union([timeShape, t.Null()], {
      description: "What happened before then is not counted, because there is too much of it. Null = all is.",
    }),
    isEstimate: t.Boolean({
      description:
        "Counted by days of UTC, each in the period that has its noon, because counting by the hour would take long.",
    }),
    deliveriesReported: reportedShape,
    series: t.Array(
      t.Object({
        group: nullable(t.String()),
        totals: countsShape,
        points: t.Array(t.Object({ at: timeShape, ...counts })),
      }),
    ),
  },
  { title: "MailStatistics" },
);

export const tagsShape = t.Object(
  {
    tags: t.Array(
      t.Object({
        name: t.String(),
        usedOn: t.String({ description: "The last day, in UTC.", examples: ["2026-03-01"] }),
      }),
    ),
  },
  { title: "Tags" },
);

export type Statistics = typeof statisticsShape.static;
