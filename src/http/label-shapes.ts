// The shapes of tags and metadata.
import { t } from "elysia";
import { LONGEST_VALUE, MOST_TAGS, TAG_PATTERN } from "../base/labels.ts";
import { optional } from "./schemas.ts";

export const tagShape = t.String({ pattern: TAG_PATTERN, examples: ["receipt"] });
const tags = t.Array(tagShape, { maxItems: MOST_TAGS });
const metadata = t.Record(t.String(), t.String({ maxLength: LONGEST_VALUE }));

/** `said`: the beginning of the descriptions, with the purpose of the labels. */
export function labelFields(said: string) {
  return {
    tags: optional(
      tags,
      `${said}: up to ${MOST_TAGS}, each a \`name\` or \`name:value\`. Both have 1 to 64 letters, digits, \`_\`, \`-\` or dots.`,
    ),
    metadata: optional(
      metadata,
      `${said}: up to 20 texts by key. A key has 1 to 64 letters, digits, \`_\`, \`-\` or dots; a value up to ${LONGEST_VALUE} characters; all of it 4 KB.`,
    ),
  };
}

export const labelsShown = {
  tags: t.Array(t.String()),
  metadata: t.Record(t.String(), t.String()),
};

/** For queries. */
export const labelFilters = {
  tag: t.Optional(
    t.Array(tagShape, { minItems: 1, maxItems: MOST_TAGS, description: "Only of emails with each of these tags." }),
  ),
  metadata: t.Optional(
    t.Record(t.String(), t.String({ maxLength: LONGEST_VALUE }), {
      description: "Only of emails with each of these values: `metadata[order]=A-1`.",
    }),
  ),
};
