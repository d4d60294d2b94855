// Numbers as users type them. Other texts are sent unchanged, so that the server refuses them at their field.

/** Null for an empty field: the default. */
export function numberIn(typed: string): number | string | null {
  const text = typed.trim();
  if (text === "") return null;
  const number = Number(text.replace(",", "."));
  return Number.isFinite(number) ? number : text;
}
