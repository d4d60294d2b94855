// Columns of other products' exports that say who may be mailed: who unsubscribed, whose address bounced, who agreed.
import { plain } from "../contacts/search/name-fields.ts";
import { productOf } from "./products.ts";
import { isTruthful } from "./words.ts";

/** A person's standing in a file, the worst last. */
export const STANDINGS = ["subscribed", "pending", "unsubscribed", "bounce", "complaint"] as const;
export type ConsentStatus = (typeof STANDINGS)[number];

/** The worst comes last, so that no file of an archive subscribes a person whom another one refuses. */
const TURNS = ["subscribed", null, "pending", "unsubscribed", "bounce", "complaint"] as const;

/** The turn of a row among the rows of several files, from 0. */
export function turnOf(standing: ConsentStatus | null): number {
  return TURNS.indexOf(standing);
}

/**
 * `flag`: yes or no, or a state in words. `state`: a state that is not only about mail, so only unmistakable words are
 * understood. `status`: a state that is about mail in the export of a product, but `active` is no consent, since other
 * lists have the same columns. `agreed`: filled = subscribed. The other kinds are refusals if filled, unless with a no;
 * the words of `suppressed` tell which refusal.
 */
type ConsentColumnKind =
  "flag" | "state" | "status" | "agreed" | "suppressed" | "unsubscribed" | "bounce" | "complaint";

export type ConsentColumn = { readonly index: number; readonly kind: ConsentColumnKind };

/** Matched against a name in small letters, reduced to letters and digits. */
const NAMES: readonly (readonly [ConsentColumnKind, RegExp])[] = [
  ["bounce", /^(email)?(hard)?bounced?(at|on|time|date|reason)?$|^clean(ed|edat|time|date|reason)$/],
  ["complaint", /^(spam)?(complained|complaint)(at|on|time|date)?$|^(reported|marked)(as)?spam$|^spamreport(ed)?$/],
  ["suppressed", /^(is|email|globally)?(suppress(ed|ions?)|b(lack|lock)list(ed)?)(at|on|time|date|reason|emails?)?$/],
  [
    "unsubscribed",
    /^(is|has|email|newsletter|marketing)?(unsub|unsubscribed?|optout|optedout)(at|on|time|date|timestamp|reason|emails?)?$/,
  ],
  ["unsubscribed", /^date(unsubscribed|optedout)$|^(has)?(optedout|unsubscribed|optout)(of|from)/],
  ["unsubscribed", /^donot(e?mail|contact)$|^isexcludedfromcampaigns$|^(abgemeldet|abmeldedatum|abgemeldetam)$/],
  ["unsubscribed", /^e?mails?disabled$|^no(e?mail|newsletter)s?$/],
  ["agreed", /^(optin|confirm|doubleoptin)(time|date|at|timestamp)$|^(confirmed|optedin|subscribed)(at|on|date)$/],
  [
    "flag",
    /^(buyer|customer)?(accepts?|receives?|wants|allows?)(e?mails?|(email)?(marketing|newsletter)(e?mails?)?)$|^marketing$/,
  ],
  [
    "flag",
    /^(email|newsletter|marketing)*(consent(state|status)?|(marketing|subscri(ption|ber)|permission)stat(e|us))$/,
  ],
  [
    "flag",
    /^newsletter(subscribed)?$|^globalstatus$|^subscribedto(e?mails?|(the|our)?newsletter)$|^e?mail(campaigns?|marketing|newsletters?)$/,
  ],
  [
    "flag",
    /^(?!.*(sms|phone|mobile|whatsapp|push|call)).*(opt(ed)?in(status)?|issubscribed|marketingstate|newslettercheckbox)$/,
  ],
  ["flag", /^(is)?ok(ay)?(to|for)(e?mails?|contact|marketing|newsletter)$|^(can|may)(we)?(e?mail|contact)(you|me)?$/],
  ["flag", /^(data|e?mail)?subscribed$|^(e?mail|newsletter)subscription$|^(e?mail|marketing)permissions?$/],
  ["flag", /^(abonniert|angemeldet|einwilligung|newsletteranmeldung)$/],
  ["state", /^(e?mail|contact|member|mailpoet|mailster|newsletter|list)?stat(e|us)$|^(suppression)?reason$/],
];

/** True if the header has our own export's column `subscribed`. */
export function hasFlag(header: readonly string[]): boolean {
  return header.some((name) => name.trim().toLowerCase() === "subscribed");
}

/** The consent columns in the header; none if our own column decides. */
export function consentColumnsOf(header: readonly string[]): ConsentColumn[] {
  if (hasFlag(header)) return [];
  const hasStatus = productOf(header)?.hasStatus === true;
  return header.map(plain).flatMap((name, index) => {
    const kind = NAMES.find(([, pattern]) => pattern.test(name))?.[0];
    return kind ? [{ index, kind: kind === "state" && hasStatus ? "status" : kind }] : [];
  });
}

/** The worst standing in the columns; null = none. */
export function standingIn(columns: readonly ConsentColumn[], cells: readonly string[]): ConsentStatus | null {
  let worst = -1;
  for (const { index, kind } of columns) {
    const standing = standingOf(kind, (cells[index] ?? "").trim());
    if (standing) worst = Math.max(worst, STANDINGS.indexOf(standing));
  }
  return STANDINGS[worst] ?? null;
}

export function worse(one: ConsentStatus | null, other: ConsentStatus | null): ConsentStatus | null {
  if (one === null || other === null) return one ?? other;
  return STANDINGS.indexOf(one) > STANDINGS.indexOf(other) ? one : other;
}

function standingOf(kind: ConsentColumnKind, cell: string): ConsentStatus | null {
  if (cell === "") return null;
  if (kind === "flag") return flagIn(cell) ?? stateIn(cell) ?? activityIn(cell);
  if (kind === "state") return stateIn(cell);
  if (kind === "status") return stateIn(cell) ?? (isInactive(cell) ? "unsubscribed" : null);
  if (isNo(cell)) return null;
  if (kind === "agreed") return "subscribed";
  if (kind !== "suppressed") return kind;
  const said = stateIn(cell);
  return said === "bounce" || said === "complaint" ? said : "unsubscribed";
}

/** Reads a yes or no, also `1` and `0`; null = neither. */
export function flagIn(cell: string): "subscribed" | "unsubscribed" | null {
  const isYes = isTruthful(cell);
  return isYes === null ? null : isYes ? "subscribed" : "unsubscribed";
}

function isNo(cell: string): boolean {
  return flagIn(cell) === "unsubscribed" || /^(\[\s*\]|\{\s*\}|null|none|n\/a|-|never|0000-00-00.*)$/i.test(cell);
}

const STATES: readonly (readonly [ConsentStatus, RegExp])[] = [
  ["complaint", /complain|spam|abuse|^junk$/],
  ["bounce", /bounce|^cleaned|undeliverable|^unreachable/],
  [
    "unsubscribed",
    /unsub|(never|not?n?)[ _-]*subscri|opt(ed)?[ _-]*out|b(lack|lock)[ _-]*list|suppress|abgemeldet|^disabled/,
  ],
  ["pending", /^(unconfirmed|pending|unbestätigt|awaiting)/],
  ["subscribed", /^(subscribed|opt(ed)?[ _-]*in|confirmed[ _-]*opt[ _-]*in|abonniert)$/],
];

/** Reads a state in words; null = an unknown state. */
export function stateIn(cell: string): ConsentStatus | null {
  const words = cell.toLowerCase();
  return STATES.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}

function activityIn(cell: string): ConsentStatus | null {
  if (/^(active|enabled|confirmed|express)$/i.test(cell)) return "subscribed";
  return isInactive(cell) ? "unsubscribed" : null;
}

function isInactive(cell: string): boolean {
  return /^(inactive|deactivated|removed|cancell?ed|invalid)/i.test(cell);
}

/** True if some column can say yes. Without such a column, the lack of a refusal is no consent. */
export function canAgree(columns: readonly ConsentColumn[]): boolean {
  return columns.some(({ kind }) => kind === "flag" || kind === "agreed");
}
