// The shapes of requests about campaigns.
import { t } from "elysia";
import { idShape, oneOf } from "../../http/answer-shapes.ts";
import {
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
  wholeNumber,
} from "../../http/schemas.ts";
import { labelFields } from "../../http/label-shapes.ts";
import { alsoSpelt, SPELLINGS } from "../../http/body/spellings.ts";
import { invalidParameters } from "../../base/errors.ts";
import { conditionInputShape } from "../../audience/segments/condition/record.ts";
import { previewInputShape as partsOfPreview } from "../../audience/segments/preview-record.ts";
import { writtenOptions } from "../../content/templates/written-shape.ts";
import { ifUpdatedAtShape } from "../../tenant/access/saving-shape.ts";
import { MAX_SOURCE_CHARS } from "../../content/templates/liquid/render.ts";
import { topicKeyShape } from "../../audience/topics/record.ts";
import { AUDIENCE_PARTS } from "./audience-queries.ts";
import { REPEATED_STATES } from "./queries.ts";
import { audienceTypeShape, campaignStatusShape, repeatedStateShape } from "./record.ts";

/** How far ahead a campaign can be scheduled. */

const body = t.String({ minLength: 1, maxLength: MAX_SOURCE_CHARS });
const audience = {
  segmentId: optional(
    shownAs(t.String({ minLength: 1, maxLength: 200 }), idShape),
    "For the audience SEGMENT; ignored with another audienceType. Null in a change of a draft: still to be chosen.",
  ),
  audienceCondition: optional(
    shownAs(dataShape, conditionInputShape),
    "For the audience FILTERED; ignored with another audienceType. Null in a change of a draft: still to be chosen.",
  ),
};
const options = {
  description: optional(t.String({ maxLength: 500 })),
  preheader: optional(preheaderShape, "What lists of emails show beside the subject."),
  text: optional(t.String({ maxLength: MAX_SOURCE_CHARS })),
  fromName: optional(nameShape),
  replyTo: alsoSpelt(optional(mailboxShape), SPELLINGS.replyTo),
  ...writtenOptions,
  ...labelFields("For finding its emails"),
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
    body: alsoSpelt(body, SPELLINGS.body),
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
    body: alsoSpelt(optional(body), SPELLINGS.body),
    from: optional(mailboxShape),
    audienceType: optional(audienceTypeShape),
    ...options,
    ifUpdatedAt: ifUpdatedAtShape,
  },
  { examples: [{ subject: "It is spring" }] },
);

const ofTopic = optional(topicKeyShape, "The key of the topic that the email is of.");

export const previewInputShape = t.Object(
  { audienceType: audienceTypeShape, ...audience, topic: ofTopic, ...partsOfPreview },
  { examples: [{ audienceType: "ALL" }] },
);

const MAX_DELAY_SECONDS = 3_600;

/** Far ahead, so that trying the example does not send a campaign immediately. */

export const sendingShape = t.Object(
  {
    scheduledFor: alsoSpelt(
      optional(
        timeInputShape,
        "A date-time with a time zone, up to 366 days ahead. A time in the past, or none, sends the campaign at once.",
      ),
      SPELLINGS.scheduledFor,
    ),
    delaySeconds: optional(
      wholeNumber(1, MAX_DELAY_SECONDS),
      "Instead of `scheduledFor`: so many seconds from now, by the server's clock. Ten of them leave time for `unschedule`.",
    ),
  },
  { examples: [{ delaySeconds: 600 }] },
);

export const againShape = t.Object(
  {
    states: optional(
      t.Array(repeatedStateShape, { minItems: 1, maxItems: REPEATED_STATES.length }),
      "Whom it goes to: those who are in one of these states. FAILED unless given.",
    ),
    name: optional(recordNameShape),
  },
  { examples: [{ states: ["FAILED"] }] },
);

export const listingShape = {
  status: parameter(campaignStatusShape, "Only campaigns in this state."),
  search: parameter(
    t.String({ minLength: 1, maxLength: 200 }),
    "Part of the name, the subject or the description, in any case.",
  ),
  limit: parameter(
    wholeNumber(1, 100),
    "Reads the list by cursor, with so many campaigns on a page at most; 20 unless given.",
  ),
  cursor: parameter(t.String({ maxLength: 100 }), "The `cursor` of the page before."),
};

/** The limit of a list by cursor. */
export const DEFAULT_LIMIT = 20;

type CampaignPagination = {
  readonly page?: number;
  readonly pageSize?: number;
  readonly limit?: number;
  readonly cursor?: string;
};

/** A list is read by cursor; numbered pages are not mixed with that. @throws AppError INVALID_PARAMETERS */
export function cursorTerms({ page, pageSize, limit = DEFAULT_LIMIT, cursor }: CampaignPagination) {
  const message = "A list by cursor has no numbered pages: give limit and cursor.";
  const errors = Object.entries({ page, pageSize })
    .filter(([, value]) => value !== undefined)
    .map(([field]) => ({ field, message, code: "conflict" }));
  if (errors.length > 0) throw invalidParameters(errors);
  return { limit, cursor: cursor ?? null };
}

export const audiencePeopleShape = t.Object(
  {
    audienceType: audienceTypeShape,
    ...audience,
    topic: ofTopic,
    part: shownAs(t.Union([...AUDIENCE_PARTS.map((part) => t.Literal(part))]), {
      ...oneOf(...AUDIENCE_PARTS),
      description: "`willReceive`, or those who match and are left out for this reason, each under the first.",
    }),
    limit: optional(wholeNumber(1, 100), "20 unless given."),
    cursor: optional(t.String({ maxLength: 100 }), "The `cursor` of the page before."),
  },
  { examples: [{ audienceType: "ALL", part: "unsubscribed" }] },
);
