// The words of a question and of a page, as they are compared: without endings, small words and other spellings.
import { PHRASES } from "./asked-as.ts";
import { stemOf } from "./stems.ts";

/** Every page has these, so they tell none from another. */
const SMALL = new Set(
  `a about all am an and any are as at be been but by can cannot could did do does doing don t for from get got had has
  have he her his how i if in into is isn it its just let like make many me much my need not of on or our out please posthorn s say said says she should so some that
  the their them then there these they this to too up us use using want was we were what when where which who why will
  with without work you your`.split(/\s+/),
);

/** Words of one meaning, a line each. The guide uses the first, and sometimes others. */
const SAME: readonly string[] = [
  "email mail message letter",
  "contact subscriber customer recipient person people user",
  "delete remove erase purge clear",
  "change edit update modify rename",
  "create add new make",
  "error fault failure problem issue",
  "key token",
  "newsletter campaign broadcast blast mailing",
  "unsubscribe optout",
  "list find see show view",
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
  "slow throttle",
  "report statistics analytics metrics",
  "automation workflow automate",
  "blacklist blocklist suppress",
  "repeat resend",
  "migrate switch move",
  "translate translation language locale",
  "verify validate check test try",
  "server host machine node",
];

const others = new Map<string, Set<string>>();
for (const line of SAME) {
  const stems = line.split(" ").map(stemOf);
  for (const stem of stems)
    others.set(stem, new Set([...(others.get(stem) ?? []), ...stems.filter((one) => one !== stem)]));
}

/** Stems of the words in a question, a title or what a page is asked as, with what their phrases mean. */
export function stemsOf(text: string): string[] {
  return meantBy(text).map(stemOf);
}

/** Stems of the words in a long text, as they stand. `known`: stems by word, from one text to the next. */
export function stemsOfText(text: string, known: Map<string, string>): string[] {
  const words = wordsOf(plain(text));
  for (const word of words) if (!known.has(word)) known.set(word, stemOf(word));
  return words.map((word) => known.get(word) ?? word);
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/['’]/g, "");
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

/** The words of a question with their stems, each once; without small words unless it has no others. */
export function asked(question: string): { readonly word: string; readonly stem: string }[] {
  const byStem = new Map(meantBy(question).map((word) => [stemOf(word), word]));
  const all = [...byStem].map(([stem, word]) => ({ stem, word }));
  const telling = all.filter(({ stem }) => !SMALL_STEMS.has(stem));
  return telling.length > 0 ? telling : all;
}

/** The words of a text, with what its phrases mean in their place. */
function meantBy(text: string): string[] {
  return wordsOf(PHRASES.reduce((sum, [phrase, meaning]) => sum.replaceAll(phrase, meaning), plain(text)));
}

const SMALL_STEMS = new Set([...SMALL].map(stemOf));

/** Stems that mean the same. */
export function likeIt(stem: string): ReadonlySet<string> {
  return others.get(stem) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();
