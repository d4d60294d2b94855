// Yes and no, as spreadsheets write them and people type them, in the languages of this product and of its neighbours.

export type YesNoWord = { readonly means: boolean; readonly isTruth: boolean };

/** As programs and spreadsheets write them: one of these alone says what a column holds. */
const TRUTHS = meaning(
  true,
  "true wahr vrai verdadero vero verdadeiro waar prawda sant sand sann tosi pravda істина истина صحيح 真",
  "false falsch faux falso onwaar fałsz falsz falskt falsk usann epätosi nepravda хибність ложь خطأ 假",
);

/** As people type them. Some are other words too (NO is Norway), so a column holds them only if both are there. */
const ANSWERS = meaning(
  false,
  "yes ja oui sí si sì sim tak kyllä ano так да نعم はい 是 y j ok okay",
  "no nein non não nao nee nie nej nei ei ne ні нет لا いいえ 否 n",
);

const WORDS: ReadonlyMap<string, YesNoWord> = new Map([...ANSWERS, ...TRUTHS]);

/** That stand beside their letter. */
const ACCENTS = /[\u0300-\u036f]/;
/** Longer than any of them, with blanks. */
const MAX_CHARS = 20;

/** Null if the text is no such word. */
export function wordIn(text: string): YesNoWord | null {
  if (text.length > MAX_CHARS) return null;
  const small = text.trim().toLowerCase();
  return WORDS.get(ACCENTS.test(small) ? small.normalize("NFC") : small) ?? null;
}

const SHORT: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "x", "✓", "✔", "☑", "✅"].map((word) => [word, true] as const),
  ...["0", "f", "✗", "✘", "☐", "❌"].map((word) => [word, false] as const),
]);

/** What the text says in a column of yes and no, where `1`, `x` and `✓` are words too; null = neither. */
export function isTruthful(text: string): boolean | null {
  return SHORT.get(text.trim().toLowerCase()) ?? wordIn(text)?.means ?? null;
}

function meaning(isTruth: boolean, yes: string, no: string): [string, YesNoWord][] {
  const words = (list: string, means: boolean) =>
    list.split(" ").map((word): [string, YesNoWord] => [word, { means, isTruth }]);
  return [...words(yes, true), ...words(no, false)];
}
