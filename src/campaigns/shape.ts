// The shapes of what callers send about campaigns (interface.md "PUT /campaigns/{id}", interface-gaps.md §5).
import { t } from "elysia";
import { DAY_MS, HOUR_MS, iso } from "../clock.ts";
import { addressShape, dataShape, nameShape, optional, recordNameShape, subjectShape } from "../http/schemas.ts";
import { MAX_SOURCE_CHARS } from "../templates/render.ts";
import { audienceTypeShape, campaignStatusShape } from "./record.ts";

/** How far ahead a campaign can be scheduled. */
export const MAX_DAYS_AHEAD = 366;

const body = t.String({ minLength: 1, maxLength: MAX_SOURCE_CHARS });
const audience = {
  segmentId: optional(
    t.String({ minLength: 1, maxLength: 200 }),
    "Of the audience SEGMENT; with another audienceType it is not kept.",
  ),
  audienceCondition: optional(dataShape, "Of the audience FILTERED; with another audienceType it is not kept."),
};
const options = {
  description: optional(t.String({ maxLength: 500 })),
  text: optional(t.String({ maxLength: MAX_SOURCE_CHARS })),
  fromName: optional(nameShape),
  replyTo: optional(addressShape),
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
    from: addressShape,
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
    from: optional(addressShape),
    audienceType: optional(audienceTypeShape),
    ...options,
  },
  { examples: [{ subject: "It is spring" }] },
);

export const previewWishShape = t.Object(
  { audienceType: audienceTypeShape, ...audience },
  { examples: [{ audienceType: "ALL" }] },
);

/** Long after the server was started: whoever tries the example as it stands sends nothing at once. */
const EXAMPLE_DAYS_AHEAD = 300;

/** With an example that lies ahead of `nowMs`, at a whole hour. */
export function sendingShape(nowMs: number) {
  const exampleMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS + EXAMPLE_DAYS_AHEAD * DAY_MS;
  return t.Object(
    {
      scheduledFor: optional(
        t.String({ maxLength: 40 }),
        `A date-time with its zone, up to ${MAX_DAYS_AHEAD} days ahead. What is past, or nothing, means now: the campaign is sent at once.`,
      ),
    },
    { examples: [{ scheduledFor: iso(exampleMs) }] },
  );
}

export const testShape = t.Object({ email: addressShape }, { examples: [{ email: "ada@example.com" }] });

export const listingShape = { status: t.Optional(campaignStatusShape) };
