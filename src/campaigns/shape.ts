// The shapes of requests about campaigns.
import { t } from "elysia";
import { DAY_MS, HOUR_MS, iso } from "../clock.ts";
import { idShape } from "../http/answer-shapes.ts";
import {
  addressShape,
  dataShape,
  mailboxShape,
  nameShape,
  optional,
  preheaderShape,
  parameter,
  recordNameShape,
  shownAs,
  subjectShape,
  timeInputShape,
} from "../http/schemas.ts";
import { conditionInputShape } from "../segments/condition/record.ts";
import { MAX_SOURCE_CHARS } from "../templates/render.ts";
import { audienceTypeShape, campaignStatusShape } from "./record.ts";

/** How far ahead a campaign can be scheduled. */
export const MAX_DAYS_AHEAD = 366;

const body = t.String({ minLength: 1, maxLength: MAX_SOURCE_CHARS });
const audience = {
  segmentId: optional(
    shownAs(t.String({ minLength: 1, maxLength: 200 }), idShape),
    "For the audience SEGMENT; ignored with another audienceType.",
  ),
  audienceCondition: optional(
    shownAs(dataShape, conditionInputShape),
    "For the audience FILTERED; ignored with another audienceType.",
  ),
};
const options = {
  description: optional(t.String({ maxLength: 500 })),
  preheader: optional(preheaderShape, "What lists of mails show beside the subject."),
  text: optional(t.String({ maxLength: MAX_SOURCE_CHARS })),
  fromName: optional(nameShape),
  replyTo: optional(mailboxShape),
  ...audience,
};

const example = {
  name: "Spring news",
  subject: "{{ name ?? 'Hello' }}, it is spring",
  body: "<h1>It is spring</h1><p>See what is new.</p>",
  from: "news@example.test",
  audienceType: "ALL",
};

export const creationShape = t.Object(
  {
    name: recordNameShape,
    subject: subjectShape,
    body,
    from: mailboxShape,
    audienceType: audienceTypeShape,
    ...options,
  },
  { examples: [example] },
);

export const changeShape = t.Object(
  {
    name: optional(recordNameShape),
    subject: optional(subjectShape),
    body: optional(body),
    from: optional(mailboxShape),
    audienceType: optional(audienceTypeShape),
    ...options,
  },
  { examples: [{ subject: "It is spring" }] },
);

export const audienceInputShape = t.Object(
  { audienceType: audienceTypeShape, ...audience },
  { examples: [{ audienceType: "ALL" }] },
);

/** Far ahead, so that nobody who tries the example sends a campaign at once. */
const EXAMPLE_DAYS_AHEAD = 300;

/** With an example that lies ahead of `nowMs`, at a whole hour. */
export function sendingShape(nowMs: number) {
  const exampleMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS + EXAMPLE_DAYS_AHEAD * DAY_MS;
  return t.Object(
    {
      scheduledFor: optional(
        timeInputShape,
        `A date-time with a time zone, up to ${MAX_DAYS_AHEAD} days ahead. A time in the past, or none, sends the campaign at once.`,
      ),
    },
    { examples: [{ scheduledFor: iso(exampleMs) }] },
  );
}

export const testShape = t.Object({ email: addressShape }, { examples: [{ email: "ada@example.com" }] });

export const listingShape = { status: parameter(campaignStatusShape, "Only campaigns in this state.") };
