// On what terms a file is imported: what the caller says in the fields of the form, and what the whole file has shown.
import { invalidField } from "../../errors.ts";
import type { ContactInput } from "../upsert.ts";
import type { ColumnTypes } from "../csv/typing.ts";
import type { Choices, Columns } from "../csv/columns.ts";
import { canAgree } from "../csv/consent.ts";
import type { Encoding } from "../csv/records.ts";
import { dataOf, type GoodRow } from "../csv/row.ts";
import { refuseBrokenText } from "../../http/body.ts";
import type { FieldType } from "../list/fields.ts";

/** Whether new people of whom the file does not say it may get marketing mail; `confirm`: they are asked. */
const ANSWERS = ["yes", "no", "confirm"] as const;
export type Marketing = (typeof ANSWERS)[number];

export type Asked = {
  readonly marketing: Marketing | null;
  /** Where the consent comes from, kept with those who are subscribed by `marketing`. */
  readonly consent: string | null;
  /** Whom the file calls subscribed is subscribed again, though the person unsubscribed or is suppressed here. */
  readonly resubscribe: boolean;
};

export type Warning = { readonly field: string; readonly message: string };

export type ImportTerms = Asked & {
  readonly types: ColumnTypes;
  /** New people of whom neither file nor caller say it. */
  readonly subscribesOthers: boolean;
  readonly warnings: readonly Warning[];
};

const MAX_CONSENT_CHARS = 500;

/** The fields beside the file. @throws AppError VALIDATION_ERROR */
export function askedIn(fields: ReadonlyMap<string, string>, query: { readonly resubscribe?: boolean }): Asked {
  const marketing = wordIn(fields, "marketing", ANSWERS);
  const consent = fields.get("consent")?.trim() || null;
  if (consent !== null) refuseBrokenText(consent);
  if (marketing === "yes" && consent === null)
    throw invalidField("consent", "Say where these people agreed to get marketing mail.", "required");
  if (consent !== null && consent.length > MAX_CONSENT_CHARS)
    throw invalidField("consent", `At most ${MAX_CONSENT_CHARS} characters.`, "too_big");
  const said = wordIn(fields, "resubscribe", ["true", "false"]);
  return { marketing, consent, resubscribe: said === null ? query.resubscribe === true : said === "true" };
}

function wordIn<Word extends string>(
  fields: ReadonlyMap<string, string>,
  name: string,
  words: readonly Word[],
): Word | null {
  const text = fields.get(name)?.trim() ?? "";
  const word = words.find((one) => one === text);
  if (word === undefined && text !== "") throw invalidField(name, `Expected ${words.join(", ")}.`, "invalid_value");
  return word ?? null;
}

/** What each column shall become: a list of names, "" and null. @throws AppError VALIDATION_ERROR */
export function choicesIn(fields: ReadonlyMap<string, string>): Choices {
  const text = fields.get("columns");
  if (text === undefined) return [];
  const isChoice = (one: unknown) =>
    one === null || (typeof one === "string" && /^$|^email$|^subscribed$|^data(\..+)?$/s.test(one));
  let choices: unknown;
  try {
    choices = JSON.parse(text);
  } catch {
    choices = null;
  }
  if (!Array.isArray(choices) || !choices.every(isChoice))
    throw invalidField(
      "columns",
      'Expected a JSON list of "email", "subscribed", "data.<key>", "" and null.',
      "invalid_value",
    );
  return choices as Choices;
}

/** What a file has shown once it is read. */
export type Seen = { readonly columns: Columns; readonly types: ColumnTypes; readonly encoding: Encoding };

/** `known`: the types of the keys that contacts have. */
export function termsOf(
  asked: Asked,
  { columns, types, encoding }: Seen,
  known: ReadonlyMap<string, FieldType>,
): ImportTerms {
  const settled = Object.entries(types).map(
    ([key, type]) => [key, isText(known.get(key)) && type !== "json" ? "text" : type] as const,
  );
  return {
    ...asked,
    types: Object.fromEntries(settled),
    subscribesOthers: !canAgree(columns.consent),
    warnings: [
      ...encodingWarning(encoding),
      ...settled.flatMap(([key, type]) => typeWarning(key, type, known.get(key))),
    ],
  };
}

function isText(type: FieldType | undefined): boolean {
  return type === "string" || type === "date";
}

function encodingWarning(encoding: Encoding): Warning[] {
  if (encoding !== "windows-1252") return [];
  return [
    { field: "file", message: "The file is not UTF-8. It was read as Windows-1252; check letters such as é and ü." },
  ];
}

const NAMES: Readonly<Record<string, string>> = {
  number: "numbers",
  boolean: "true or false",
  json: "lists or objects",
  object: "lists or objects",
  text: "text",
  string: "text",
  date: "text",
};

function typeWarning(key: string, type: string, known: FieldType | undefined): Warning[] {
  if (known === undefined || NAMES[type] === NAMES[known]) return [];
  const message = `Contacts have ${NAMES[known]} in ${key}; this file makes it ${NAMES[type]}. Segments and workflows may treat it differently.`;
  return [{ field: `data.${key}`, message }];
}

/** The input for a row. @throws AppError VALIDATION_ERROR for data that no contact can hold */
export function inputOf(row: GoodRow, terms: ImportTerms): ContactInput {
  const data = dataOf(row, terms.types);
  return { email: row.email, data, ...flagOf(row, terms) };
}

type Flag = Pick<ContactInput, "subscribed" | "subscribedIfNew" | "suppressed" | "pendingIfNew" | "consent">;

function flagOf({ standing }: GoodRow, { marketing, consent, resubscribe, subscribesOthers }: ImportTerms): Flag {
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
export function isUndecided({ standing }: GoodRow, { marketing }: Asked): boolean {
  return standing === null && marketing === null;
}
