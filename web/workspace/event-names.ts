// The events that public keys may record, as people write them: names with commas; nothing = any.

export function namesIn(text: string): readonly string[] | null {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return names.length > 0 ? names : null;
}

export function namesSaid(names: readonly string[] | null): string {
  return names?.join(", ") ?? "";
}
