// Columns of other products' exports that prove consent: the time of joining the list, and the IP address of the
// consent. They set the date of joining and enter the ledger.
import { isIP } from "node:net";
import { iso } from "../../base/clock.ts";
import { momentOf } from "../../base/moments.ts";
import { plain } from "../contacts/search/name-fields.ts";
import type { CsvColumnType } from "./cell.ts";
import { dateIn, type DateOrder } from "./forms.ts";
import { isOwnExport, productOf } from "./products.ts";

/** `added`: to the list, by any person. `ip`: of the consent or its confirmation. */
export const PROOF_KINDS = ["opt-in", "confirmed", "subscribed", "added", "unsubscribed", "ip"] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];
/** `key`: the name of the cells in a row and of the column's type. */
export type ProofColumn = { readonly index: number; readonly key: string; readonly kind: ProofKind };

/** Matched against a name in small letters, reduced to letters and digits. */
const NAMES: readonly (readonly [ProofKind, RegExp])[] = [
  [
    "ip",
    /^(optin|doubleoptin|confirm(ed|ation)?|consent|signup|subscribe[dr]?|activated|created|registration)?ip(adress|address|adresse)?$/,
  ],
  [
    "confirmed",
    /^(confirm(ed|ation)?|doubleoptin|doi|activated|activation)(at|on|time|date|timestamp|ts)$|^activated$/,
  ],
  [
    "opt-in",
    /^(optin|optedin|email(marketing)?consent|consent(ed)?|einwilligung)(at|on|am|time|date|timestamp|ts)$|^dateoptedin$/,
  ],
  [
    "subscribed",
    /^(subscribe|subscribed|subscription|signup|signedup|anmelde|angemeldet)(at|on|am|time|date|timestamp|ts|datum|dt)$|^datesubscribed$/,
  ],
  [
    "added",
    /^(added|joined?|joining|created?|creation|registered|registration|profilecreated|eingetragen|registrierungs|eintragungs)(at|on|am|time|date|timestamp|ts|datum)$/,
  ],
  ["added", /^date(added|joined|created|registered)$|^registered$/],
  [
    "unsubscribed",
    /^(unsub|unsubscribed?|optout|optedout)(at|on|time|date|timestamp|ts)$|^dateunsubscribed$|^abmeldedatum$/,
  ],
];

/** Names that only mean a time if their cells are dates. */
const DATED =
  /^(subscribed|optin|optedin|doubleoptin|confirmed|signup|signedup|joined|added|created|registered|unsubscribed|optout|optedout)$/;

/** `Subscribed` is a date at MailerLite and a yes elsewhere: a date in the first row makes it `Subscribed_at`. */
export function withDates(header: readonly string[], first: readonly string[]): readonly string[] {
  const isMailerLite = productOf(header)?.name === "MailerLite";
  const isDated = (name: string, cell: string) =>
    isTime(cell) || (cell.trim() === "" && isMailerLite && name === "subscribed");
  return header.map((cell, index) => {
    const name = plain(cell);
    return DATED.test(name) && isDated(name, first[index] ?? "") ? `${cell.trim()}_at` : cell;
  });
}

/** The key under which a proof's cells and type are kept has a line break, so it never is a key of data. */
export function proofColumnsOf(header: readonly string[]): ProofColumn[] {
  if (isOwnExport(header)) return [];
  return header.map(plain).flatMap((name, index) => {
    const kind = NAMES.find(([, pattern]) => pattern.test(name))?.[0];
    return kind ? [{ index, key: `\n${index}`, kind }] : [];
  });
}

/** The terms of an import that concern proof. */
export type ProofTerms = {
  readonly product: string | null;
  readonly columns: readonly (Pick<ProofColumn, "key" | "kind"> & { readonly type: CsvColumnType })[];
};

export type Proof = { readonly joinedAt: string | null; readonly source: string | null };

const DATES = ["opt-in", "confirmed", "subscribed", "added"] as const;
const MAX_SOURCE_CHARS = 200;

/** `cells`: by key of the column. `isRefusal`: the file refuses mail to the person. */
export function proofIn(
  cells: Readonly<Record<string, string>>,
  { product, columns }: ProofTerms,
  isRefusal: boolean,
): Proof {
  const moments = new Map<ProofKind, string>();
  const addresses: string[] = [];
  for (const { key, kind, type } of columns) {
    const cell = (cells[key] ?? "").trim();
    if (kind === "ip" && isIP(cell) > 0) addresses.push(cell);
    const moment = kind === "ip" ? null : timeIn(cell, type);
    if (moment !== null && !moments.has(kind)) moments.set(kind, moment);
  }
  const first = DATES.find((kind) => moments.has(kind));
  const dateText = (kind: ProofKind) => `${kind} ${moments.get(kind)?.slice(0, 10)}`;
  const agreed = [
    ...(first ? [dateText(first)] : []),
    ...(first === "opt-in" && moments.has("confirmed") ? [dateText("confirmed")] : []),
    ...new Set(addresses),
  ];
  const facts = isRefusal ? (moments.has("unsubscribed") ? [dateText("unsubscribed")] : []) : agreed;
  const source = facts.length === 0 ? null : `import: ${[...(product ? [product] : []), ...facts].join(", ")}`;
  return { joinedAt: first ? (moments.get(first) ?? null) : null, source: source?.slice(0, MAX_SOURCE_CHARS) ?? null };
}

const ORDERS: Partial<Record<CsvColumnType, DateOrder>> = { "date-dmy": "day", "date-mdy": "month" };
/** Seconds or milliseconds since 1970, of this century. */
const EPOCH = /^[1-9]\d{9}(\d{3})?$/;
/** Includes months in letters. */
const WORDED = /^[\p{L}\d ,.:+-]+$/u;

/** Accepts both orders of day and month. */
export function isTime(cell: string): boolean {
  const text = cell.trim();
  return (["date", "date-dmy", "date-mdy"] as const).some((type) => timeIn(text, type) !== null);
}

/** In ISO 8601, without a time of day if the text has none; null = the text is no time. */
function timeIn(cell: string, type: CsvColumnType): string | null {
  if (EPOCH.test(cell)) return iso(Number(cell.padEnd(13, "0")));
  const text = cell.replace(/ ?(UTC|GMT)$/, "");
  const date = dateIn(text, ORDERS[type] ?? "year") ?? dateIn(text, "year");
  if (date !== null) return /^\d{4}-\d\d-\d\d$/.test(date) ? date : `${momentOf(date)?.slice(0, 23)}Z`;
  const isWorded = /\p{L}{3}/u.test(text) && /\b(19|20)\d\d\b/.test(text) && WORDED.test(text);
  const ms = isWorded ? Date.parse(/\d:\d/.test(text) ? `${text} UTC` : `${text} 00:00 UTC`) : NaN;
  if (Number.isNaN(ms)) return null;
  return /\d:\d/.test(text) ? iso(ms) : iso(ms).slice(0, 10);
}
