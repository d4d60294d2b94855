// The terms of an import: the fields of the caller's form, and the facts of the whole file.
import { invalidField } from "../../base/errors.ts";
import { importVoice } from "../../audience/contacts/voices.ts";
import type { ContactInput } from "../../audience/contacts/wanted.ts";
import { COLUMN_TYPES, type CsvColumnType } from "../../audience/csv/cell.ts";
import type { ColumnTypes, ColumnTypeGuess } from "../../audience/csv/typing.ts";
import type { ColumnChoice, CsvColumns } from "../../audience/csv/columns.ts";
import { canAgree } from "../../audience/csv/consent.ts";
import { plainKey } from "../../audience/contacts/plain-keys.ts";
import { isRead, type FileInArchive, type FileStart } from "../../audience/csv/packed/files.ts";
import { ENCODINGS, type CsvEncoding } from "../../audience/csv/records.ts";
import { dataOf, type CsvContact, type SkippedCell } from "../../audience/csv/row.ts";
import { proofIn, type ProofTerms } from "../../audience/csv/proof.ts";
import { refuseBrokenText } from "../../http/body/body.ts";
import type { KeyType } from "../../audience/contacts/list/fields.ts";

/** Decides whether new people get marketing mail if the file does not say so; `confirm`: they are asked by mail. */
const ANSWERS = ["yes", "no", "confirm"] as const;
export type MarketingAnswer = (typeof ANSWERS)[number];

export type ImportRequest = {
  readonly marketing: MarketingAnswer | null;
  /** The origin of the consent, recorded for people subscribed by `marketing`. */
  readonly consent: string | null;
  /** People subscribed in the file are subscribed again, even if they unsubscribed or are suppressed here. */
  readonly resubscribe: boolean;
  /** Existing contacts keep their values; only missing ones are filled. */
  readonly onlyEmpty: boolean;
  /** Added to all people in the file. */
  readonly tag: string | null;
  /** The public id of the STATIC segment that all people in the file join. */
  readonly segmentId: string | null;
  /** The encoding of the file; null = it is detected. */
  readonly encoding: CsvEncoding | null;
};

/** `reason`: a code for programs where the message is not enough. */
export type ImportWarning = { readonly field: string; readonly message: string; readonly reason?: WarningReason };
export const WARNING_REASONS = ["plain_key", "no_plain_key", "left_out"] as const;
type WarningReason = (typeof WARNING_REASONS)[number];

export type ImportTerms = ImportRequest & {
  /** The number of the segment. */
  readonly segment: number | null;
  readonly types: ColumnTypes;
  /** The keys of data whose lists are replaced; other lists are extended. */
  readonly replaces: readonly string[];
  /** The columns that prove consent. */
  readonly proof: ProofTerms;
  /** New people are subscribed if neither the file nor the caller decides. */
  readonly subscribesOthers: boolean;
  /** The files of an archive that are read; imports of earlier versions have none. */
  readonly files?: readonly FileStart[];
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

/** The column choices: a list of names, "", null, and objects that add the type. @throws AppError VALIDATION_ERROR */
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

/** Null = the encoding is detected. @throws AppError VALIDATION_ERROR */
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

/** Null = not a column choice. */
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

const NO_TYPE: ColumnTypeGuess = { type: "text", otherwise: null, isAnswer: false };

/** The facts of a file that has been read. */
export type CsvFacts = {
  readonly columns: CsvColumns;
  readonly types: Readonly<Record<string, ColumnTypeGuess>>;
  readonly encoding: CsvEncoding;
  /** The files of an archive. */
  readonly files: readonly FileInArchive[];
};

/** `known`: the types of existing contacts' keys. */
export function termsOf(
  asked: ImportRequest & Pick<ImportTerms, "segment">,
  { columns, types, encoding, files }: CsvFacts,
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
    subscribesOthers:
      !canAgree(columns.consent) && !columns.isOfCustomers && !files.some(({ standing }) => standing === "subscribed"),
    files: files.filter(isRead).map(({ name, before }) => ({ name, before })),
    warnings: [
      ...(asked.encoding === null ? encodingWarning(encoding) : []),
      ...files.flatMap(leftOutWarning),
      ...columns.unknownTopics.map(topicWarning),
      ...columns.renamed.map(renamedWarning),
      ...columns.awkward.map(awkwardWarning),
      ...settled.flatMap(([key, type]) => typeWarning(key, type, known.get(key))),
    ],
  };
}

/** A key keeps its known type of text, list or yes and no. Dates are texts, too. */
function settledType({ type, isAnswer }: ColumnTypeGuess, known: KeyType | undefined): CsvColumnType {
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

const LEFT_OUT = { no_list: "it is neither CSV nor a workbook", no_addresses: "it has no column of email addresses" };

function leftOutWarning({ name, leftOut }: FileInArchive): ImportWarning[] {
  if (leftOut === null) return [];
  return [{ field: "file", message: `${name} was left out: ${LEFT_OUT[leftOut]}.`, reason: "left_out" }];
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

/** The input of a row, and the cells left out. @throws AppError VALIDATION_ERROR for data that contacts cannot hold */
export function inputOf(
  row: CsvContact,
  terms: ImportTerms,
): { readonly input: ContactInput; readonly skipped: readonly SkippedCell[] } {
  const { data, skipped } = dataOf(row, terms.types);
  const said = row.topics ? { topics: row.topics } : {};
  const { joinedAt, source } = proofIn(row.proof ?? {}, terms.proof, isRefusal(row));
  const proven = { ...(joinedAt === null ? {} : { joinedAt }), ...(source === null ? {} : { evidence: { source } }) };
  return {
    input: { email: row.email, data, filing: terms, ...said, ...proven, ...flagOf(row, terms) },
    skipped,
  };
}

function isRefusal({ standing }: CsvContact): boolean {
  return standing !== null && standing !== "subscribed" && standing !== "pending";
}

type ConsentInput = Pick<ContactInput, "voice" | "subscribed" | "subscribedIfNew" | "suppressed" | "consent">;

function flagOf(
  { standing }: CsvContact,
  { marketing, consent, resubscribe, subscribesOthers }: ImportTerms,
): ConsentInput {
  const voice = importVoice(false, resubscribe);
  if (standing === "subscribed")
    return { voice, subscribed: voice.subscribe === "yes" ? true : undefined, subscribedIfNew: true };
  if (standing === "unsubscribed") return { voice, subscribed: false, subscribedIfNew: false };
  if (standing === "bounce" || standing === "complaint")
    return { voice, subscribed: false, subscribedIfNew: false, suppressed: standing };
  const source = consent === null ? {} : { consent };
  if (marketing === "confirm")
    return { voice: importVoice(true, resubscribe), subscribed: undefined, subscribedIfNew: true, ...source };
  const isWelcome = standing === null && (marketing === null ? subscribesOthers : marketing === "yes");
  return { voice, subscribed: undefined, subscribedIfNew: isWelcome, ...source };
}

/** True if neither the file nor the caller decides on marketing mail for this person. */
export function isUndecided({ standing }: CsvContact, { marketing }: ImportRequest): boolean {
  return standing === null && marketing === null;
}
