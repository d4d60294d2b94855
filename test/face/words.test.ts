// The words of screens, recipient pages, the guide and the API's document: one for each thing, in either language, and
// German says Sie.
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { de as germanPages } from "../../src/base/languages/translations/de.ts";
import { en as englishPages } from "../../src/base/languages/translations/en.ts";
import { documentOf } from "../support/operations.ts";
import { workspace } from "../support/workspace.ts";

type Banned = Readonly<Record<string, RegExp>>;

/** Better word → what it replaces. */
const ENGLISH: Banned = {
  email: /\be-?mails?\b(?<!email|emails)|\bmails?\b(?! (servers?|exchange))(?!\.)/i,
  "audit log": /\baudit list\b/i,
  Settings: /\bset-?up\b(?! (keys|domains))/i,
  "Search or jump to": /\bfind or do\b/i,
  "Needs attention": /\bneeds? you\b/i,
  Recipients: /\bwhom it is for|who gets it\b/i,
  queued: /\bon (its|their) way\b/i,
  "Back to draft": /\bmake it a draft\b/i,
  Fix: /\bmend\b/i,
  sent: /\bhand(ed|ing)? over\b/i,
  "per second": /… a second\b|^a second$/i,
  Funnel: /\bhow the number falls\b/i,
  selected: /\b(people|contacts|persons?) chosen\b|\bchoose all\b/i,
  Preview: /\btrial run\b/i,
  "will receive": /^gets? it$/i,
  bots: /\bby a machine\b|\bmachines are\b/i,
  status: /^states?$/i,
  "email address": /^address(es)?$/i,
};

const GERMAN: Banned = {
  Ergebnisse: /abrechnung/i,
  Ablauf: /zeichenfläche/i,
  Einstellungen: /^einrichtung$|unter einrichtung/i,
  Vorschau: /probelauf/i,
  gesendet: /übergeben|übergab/i,
  fehlgeschlagen: /gescheitert/i,
  Rückläufer: /unzustellbar|\bbounces?\b/i,
  "Marketing-Mails": /werbemail/i,
  Abo: /\babonnement/i,
  Version: /\bFassung/,
  Tempo: /\btakt\b/i,
  Kontakte: /publikum/i,
  "Mail, E-Mail-Adresse": /\be-mails?\b(?!-adresse)/i,
};

const FAMILIAR = /\b([Dd]u|[Dd]ich|[Dd]ir|[Dd]ein(e[mnrs]?)?)\b/;
/** As a sentence begins that tells somebody to do something, with du. */
const VERBS =
  "Änder|Benutz|Beginn|Füg|Gib|Klick|Lad|Leg|Lösch|Nimm|Öffn|Prüf|Sag|Schau|Schreib|Send|Setz|Trag|Wähl|Zieh";
const TELLING = new RegExp(String.raw`(^|[.:;,] ?)(${VERBS})(e[ ,]|e? [a-zäöü])`);

const SUBSCRIPTION = /\b(an|ab)(ge)?meld(e|en|et|ung|ungen|elink)\b/i;
/** Where German speaks of signing in and out, also for a way out. */
const OF_SESSIONS = /^(audit|frame|me|people-refusals|refusals|sign-in|team|templates|way-refusals|ways)\./;

/** Of prose: servers, programs and loops are of mail, as everywhere. */
const EMAIL: Banned = {
  email:
    /\be-mails?\b|\bmails?\b(?!( |-)(servers?|programs?|clients?|relays?|loops?|exchangers?|(or|and) RCPT)\b)(?!\.)/i,
};
/** As in `JMRP`, Microsoft's name for it. */
const NAMES = /Junk Mail Reporting Program/g;
const CODE = /`[^`]*`|\]\([^)]*\)|https?:\S+/g;

/** Every line by its file, without its code. */
async function guide(): Promise<readonly (readonly [string, string])[]> {
  const folder = new URL("../../docs/", import.meta.url).pathname;
  const files = [...new Glob("**/*.md").scanSync(folder)].filter((file) => !file.startsWith("dev/"));
  const lines = await Promise.all(
    files.map(async (file) => {
      const prose = (await Bun.file(folder + file).text()).replace(/^ *```.*?^ *```/gms, "").replace(NAMES, "");
      return prose.split("\n").map((line) => [file, line.replace(CODE, "")] as const);
    }),
  );
  return lines.flat();
}

/** Summaries and descriptions, by where they stand. */
function wordsOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "string" && /^(summary|description)$/.test(key)
      ? [[path, inner.replace(CODE, "")] as const]
      : wordsOf(inner, `${path}/${key}`),
  );
}

/** Every text by its path; of a function, the strings in it. */
function textsOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function")
    return [...value.toString().matchAll(/"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
      ([, plain, template = ""]) => [path, plain ?? template.replace(/\$\{[^}]*\}/g, "…")] as const,
    );
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`));
}

async function screens(language: "en" | "de") {
  const folder = new URL(`../../web/texts/${language}/`, import.meta.url).pathname;
  const files = [...new Bun.Glob("*.ts").scanSync(folder)];
  const texts = await Promise.all(
    files.map(async (file) =>
      textsOf((await import(`${folder}${file}`)) as unknown, file.slice(0, -".ts".length)).filter(
        ([path]) => !path.startsWith("domains.domains.letter"),
      ),
    ),
  );
  return texts.flat();
}

const found = (texts: readonly (readonly [string, string])[], banned: Banned) =>
  Object.entries(banned).flatMap(([better, words]) =>
    texts.filter(([, text]) => words.test(text)).map(([path, text]) => `${path}: “${text}” → ${better}`),
  );

test("English screens use one word for one thing", async () => {
  const texts = await screens("en");
  expect(texts.length).toBeGreaterThan(1_500);
  expect(found(texts, ENGLISH)).toEqual([]);
});

test("German screens use one word for one thing, and sign in only with an account", async () => {
  const texts = await screens("de");
  expect(found(texts, GERMAN)).toEqual([]);
  const wrong = texts.filter(([path, text]) => !OF_SESSIONS.test(path) && SUBSCRIPTION.test(text));
  expect(wrong).toEqual([]);
});

test("the guide and the API's document say email, too (slow)", async () => {
  await using posthorn = await workspace();
  const [lines, words] = [await guide(), wordsOf(await documentOf(posthorn), "")];
  expect([lines.length > 2_500, words.length > 1_000]).toEqual([true, true]);
  expect(found([...lines, ...words], EMAIL)).toEqual([]);
});

test("no German text says du", async () => {
  const texts = await screens("de");
  expect(texts.filter(([, text]) => FAMILIAR.test(text) || TELLING.test(text))).toEqual([]);
});

test("Recipient pages speak of subscriptions, not of accounts", () => {
  expect(textsOf(germanPages, "de").filter(([, text]) => SUBSCRIPTION.test(text))).toEqual([]);
  expect(textsOf(englishPages, "en").filter(([, text]) => /e-mail/i.test(text))).toEqual([]);
});
