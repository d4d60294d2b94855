// A row of the ledger as a sentence.
import type { LedgerChange } from "../../tenant/events/catalog.ts";
import type { LedgerContent, Door, LedgerRef } from "./content.ts";

export type WordLanguage = "en" | "de";

type LedgerWords = {
  readonly what: (content: LedgerContent) => string;
  /** Includes the word that joins it to the sentence. */
  readonly door: (content: LedgerContent) => string;
  /** The reason for a suppression, where the door does not imply it. */
  readonly why: (content: LedgerContent) => string;
  /** The wording that the person agreed to. */
  readonly wording: (version: number) => string;
  /** The team member or the API key that began a job. */
  readonly begunBy: (name: string | null, isKey: boolean) => string;
  readonly source: (source: string) => string;
  readonly said: (said: string) => string;
  readonly from: (ip: string) => string;
  readonly quoted: (text: string) => string;
};

/** For example: Subscribed by the form “Newsletter”, wording 3, from 203.0.113.7. */
export function ledgerSentence(content: LedgerContent, language: WordLanguage): string {
  const words = language === "de" ? DE : EN;
  const { job, by, byKey = false, ip, source, said, wording } = content;
  const more = [
    wording && words.wording(wording.version),
    job && by && words.begunBy(by.name, byKey),
    source && words.source(source),
    said && words.said(said),
    ip && words.from(ip),
  ];
  return `${[words.what(content) + words.door(content) + words.why(content), ...more].filter(Boolean).join(", ")}.`;
}

const day = (at: string | null | undefined): string => (at ?? "").slice(0, 10);

/** In quotation marks with a space before it; empty without a name. */
function quotedName(quoted: LedgerWords["quoted"], one: LedgerRef | undefined): string {
  return one?.name ? ` ${quoted(one.name)}` : "";
}

const EN_REASONS: Readonly<Record<string, string>> = {
  bounce: "an email bounced permanently",
  complaint: "an email was marked as spam",
  "soft-bounces": "emails bounced again and again",
  erased: "the person was erased before",
};

const EN_MAIL = { all: " for all email", marketing: " for marketing email" };

const EN_PASSED = { unticked: "left unticked", "not-offered": "not offered" };

const EN_WHAT: Readonly<Record<LedgerChange, (content: LedgerContent) => string>> = {
  subscribed: () => "Subscribed",
  unsubscribed: () => "Unsubscribed",
  asked: () => "Asked to confirm by email",
  confirmed: () => "Confirmed",
  declined: () => "Declined to confirm",
  expired: () => "Not confirmed in time, and deleted",
  agreed: () => "Agreed",
  "topic-joined": ({ topic = "" }) => `Joined the topic “${topic}”`,
  "topic-left": ({ topic = "", passed }) =>
    passed ? `Not in the topic “${topic}”: ${EN_PASSED[passed]}` : `Left the topic “${topic}”`,
  "topic-unsaid": ({ topic = "" }) => `Took back their choice about the topic “${topic}”`,
  paused: ({ until }) => `Paused marketing email until ${day(until)}`,
  resumed: () => "Ended the pause",
  suppressed: (content) => `Address suppressed${forMail(content, EN_MAIL)}${until(content, "until")}`,
  unsuppressed: () => "Suppression lifted",
  merged: ({ former }) => `Merged with ${former ?? "another contact"}`,
  unmerged: ({ former }) => `No longer merged with ${former ?? "another contact"}`,
  erased: () => "Erased",
};

const EN_DOOR: Readonly<Record<Door, (content: LedgerContent) => string>> = {
  key: ({ by }) => (by?.name ? `with the API key ${EN.quoted(by.name)}` : "with an API key"),
  "public-key": ({ by }) =>
    by?.name ? `on a website with the public key ${EN.quoted(by.name)}` : "on a website with a public key",
  person: ({ by }) => `by ${by?.name ?? "somebody"} of the team`,
  import: ({ job }) => `by the import of${quotedName(EN.quoted, job) || " a file"}`,
  undo: () => "because an import was undone",
  bulk: () => "by a change of many contacts",
  form: ({ form, passed }) => `${passed ? "in" : "by"} the form${quotedName(EN.quoted, form)}`,
  page: () => "on the page that an email links to",
  "one-click": () => "with the unsubscribe button of their email program",
  bounce: ({ what }) => (what === "suppressed" ? "" : `because ${EN_REASONS["bounce"]}`),
  complaint: ({ what }) => (what === "suppressed" ? "" : `because ${EN_REASONS["complaint"]}`),
  "soft-bounces": ({ what }) => (what === "suppressed" ? "" : `because ${EN_REASONS["soft-bounces"]}`),
  provider: () => "at the relay's provider",
  workflow: ({ workflow }) => `by the workflow${quotedName(EN.quoted, workflow)}`,
  "command-line": () => "on the command line",
  clock: () => "because its time was over",
  system: () => "",
};

const EN: LedgerWords = {
  what: (content) => EN_WHAT[content.what](content),
  door: (content) => joined(EN_DOOR[content.door ?? "system"](content)),
  why: (content) => because(content, EN_REASONS, " because"),
  wording: (version) => `wording ${version}`,
  begunBy: (name, isKey) => {
    if (!isKey) return `begun by ${name ?? "somebody"}`;
    return name === null ? "begun with an API key" : `begun with the API key ${EN.quoted(name)}`;
  },
  source: (source) => `place of consent: ${EN.quoted(source)}`,
  said: (said) => `in its words: ${EN.quoted(said)}`,
  from: (ip) => `from ${ip}`,
  quoted: (text) => `“${text}”`,
};

const DE_REASONS: Readonly<Record<string, string>> = {
  bounce: "eine Mail endgültig zurückkam",
  complaint: "eine Mail als Spam gemeldet wurde",
  "soft-bounces": "Mails immer wieder zurückkamen",
  erased: "die Person früher gelöscht wurde",
};

const DE_MAIL = { all: " für alle Mails", marketing: " für Marketing-Mails" };

const DE_PASSED = { unticked: "nicht angekreuzt", "not-offered": "nicht angeboten" };

const DE_WHAT: Readonly<Record<LedgerChange, (content: LedgerContent) => string>> = {
  subscribed: () => "Abonniert",
  unsubscribed: () => "Abbestellt",
  asked: () => "Per Mail um Bestätigung gebeten",
  confirmed: () => "Bestätigt",
  declined: () => "Bestätigung abgelehnt",
  expired: () => "Nicht rechtzeitig bestätigt und gelöscht",
  agreed: () => "Zugestimmt",
  "topic-joined": ({ topic = "" }) => `Thema „${topic}“ abonniert`,
  "topic-left": ({ topic = "", passed }) =>
    passed ? `Thema „${topic}“ nicht abonniert: ${DE_PASSED[passed]}` : `Thema „${topic}“ abbestellt`,
  "topic-unsaid": ({ topic = "" }) => `Wahl zum Thema „${topic}“ zurückgenommen`,
  paused: ({ until: at }) => `Marketing-Mails pausiert bis ${day(at)}`,
  resumed: () => "Pause beendet",
  suppressed: (content) => `Adresse gesperrt${forMail(content, DE_MAIL)}${until(content, "bis")}`,
  unsuppressed: () => "Sperre aufgehoben",
  merged: ({ former }) => `Mit ${former ?? "einem anderen Kontakt"} zusammengeführt`,
  unmerged: ({ former }) => `Wieder getrennt von ${former ?? "einem anderen Kontakt"}`,
  erased: () => "Gelöscht",
};

const DE_DOOR: Readonly<Record<Door, (content: LedgerContent) => string>> = {
  key: ({ by }) => (by?.name ? `mit dem API-Schlüssel ${DE.quoted(by.name)}` : "mit einem API-Schlüssel"),
  "public-key": ({ by }) =>
    by?.name
      ? `auf einer Website mit dem öffentlichen Schlüssel ${DE.quoted(by.name)}`
      : "auf einer Website mit einem öffentlichen Schlüssel",
  person: ({ by }) => `von ${by?.name ?? "jemandem"} aus dem Team`,
  import: ({ job }) => `durch den Import von${quotedName(DE.quoted, job) || " einer Datei"}`,
  undo: () => "weil ein Import rückgängig gemacht wurde",
  bulk: () => "durch eine Änderung vieler Kontakte",
  form: ({ form, passed }) => `${passed ? "im" : "über das"} Formular${quotedName(DE.quoted, form)}`,
  page: () => "auf der Seite, zu der eine Mail führt",
  "one-click": () => "mit dem Abmeldeknopf des Mailprogramms",
  bounce: ({ what }) => (what === "suppressed" ? "" : `weil ${DE_REASONS["bounce"]}`),
  complaint: ({ what }) => (what === "suppressed" ? "" : `weil ${DE_REASONS["complaint"]}`),
  "soft-bounces": ({ what }) => (what === "suppressed" ? "" : `weil ${DE_REASONS["soft-bounces"]}`),
  provider: () => "beim Anbieter des Relays",
  workflow: ({ workflow }) => `durch den Ablauf${quotedName(DE.quoted, workflow)}`,
  "command-line": () => "auf der Kommandozeile",
  clock: () => "weil die Zeit abgelaufen war",
  system: () => "",
};

const DE: LedgerWords = {
  what: (content) => DE_WHAT[content.what](content),
  door: (content) => joined(DE_DOOR[content.door ?? "system"](content)),
  why: (content) => because(content, DE_REASONS, ", weil"),
  wording: (version) => `Wortlaut ${version}`,
  begunBy: (name, isKey) => {
    if (!isKey) return `begonnen von ${name ?? "jemandem"}`;
    return name === null ? "begonnen mit einem API-Schlüssel" : `begonnen mit dem API-Schlüssel ${DE.quoted(name)}`;
  },
  source: (source) => `Ort der Einwilligung: ${DE.quoted(source)}`,
  said: (said) => `in seinen Worten: ${DE.quoted(said)}`,
  from: (ip) => `von ${ip}`,
  quoted: (text) => `„${text}“`,
};

/** A clause that begins with "weil" follows a comma. */
function joined(how: string): string {
  return how === "" ? "" : `${how.startsWith("weil ") ? "," : ""} ${how}`;
}

function forMail({ scope }: LedgerContent, mail: typeof EN_MAIL): string {
  return scope === "all" || scope === "marketing" ? mail[scope] : "";
}

function until(content: LedgerContent, word: string): string {
  return content.until ? ` ${word} ${day(content.until)}` : "";
}

/** A suppression by hand or by a list has no further reason. */
function because(
  { what, reason = "" }: LedgerContent,
  reasons: Readonly<Record<string, string>>,
  word: string,
): string {
  return what === "suppressed" && reasons[reason] !== undefined ? `${word} ${reasons[reason]}` : "";
}
