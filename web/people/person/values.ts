// Data values as text: text stays text, and a number stays a number.

/** For display and editing. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
}

/** Parses the text, keeping the type of the former value. */
export function parseValue(text: string, before: unknown): unknown {
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
