// Preferences kept in this browser. Everything works without them.

type Name = "scheme" | "language" | "workspace" | "rows" | "columns" | "testers";

export function preference(name: Name): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function setPreference(name: Name, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // As above.
  }
}
