// Authored content: of a template, of a campaign, and of each of their versions.
import { invalidField, readAll } from "../../base/errors.ts";
import { keptSenderName, optionalMailbox, optionalReplyTo } from "../../http/body/address-field.ts";
import { noteWarning } from "../../http/body/body-notes.ts";
import { column, type RecordOf } from "../../store/columns.ts";
import { readLabels, type Labels, type LabelsInput } from "../../base/labels.ts";
import { designAfter } from "./design/design.ts";
import type { Design } from "./design/design-shape.ts";
import { withoutEditorMarks } from "./design/editor-marks.ts";
import { foreignIn, hintAbout, wordsAbout } from "./liquid/foreign.ts";
import { checkSyntax, TemplateSyntaxError } from "./liquid/render.ts";

/** The columns of content; null = none. */
export const CONTENT = {
  subject: column.text(),
  preheader: column.orNull(column.text()),
  body: column.text(),
  text: column.orNull(column.text()),
  fromAddress: column.orNull(column.text()),
  fromName: column.orNull(column.text()),
  replyTo: column.orNull(column.text()),
  design: column.orNull(column.json<Design>()),
  /** The key of its marketing mail's topic. */
  topic: column.orNull(column.text()),
  tags: column.mayBeEmpty<Labels["tags"]>(() => []),
  metadata: column.mayBeEmpty<Labels["metadata"]>(() => ({})),
};

export type ContentFields = RecordOf<typeof CONTENT>;

/** The content in a request; `from` and `replyTo` are `Name <address>` or an address alone. */
export type WrittenInput = LabelsInput & {
  readonly subject?: string | null;
  readonly preheader?: string | null;
  readonly body?: string | null;
  readonly text?: string | null;
  readonly from?: string | null;
  readonly fromName?: string | null;
  readonly replyTo?: string | null;
  readonly design?: Design | null;
  readonly topic?: string | null;
};

export const NOTHING_WRITTEN: ContentFields = {
  subject: "",
  preheader: null,
  body: "",
  text: null,
  fromAddress: null,
  fromName: null,
  replyTo: null,
  design: null,
  topic: null,
  tags: [],
  metadata: {},
};

/** The content after a change. @throws AppError VALIDATION_ERROR for every invalid field, with line and column */
export function writtenAfter(before: ContentFields, input: WrittenInput): ContentFields {
  const read = readAll({
    subject: () => readSource("subject", input.subject),
    preheader: () => readSource("preheader", input.preheader),
    body: () => readSource("body", input.body),
    text: () => readSource("text", input.text),
    from: () => optionalMailbox("from", input.from),
    replyTo: () => optionalReplyTo("replyTo", input.replyTo),
    design: () => designAfter(before, input),
    labels: () =>
      readLabels({ tags: given(input.tags, before.tags), metadata: given(input.metadata, before.metadata) }),
  });
  return {
    subject: read.subject ?? before.subject,
    preheader: given(read.preheader, before.preheader) || null,
    body: read.body ?? before.body,
    text: given(read.text, before.text),
    fromAddress: read.from === null ? null : (read.from?.address ?? before.fromAddress),
    fromName: keptSenderName(input.fromName, read.from, before.fromName),
    replyTo: given(read.replyTo, before.replyTo),
    design: read.design,
    topic: given(input.topic, before.topic),
    ...read.labels,
  };
}

/** Null clears a field, undefined leaves it unchanged. */
export function given<Value>(value: Value | undefined, before: Value): Value {
  return value === undefined ? before : value;
}

/** Picks the content from the record that it belongs to. */
export function writtenIn(record: ContentFields): ContentFields {
  const {
    subject,
    preheader,
    body,
    text,
    fromAddress,
    fromName,
    replyTo,
    design,
    topic = null,
    tags,
    metadata,
  } = record;
  return { subject, preheader, body, text, fromAddress, fromName, replyTo, design, topic, tags, metadata };
}

/** The content as in the API. */
export function asInput({ fromAddress: from, ...written }: ContentFields) {
  return { ...written, from };
}

/** Texts that may name images. */
export function textsOf({ body, design }: Pick<ContentFields, "body" | "design">): (string | null)[] {
  return [body, design && JSON.stringify(design)];
}

/** The fields that hold HTML; other sources are plain text. */
const HTML_FIELDS = new Set(["body", "html", "footer"]);

function repaired(field: string, source: string): string {
  return withoutEditorMarks(source, HTML_FIELDS.has(field) ? "html" : "text");
}

/**
 * A source in the template language, without the marks of editors in its placeholders.
 * @throws AppError VALIDATION_ERROR on `field`, with line and column of a syntax error
 */
export function readSource<Source extends string | null | undefined>(field: string, source: Source): Source {
  if (typeof source !== "string") return source;
  const kept = repaired(field, source);
  try {
    checkSyntax(kept);
    return kept as Source;
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    const { line, column } = error;
    const code = (kept.split("\n")[line - 1] ?? "").slice(column - 1, column + LONGEST_CODE);
    throw invalidField(field, error.message + hintAbout(code), "template_syntax", { line, column });
  }
}

/** The length of code for which a hint is given. */
const LONGEST_CODE = 100;

/** A warning in the answer, about a field of the request. */
export const REPAIRED =
  "An editor had left marks in placeholders, such as &quot; or an invisible sign. They were repaired; the answer has what is stored.";

/** Notes warnings for the answer: sources that `readSource` repairs, and placeholders of other services. */
export function noted<Body extends object>(body: Body): Body {
  for (const [field, source] of Object.entries(body)) {
    if (!SOURCES.has(field) || typeof source !== "string") continue;
    const kept = repaired(field, source);
    if (kept !== source) noteWarning(body, { field, message: REPAIRED, code: "repaired" });
    for (const one of foreignIn(kept)) noteWarning(body, { field, message: wordsAbout(one), code: "placeholder" });
  }
  return body;
}

const SOURCES = new Set(["subject", "preheader", "text", ...HTML_FIELDS]);
