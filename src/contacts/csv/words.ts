// Yes and no, as spreadsheets write them and people type them, in the languages of this product and of its neighbours.

/** As programs and spreadsheets write them: one of these alone says what a column holds. */
const TRUTHS: Readonly<Record<string, boolean>> = meaning(
  "true wahr vrai verdadero vero verdadeiro waar prawda sant sand sann tosi pravda істина истина صحيح 真",
  "false falsch faux falso onwaar fałsz falsz falskt falsk usann epätosi nepravda хибність ложь خطأ 假",
);

/** As people type them. Some are other words too (NO is Norway), so a column holds them only if both are there. */
const ANSWERS: Readonly<Record<string, boolean>> = meaning(
  "yes ja oui sí si sì sim tak kyllä ano так да نعم はい 是",
  "no nein non não nao nee nie nej nei ei ne ні нет لا いいえ 否",
);

/** That stand beside their letter. */
const ACCENTS = /[\u0300-\u036f]/;

export type Word = { readonly means: boolean; readonly isTruth: boolean };

/** Null if the text is no such word. */
export function wordIn(text: string): Word | null {
  if (text.length > MAX_CHARS || /\d/.test(text)) return null;
  const small = text.trim().toLowerCase();
  const word = ACCENTS.test(small) ? small.normalize("NFC") : small;
  const truth = TRUTHS[word];
  if (truth !== undefined) return { means: truth, isTruth: true };
  const answer = ANSWERS[word];
  return answer === undefined ? null : { means: answer, isTruth: false };
}

/** Longer than any of them, with blanks. */
const MAX_CHARS = 20;

function meaning(yes: string, no: string): Record<string, boolean> {
  const words = (list: string, means: boolean) => list.split(" ").map((word): [string, boolean] => [word, means]);
  return Object.assign(Object.create(null), Object.fromEntries([...words(yes, true), ...words(no, false)]));
}
