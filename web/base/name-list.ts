// Names of events or fields as a comma-separated list; an empty one is null.

export function parseNames(text: string): readonly string[] | null {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return names.length > 0 ? names : null;
}

export function joinNames(names: readonly string[] | null): string {
  return names?.join(", ") ?? "";
}
