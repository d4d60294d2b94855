// The apostrophe that keeps a spreadsheet from running the text of a cell as a formula.

/** Also the full-width forms, which spreadsheets read as the plain ones, and line breaks, which they pass over. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;

export function startsFormula(text: string): boolean {
  return FORMULA.test(text);
}

/** A text that has such an apostrophe of its own gets another one, so that `unguarded` gives back just this text. */
export function guarded(text: string): string {
  return startsFormula(text) ? `'${text}` : text;
}

export function unguarded(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text;
}
