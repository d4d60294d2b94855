// The words of a question and of a page in the form for comparison: without endings, small words and other spellings.
import { inEnglish } from "./german.ts";
import { PHRASES } from "./phrases.ts";
import { stemOf } from "./stems.ts";

/** Every page has these words, so they do not tell pages apart. */
const SMALL = new Set(
  `dont doesnt didnt cant couldnt wont wouldnt isnt arent wasnt werent im ive id hasnt havent shouldnt theres thats whats until someone somebody anyone something see happen happens still really possible able give whole a about all am an and any are as at be been but by can cannot could did do does doing don t for from get got had has
  have he her his how i if in into is isn it its just let like make many me much my need not of on or our out please posthorn s say said says she should so some that
  the their them then there these they this to too up us use using want was we were what when where which who why will
  with without work you your
  der die das den dem des ein eine einen einem einer eines ich wir man mein meine meinen meiner unser unsere unseren ihr sie er es wie was wer wo wann warum wieso weshalb welche
  welcher ist sind war wird werden kann koennen können muss müssen soll sollen darf dürfen hat haben habe mit von vom zu zum zur im auf aus bei beim nach für fuer und oder aber nicht kein keine keinen
  über ueber um durch gegen ohne als wenn dass nur noch schon auch sich mir mich uns geht gibt macht machen mache tun alle allen dann hier ob bekommt bekomme bekommen lassen`.split(
    /\s+/,
  ),
);

/** Words of one meaning, a line each. The guide uses the first, and sometimes others. */
const SAME: readonly string[] = [
  "email mail message letter",
  "contact subscriber customer recipient person",
  "delete remove erase purge clear",
  "change edit modify rename update",
  "manually hand manual",
  "create add new make",
  "error fault failure problem issue",
  "key token",
  "newsletter campaign broadcast blast mailing",
  "unsubscribe optout",
  "find search lookup",
  "limit quota maximum max cap",
  "stop cancel abort halt pause",
  "restore recover",
  "export download",
  "import upload",
  "undelivered bounce undeliverable",
  "template layout",
  "picture image logo",
  "file attachment attach",
  "login signin password",
  "report statistics analytics metrics",
  "automation workflow automate",
  "blacklist blocklist suppress",
  "repeat resend",
  "migrate switch move",
  "translate translation language locale",
  "verify validate check test try",
  "server host machine node",
  "member teammate colleague coworker user",
  "setting option config configuration",
  "crash outage down",
  "block ban suppress",
  "duplicate twice double",
  "copy clone duplicate",
  "start begin launch run",
  "finish complete done",
  "old previous former",
  "lost missing",
  "damaged broken corrupt malformed",
  "encrypt encryption",
];

/** A word of a question. */
type QuestionWord = { readonly word: string; readonly stem: string; readonly isName: boolean };

const others = new Map<string, Set<string>>();
for (const line of SAME) {
  const stems = line.split(" ").map(stemOf);
  for (const stem of stems)
    others.set(stem, new Set([...(others.get(stem) ?? []), ...stems.filter((one) => one !== stem)]));
}

/** Stems of the words in a question, a title or a search phrase, with the meaning of their phrases. */
export function stemsOf(text: string): string[] {
  return meantBy(text).map(stemOf);
}

/** The stems of the words in the guide, by word. */
const known = new Map<string, string>();

/** The stem of a word in the guide. */
export function knownStemOf(word: string): string {
  return known.get(word) ?? stemOf(word);
}

/** Stems of the words in a text of the guide, as they stand. */
export function stemsOfText(text: string): string[] {
  const words = [...wordsOf(plain(text)), ...namesOf(plain(text))];
  for (const word of words) if (!known.has(word)) known.set(word, stemOf(word));
  return words.map(knownStemOf);
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/['’]/g, "");
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

/** Names that programs use, as a whole: `rate_per_second`, `email.deferred`, `v1/track`. */
function namesOf(text: string): string[] {
  return text.replace(/\bhttps?:\/\/[^/\s]+/g, " ").match(/[\p{L}\p{N}]+(?:[_./-][\p{L}\p{N}]+)+/gu) ?? [];
}

/**
 * The words of a question with their stems, each once; without small words unless it has no others. A name that
 * programs use is one word if the guide has it, and a word that the guide does not have may be German.
 */
export function questionWords(question: string, isKnown: (stem: string) => boolean): QuestionWord[] {
  const text = plain(question).replace(METHOD, "");
  const names = namesOf(text).filter((name) => isKnown(stemOf(name)));
  const typed = wordsOf(
    names.filter((name) => /[_./]/.test(name)).reduce((rest, name) => rest.replace(name, " "), text),
  );
  const english = typed.map((word) => (SMALL.has(word) || isKnown(stemOf(word)) ? word : (inEnglish(word) ?? word)));
  const words = meantBy(english.join(" ")).map((word) => askedWord(word, false));
  const telling = [
    ...names.map((name) => askedWord(name, true)),
    ...words.filter(({ stem }) => !SMALL_STEMS.has(stem)),
  ];
  return [...new Map((telling.length > 0 ? telling : words).map((word) => [word.stem, word])).values()];
}

/** `POST /v1/send` is searched for by its path. */
const METHOD = /\b(get|post|put|patch|delete) (?=\/)/;

function askedWord(word: string, isName: boolean): QuestionWord {
  return { word, stem: stemOf(word), isName };
}

/** The words of a text, with the meaning of its phrases in their place. */
function meantBy(text: string): string[] {
  return wordsOf(PHRASES.reduce((sum, [phrase, meaning]) => sum.replaceAll(phrase, meaning), plain(text)));
}

const SMALL_STEMS = new Set([...SMALL].map(stemOf));

/** Stems that mean the same. */
export function likeIt(stem: string): ReadonlySet<string> {
  return others.get(stem) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();

/** Stems of the words in a phrase, without small words unless it has no others. */
export function tellingStemsOf(phrase: string): string[] {
  const all = [...stemsOf(phrase), ...namesOf(phrase).map(stemOf)];
  const telling = all.filter((stem) => !SMALL_STEMS.has(stem));
  return telling.length > 0 ? telling : all;
}
