// A form as the interface takes and shows it.
import { t } from "elysia";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../http/answer-shapes.ts";
import { idInputShape, optional, recordNameShape, wholeNumber } from "../../http/schemas.ts";
import { ifUpdatedAtShape, updatedByShape } from "../../tenant/access/saving-shape.ts";
import { LANGUAGES } from "../../base/languages/language.ts";
import { FIELD_TYPES, LONGEST_VALUE, MOST_FIELDS, MOST_OPTIONS } from "./fields.ts";
import type { FormCounts } from "./count-queries.ts";
import type { Form } from "./queries.ts";
import type { LocalizedText } from "./text.ts";

/** A text in one or more languages. */
function textShape(maxLength: number, description?: string) {
  const texts = t.Record(t.String({ maxLength: 20 }), t.String({ maxLength }), {
    maxProperties: LANGUAGES.length,
    ...(description ? { description } : {}),
  });
  return t.Unsafe<LocalizedText>(texts);
}

const LINE = 200;
const PARAGRAPH = 2_000;
const url = t.String({ maxLength: 2_000 });

const fieldInputShape = t.Object({
  name: t.String({ maxLength: 64, description: "The key of the contact's data." }),
  type: oneOf(...FIELD_TYPES),
  label: optional(textShape(LINE), "By language; the name unless given."),
  required: optional(t.Boolean(), "Of a checkbox: it must be ticked."),
  options: optional(
    t.Array(t.Object({ value: t.String({ minLength: 1, maxLength: LINE }), label: optional(textShape(LINE)) }), {
      maxItems: MOST_OPTIONS,
    }),
    "Of a choice.",
  ),
  min: optional(t.Number(), "Of a number."),
  max: optional(t.Number(), "Of a number."),
  maxLength: optional(wholeNumber(1, LONGEST_VALUE), "Characters of a text."),
  value: optional(
    t.String({ maxLength: LONGEST_VALUE }),
    "Of a hidden field, unless the page or its URL says another.",
  ),
});

const settings = {
  key: optional(
    t.String({ pattern: "^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$" }),
    "The form is at `/f/{key}`. It is used once in the whole installation; made from the name unless given.",
  ),
  enabled: optional(t.Boolean(), "A form that is off says that it is closed."),
  title: optional(textShape(LINE), "By language. The hosted page has the name of the workspace if there is none."),
  intro: optional(textShape(PARAGRAPH), "By language; above the fields."),
  button: optional(textShape(LINE), "By language; “Subscribe” unless given."),
  fields: optional(t.Array(fieldInputShape, { maxItems: MOST_FIELDS }), "Besides the address, in their order."),
  consent: optional(
    t.Object({
      wording: textShape(PARAGRAPH, "By language. New words are a new version; the former ones are kept."),
      checkbox: optional(t.Boolean(), "People tick a box; else the words stand above the button. On by default."),
    }),
  ),
  doubleOptIn: optional(
    t.Boolean(),
    "On by default. Off: a new contact is subscribed at once if a program of the page has worked for it; everybody else is still asked by email.",
  ),
  redirectUrl: optional(url, "Where a person goes who has sent the form; a page of this server unless given."),
  confirmedUrl: optional(url, "Where a person goes who has confirmed."),
  sites: optional(
    t.Array(t.String({ maxLength: 300 }), { maxItems: 20 }),
    "Sites whose pages may show the form, such as `https://example.com`. None: the hosted page alone.",
  ),
  topics: optional(
    t.Array(t.String({ maxLength: 100 }), { maxItems: 20 }),
    "Keys of topics that people may choose; none is ticked. A new person is out of each that they leave unticked.",
  ),
  besides: optional(
    textShape(PARAGRAPH),
    "By language: what people get besides the topics that they tick, shown below these. A new person is out of each topic that the form shows and they leave unticked. Of those that it does not show, the `default` counts if this says something, else the person is out of them too.",
  ),
  segmentId: optional(idInputShape, "A STATIC segment that people join."),
  event: optional(t.String({ minLength: 1, maxLength: 255 }), "Recorded with what was entered."),
  tags: optional(t.Array(t.String({ maxLength: 100 }), { maxItems: 10 }), "Added to the list under data `tags`."),
};

export const EXAMPLE = {
  name: "Newsletter",
  title: { en: "News from the workshop", de: "Neues aus der Werkstatt" },
  fields: [{ name: "firstName", type: "text" as const, label: { en: "First name", de: "Vorname" } }],
  consent: { wording: { en: "Send me news about new tools.", de: "Schickt mir Neues über Werkzeuge." } },
  sites: ["https://www.example.com"],
  event: "newsletter.joined",
};

export const creationShape = t.Object({ name: recordNameShape, ...settings }, { examples: [EXAMPLE] });
export const changeShape = t.Object(
  { name: optional(recordNameShape), ...settings, ifUpdatedAt: ifUpdatedAtShape },
  { examples: [{ enabled: false }] },
);
export const previewShape = t.Object(
  { ...creationShape.properties, language: optional(oneOf(...LANGUAGES)) },
  { examples: [{ ...EXAMPLE, language: "de" }] },
);

const text = textShape(PARAGRAPH);
const fieldShape = t.Object({
  name: t.String(),
  type: oneOf(...FIELD_TYPES),
  label: text,
  required: t.Boolean(),
  options: t.Array(t.Object({ value: t.String(), label: text })),
  min: nullable(t.Number()),
  max: nullable(t.Number()),
  maxLength: nullable(countShape),
  value: nullable(t.String()),
});

export const countsShape = t.Object({ seen: countShape, sent: countShape, confirmed: countShape });

export const formShape = t.Object(
  {
    id: idShape,
    key: t.String(),
    name: t.String(),
    enabled: t.Boolean(),
    title: text,
    intro: text,
    button: text,
    fields: t.Array(fieldShape),
    consent: nullable(t.Object({ wording: text, checkbox: t.Boolean(), version: countShape })),
    doubleOptIn: t.Boolean(),
    redirectUrl: nullable(t.String()),
    confirmedUrl: nullable(t.String()),
    sites: t.Array(t.String()),
    segmentId: nullable(idShape),
    topics: t.Array(t.String()),
    besides: text,
    event: nullable(t.String()),
    tags: t.Array(t.String()),
    url: t.String({ description: "The hosted page." }),
    projectId: idShape,
    createdAt: timeShape,
    updatedAt: timeShape,
    updatedBy: updatedByShape,
  },
  { title: "Form" },
);
export const listedShape = t.Object(
  { ...formShape.properties, counts: t.Object(countsShape.properties, { description: "Of the last thirty days." }) },
  { title: "ListedForm" },
);

export type FormOrigin = { readonly workspaceId: string; readonly baseUrl: string };

export function formRecord(form: Form, { workspaceId, baseUrl }: FormOrigin): typeof formShape.static {
  const { id, key, name, enabled, doubleOptIn, segmentId, settings, createdAt, updatedAt, updatedBy } = form;
  const { consent, fields, sites, topics, tags, ...texts } = settings;
  return {
    ...{ id, key, name, enabled, ...texts, doubleOptIn, segmentId },
    fields: fields.map((field) => ({ ...field, options: [...field.options] })),
    sites: [...sites],
    topics: [...topics],
    tags: [...tags],
    consent: consent && { ...consent, version: form.wording },
    url: `${baseUrl}/f/${key}`,
    ...{ projectId: workspaceId, createdAt, updatedAt, updatedBy },
  };
}

export const NO_COUNTS: FormCounts = { seen: 0, sent: 0, confirmed: 0 };
