// Kept settings as they are in the store: JSON, secrets encrypted.
import { isHiddenKey } from "../../base/config/settings.ts";
import { UnreadableError, type Secrets } from "../../base/secrets.ts";
import type { KeptSetting } from "./queries.ts";

/** In the form of the store. */
export function storedValue(secrets: Secrets, key: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = JSON.stringify(value);
  return isHiddenKey(key) ? secrets.encrypt(text) : text;
}

/**
 * By key, without those that are back at their default and those that cannot be read. `secrets` null: without secrets.
 */
export function keptValues(secrets: Secrets | null, rows: readonly KeptSetting[]): Map<string, unknown> {
  return new Map(
    rows.flatMap(({ key, value }) => {
      const text = value === null || !isHiddenKey(key) ? value : decrypted(secrets, value);
      return text === null ? [] : [[key, JSON.parse(text) as unknown] as const];
    }),
  );
}

/** Encrypted with another key, as after a restore without it: to be entered again. */
function decrypted(secrets: Secrets | null, text: string): string | null {
  try {
    return secrets?.decrypt(text) ?? null;
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
}
