// Values of data as one writes them: a text stays a text, and a number that was one before stays a number.

/** As it is shown, and edited. */
export function wordsOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
}

/** What is written means, in place of what was there. */
export function valueIn(text: string, before: unknown): unknown {
  if (typeof before === "string") return text;
  if (text === "true") return true;
  if (text === "false") return false;
  if (text.trim() !== "" && String(Number(text)) === text) return Number(text);
  if (!/^[{["]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
