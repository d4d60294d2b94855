// On what terms a file is imported: what the caller says in the fields of the form, and what the whole file has shown.
import { invalidField } from "../../../base/errors.ts";
import type { ContactInput } from "../wanted.ts";
import { COLUMN_TYPES, type CsvColumnType } from "../csv/cell.ts";
import type { ColumnTypes, ColumnTyping } from "../csv/typing.ts";
import type { ColumnChoice, CsvColumns } from "../csv/columns.ts";
import { canAgree } from "../csv/consent.ts";
import { plainKey } from "../plain-keys.ts";
import { ENCODINGS, type CsvEncoding } from "../csv/records.ts";
import { dataOf, type CsvContact, type SkippedCell } from "../csv/row.ts";
import { proofIn, type ProofTerms } from "../csv/proof.ts";
import { refuseBrokenText } from "../../../http/body.ts";
import type { KeyType } from "../list/fields.ts";

/** Whether new people of whom the file does not say it may get marketing mail; `confirm`: they are asked. */
const ANSWERS = ["yes", "no", "confirm"] as const;
export type MarketingAnswer = (typeof ANSWERS)[number];

export type ImportRequest = {
  readonly marketing: MarketingAnswer | null;
  /** Where the consent comes from, kept with those who are subscribed by `marketing`. */
  readonly consent: string | null;
  /** Whom the file calls subscribed is subscribed again, though the person unsubscribed or is suppressed here. */
  readonly resubscribe: boolean;
  /** Contacts that exist keep the data that they have. */
  readonly onlyEmpty: boolean;
  /** Everybody in the file gets it. */
  readonly tag: string | null;
  /** The STATIC segment that everybody in the file joins: its public id. */
  readonly segmentId: string | null;
  /** Of the file, if it is said. */
  readonly encoding: CsvEncoding | null;
};

/** `reason`: where the message is not enough for a program. */
export type ImportWarning = { readonly field: string; readonly message: string; readonly reason?: WarningReason };
export const WARNING_REASONS = ["plain_key", "no_plain_key"] as const;
type WarningReason = (typeof WARNING_REASONS)[number];

export type ImportTerms = ImportRequest & {
  /** The number of the segment. */
  readonly segment: number | null;
  readonly types: ColumnTypes;
  /** The keys of data whose lists are replaced; others are added to. */
  readonly replaces: readonly string[];
  /** The columns that prove consent. */
  readonly proof: ProofTerms;
  /** New people of whom neither file nor caller say it. */
  readonly subscribesOthers: boolean;
  readonly warnings: readonly ImportWarning[];
};

const MAX_CONSENT_CHARS = 500;
const MAX_TAG_CHARS = 100;

/** The fields beside the file. @throws AppError VALIDATION_ERROR */
export function askedIn(fields: ReadonlyMap<string, string>, query: { readonly resubscribe?: boolean }): ImportRequest {
  const marketing = wordIn(fields, "marketing", ANSWERS);
  const consent = textIn(fields, "consent", MAX_CONSENT_CHARS);
  if (marketing === "yes" && consent === null)
    throw invalidField("consent", "Say where these people agreed to get marketing email.", "required");
  const said = wordIn(fields, "resubscribe", ["true", "false"]);
  return {
    marketing,
    consent,
    resubscribe: said === null ? query.resubscribe === true : said === "true",
    onlyEmpty: wordIn(fields, "onlyEmpty", ["true", "false"]) === "true",
    tag: textIn(fields, "tag", MAX_TAG_CHARS),
    segmentId: fields.get("segmentId")?.trim() || null,
    encoding: encodingIn(fields),
  };
}

function textIn(fields: ReadonlyMap<string, string>, name: string, maxChars: number): string | null {
  const text = fields.get(name)?.trim() || null;
  if (text === null) return null;
  refuseBrokenText(text);
  if (text.length > maxChars) throw invalidField(name, `At most ${maxChars} characters.`, "too_big");
  return text;
}

export function wordIn<Word extends string>(
  fields: ReadonlyMap<string, string>,
  name: string,
  words: readonly Word[],
): Word | null {
  const text = fields.get(name)?.trim() ?? "";
  const word = words.find((one) => one === text);
  if (word === undefined && text !== "") throw invalidField(name, `Expected ${words.join(", ")}.`, "invalid_value");
  return word ?? null;
}

/**
 * What each column shall become: a list of names, "", null, and of objects that also say the type.
 * @throws AppError VALIDATION_ERROR
 */
export function choicesIn(fields: ReadonlyMap<string, string>): ColumnChoice[] {
  const text = fields.get("columns");
  if (text === undefined) return [];
  const list = listIn(text)?.map(choiceIn) ?? [null];
  const choices = list.filter((one) => one !== null);
  if (choices.length < list.length)
    throw invalidField(
      "columns",
      'Expected a JSON list of "email", "subscribed", "data.<key>", "topic:<key>", "", null and {"field": "data.<key>", "type": "list", "replace": true}.',
      "invalid_value",
    );
  return choices;
}

/** Null = it is to be found out. @throws AppError VALIDATION_ERROR */
export function encodingIn(fields: ReadonlyMap<string, string>): CsvEncoding | null {
  return wordIn(fields, "encoding", ENCODINGS);
}

function listIn(text: string): unknown[] | null {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : null;
  } catch {
    return null;
  }
}

/** Null = it is none. */
function choiceIn(one: unknown): ColumnChoice | null {
  const {
    field = null,
    type = null,
    replace = false,
  } = typeof one === "object" && one !== null ? (one as Record<string, unknown>) : { field: one };
  const isField =
    field === null || (typeof field === "string" && /^$|^email$|^subscribed$|^data(\..+)?$|^topic:.+$/s.test(field));
  const isType = type === null || COLUMN_TYPES.includes(type as CsvColumnType);
  return isField && isType && typeof replace === "boolean" ? ({ field, type, replace } as ColumnChoice) : null;
}

const NO_TYPE: ColumnTyping = { type: "text", otherwise: null, isAnswer: false };

/** What a file has shown once it is read. */
export type CsvFacts = {
  readonly columns: CsvColumns;
  readonly types: Readonly<Record<string, ColumnTyping>>;
  readonly encoding: CsvEncoding;
};

/** `known`: the types of the keys that contacts have. */
export function termsOf(
  asked: ImportRequest & Pick<ImportTerms, "segment">,
  { columns, types, encoding }: CsvFacts,
  known: ReadonlyMap<string, KeyType>,
): ImportTerms {
  const settled = columns.keys
    .map(([, key]) => [key, types[key] ?? NO_TYPE] as const)
    .map(([key, typed]) => [key, columns.chosen[key] ?? settledType(typed, known.get(key))] as const);
  return {
    ...asked,
    types: Object.fromEntries(settled),
    replaces: columns.replaced,
    proof: {
      product: columns.product,
      columns: columns.proof.map(({ key, kind }) => ({ key, kind, type: types[key]?.type ?? "text" })),
    },
    subscribesOthers: !canAgree(columns.consent),
    warnings: [
      ...(asked.encoding === null ? encodingWarning(encoding) : []),
      ...columns.unknownTopics.map(topicWarning),
      ...columns.renamed.map(renamedWarning),
      ...columns.awkward.map(awkwardWarning),
      ...settled.flatMap(([key, type]) => typeWarning(key, type, known.get(key))),
    ],
  };
}

/** A key that is text stays text, and one that is a list or a yes and no stays that. Dates are texts, too. */
function settledType({ type, isAnswer }: ColumnTyping, known: KeyType | undefined): CsvColumnType {
  if (known === "list" && type !== "json") return "list";
  if (known === "boolean" && isAnswer) return "boolean";
  const staysText = known === "string" || (known === "date" && !type.startsWith("date"));
  return staysText && type !== "json" ? "text" : type;
}

function topicWarning(key: string): ImportWarning {
  return { field: `data.topic:${key}`, message: `There is no topic ${key}; this column becomes data.` };
}

function renamedWarning([name, key]: readonly [string, string]): ImportWarning {
  const message = `The column ${shortened(name)} becomes ${key}: segments, conditions and emails can name that.`;
  return { field: `data.${key}`, message, reason: "plain_key" };
}

function awkwardWarning(key: string): ImportWarning {
  const message = `Segments, conditions and emails cannot name ${shortened(key)}, or only in quotes. ${plainKey(key) || "A name of letters"} would do.`;
  return { field: `data.${key}`, message, reason: "no_plain_key" };
}

const MAX_NAME_CHARS = 100;

function shortened(name: string): string {
  return name.slice(0, MAX_NAME_CHARS).toWellFormed();
}

function encodingWarning(encoding: CsvEncoding): ImportWarning[] {
  if (encoding !== "windows-1252") return [];
  return [
    { field: "file", message: "The file is not UTF-8. It was read as Windows-1252; check letters such as é and ü." },
  ];
}

const NAMES: Readonly<Record<CsvColumnType | KeyType, string>> = {
  number: "numbers",
  "number-comma": "numbers",
  boolean: "true or false",
  json: "lists or objects",
  list: "lists or objects",
  object: "lists or objects",
  text: "text",
  string: "text",
  date: "text",
  "date-dmy": "text",
  "date-mdy": "text",
};

function typeWarning(key: string, type: CsvColumnType, known: KeyType | undefined): ImportWarning[] {
  if (known === undefined || NAMES[type] === NAMES[known]) return [];
  const message = `Contacts have ${NAMES[known]} in ${key}; this file makes it ${NAMES[type]}. Segments and workflows may treat it differently.`;
  return [{ field: `data.${key}`, message }];
}

/** The input for a row, and its cells that are left out. @throws AppError VALIDATION_ERROR for data that no contact can hold */
export function inputOf(
  row: CsvContact,
  terms: ImportTerms,
): { readonly input: ContactInput; readonly skipped: readonly SkippedCell[] } {
  const { data, skipped } = dataOf(row, terms.types);
  const { onlyEmpty, replaces, tag, resubscribe: mayRejoin } = terms;
  const said = row.topics ? { topics: row.topics, mayRejoin } : {};
  const { joinedAt, source } = proofIn(row.proof ?? {}, terms.proof, isRefusal(row));
  const proven = { ...(joinedAt === null ? {} : { joinedAt }), ...(source === null ? {} : { evidence: { source } }) };
  return {
    input: { email: row.email, data, onlyEmpty, replaces, tag, ...said, ...proven, ...flagOf(row, terms) },
    skipped,
  };
}

function isRefusal({ standing }: CsvContact): boolean {
  return standing !== null && standing !== "subscribed" && standing !== "pending";
}

type ConsentInput = Pick<ContactInput, "subscribed" | "subscribedIfNew" | "suppressed" | "pendingIfNew" | "consent">;

function flagOf(
  { standing }: CsvContact,
  { marketing, consent, resubscribe, subscribesOthers }: ImportTerms,
): ConsentInput {
  if (standing === "subscribed") return { subscribed: resubscribe ? true : undefined, subscribedIfNew: true };
  if (standing === "unsubscribed") return { subscribed: false, subscribedIfNew: false };
  if (standing === "bounce" || standing === "complaint")
    return { subscribed: false, subscribedIfNew: false, suppressed: standing };
  const source = consent === null ? {} : { consent };
  if (marketing === "confirm") return { subscribed: undefined, subscribedIfNew: false, pendingIfNew: true, ...source };
  const isWelcome = standing === null && (marketing === null ? subscribesOthers : marketing === "yes");
  return { subscribed: undefined, subscribedIfNew: isWelcome, ...source };
}

/** Whether neither the file nor the caller say whether this person may get marketing mail. */
export function isUndecided({ standing }: CsvContact, { marketing }: ImportRequest): boolean {
  return standing === null && marketing === null;
}
