// A topic, and people's topic choices, in the API.
import { t } from "elysia";
import { ifUpdatedAtShape, updatedByShape } from "../../tenant/access/saving-shape.ts";
import { idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { optional, wholeNumber } from "../../http/schemas.ts";
import { LANGUAGES } from "../../base/languages/language.ts";
import { choiceOf } from "./choice.ts";
import type { TopicChoices, Topic, TopicText } from "./queries.ts";

/** Null is the same as a missing language. */
export type WordingInput = { readonly [Tongue in keyof TopicText]?: string | null };

export const MOST_TOPICS = 100;
const MAX_KEY_CHARS = 50;
const KEY = { maxLength: MAX_KEY_CHARS, pattern: "^[a-z0-9]+(-[a-z0-9]+)*$" };

/** The topic of a mail, as callers name it. */
export const topicKeyShape = t.String({ minLength: 1, maxLength: MAX_KEY_CHARS });

const choiceShape = oneOf("in", "out");

/** The choice by which people are selected. */
export const sayingShape = oneOf("in", "out", "unsaid");

/** Topic choices in requests. */
export const choicesInputShape = t.Record(t.String({ maxLength: MAX_KEY_CHARS }), nullable(choiceShape), {
  maxProperties: MOST_TOPICS,
});

/** Topic choices in answers. */
export const choicesShape = t.Record(t.String(), nullable(choiceShape), {
  description:
    "What the person says of each topic of the workspace, by its key: `in`, `out`, or null, and then the topic's `default` counts.",
});

/** `keys`: of the workspace's topics. */
export function choicesRecord(choices: TopicChoices, keys: readonly string[]): typeof choicesShape.static {
  return Object.fromEntries(keys.map((key) => [key, choiceOf(choices, key)]));
}

const named = { minLength: 1, maxLength: 100, pattern: "^[^\\r\\n]*[^\\s][^\\r\\n]*$" };
const told = { minLength: 1, maxLength: 500 };

/** A text in some of the recipients' languages. */
function wordingShape(description: string) {
  const texts = Object.fromEntries(LANGUAGES.map((language) => [language, t.Optional(t.String())]));
  return t.Unsafe<TopicText>(t.Object(texts, { additionalProperties: false, description }));
}

function wordingInputShape(text: object, description: string) {
  const texts = Object.fromEntries(LANGUAGES.map((language) => [language, optional(t.String(text))]));
  return t.Unsafe<WordingInput>(t.Object(texts, { additionalProperties: false, description }));
}

const nameIs = "By language, in one at least.";
const descriptionIs = "By language: what people get who are in.";
const isDefault = "What counts for those who have not said anything: `in` or `out`.";
const isVisible = "People see it on the page where they choose. A hidden one counts all the same.";
const place = "Its place among the topics, from 0.";

const options = {
  description: optional(wordingInputShape(told, descriptionIs)),
  default: optional(choiceShape, `${isDefault} \`in\` for a new topic.`),
  visible: optional(t.Boolean(), isVisible),
  position: optional(wholeNumber(0, MOST_TOPICS), `${place} Last for a new one.`),
};

export const creationShape = t.Object(
  {
    key: t.String({ ...KEY, minLength: 1, description: "Small letters, digits and hyphens. It never changes." }),
    name: wordingInputShape(named, nameIs),
    ...options,
  },
  {
    examples: [
      {
        key: "news",
        name: { en: "Product news", de: "Neuigkeiten" },
        description: { en: "What is new, once a month." },
      },
    ],
  },
);

export const changeShape = t.Object(
  { name: optional(wordingInputShape(named, nameIs)), ...options, ifUpdatedAt: ifUpdatedAtShape },
  { examples: [{ name: { en: "News", de: "Neues" }, position: 0 }] },
);

export const topicShape = t.Object(
  {
    id: idShape,
    key: t.String(),
    name: wordingShape(nameIs),
    description: wordingShape(descriptionIs),
    default: { ...choiceShape, description: isDefault },
    visible: t.Boolean({ description: isVisible }),
    position: wholeNumber(0, MOST_TOPICS),
    createdAt: timeShape,
    updatedAt: timeShape,
    updatedBy: updatedByShape,
  },
  { title: "Topic" },
);

export function topicRecord(topic: Topic): typeof topicShape.static {
  const { seq: _, ...record } = topic;
  return record;
}
