// Numbers as people type them. What is none goes to the server as it is, so that it is refused at its field.

/** Nothing typed = null: the default. */
export function numberIn(typed: string): number | string | null {
  const text = typed.trim();
  if (text === "") return null;
  const number = Number(text.replace(",", "."));
  return Number.isFinite(number) ? number : text;
}
