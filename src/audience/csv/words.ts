// Yes and no, as written by spreadsheets and people, in the languages of this product and their neighbours.

export type YesNoWord = { readonly means: boolean; readonly isTruth: boolean };

/** Written by programs and spreadsheets: one of these alone determines the type of the column. */
const TRUTHS = meaning(
  true,
  "true wahr vrai verdadero vero verdadeiro waar prawda sant sand sann tosi pravda істина истина صحيح 真",
  "false falsch faux falso onwaar fałsz falsz falskt falsk usann epätosi nepravda хибність ложь خطأ 假",
);

/** Typed by people. Some are other words too (NO is Norway), so a column holds them only if it has both yes and no. */
const ANSWERS = meaning(
  false,
  "yes ja oui sí si sì sim tak kyllä ano так да نعم はい 是 y j ok okay",
  "no nein non não nao nee nie nej nei ei ne ні нет لا いいえ 否 n",
);

const WORDS: ReadonlyMap<string, YesNoWord> = new Map([...ANSWERS, ...TRUTHS]);

/** Accents as combining characters. */
const ACCENTS = /[\u0300-\u036f]/;
/** Longer than any of the words, with blanks around it. */
const MAX_CHARS = 20;

/** Null if the text is neither a yes nor a no. */
export function wordIn(text: string): YesNoWord | null {
  if (text.length > MAX_CHARS) return null;
  const small = text.trim().toLowerCase();
  return WORDS.get(ACCENTS.test(small) ? small.normalize("NFC") : small) ?? null;
}

const SHORT: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "x", "✓", "✔", "☑", "✅"].map((word) => [word, true] as const),
  ...["0", "f", "✗", "✘", "☐", "❌"].map((word) => [word, false] as const),
]);

/** The value of the text in a column of yes and no, where `1`, `x` and `✓` count too; null = neither. */
export function isTruthful(text: string): boolean | null {
  return SHORT.get(text.trim().toLowerCase()) ?? wordIn(text)?.means ?? null;
}

function meaning(isTruth: boolean, yes: string, no: string): [string, YesNoWord][] {
  const words = (list: string, means: boolean) =>
    list.split(" ").map((word): [string, YesNoWord] => [word, { means, isTruth }]);
  return [...words(yes, true), ...words(no, false)];
}
