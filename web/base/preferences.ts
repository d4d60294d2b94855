// Preferences kept in this browser. All are optional: the storage may be blocked.

type PreferenceName = "scheme" | "language" | "workspace" | "rows" | "columns" | "testers";

export function preference(name: PreferenceName): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function setPreference(name: PreferenceName, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Storage is blocked.
  }
}
