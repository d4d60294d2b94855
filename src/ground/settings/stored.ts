// Kept settings as they are in the store: JSON, secrets encrypted.
import { withKept, type GivenConfig, type KeptConfig } from "../../base/config/kept.ts";
import { isHiddenKey } from "../../base/config/settings.ts";
import { UnreadableError, type Secrets } from "../../base/secrets.ts";
import type { Reader } from "../../store/store.ts";
import { keptSettings, type KeptSetting } from "./queries.ts";

/** In the form of the store. */
export function storedValue(secrets: Secrets, key: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = JSON.stringify(value);
  return isHiddenKey(key) ? secrets.encrypt(text) : text;
}

/** By key, without those that are back at their default; an unreadable one is none. */
export function keptValues(secrets: Secrets, rows: readonly KeptSetting[]): Map<string, unknown> {
  return new Map(
    rows.flatMap(({ key, value }) => {
      const text = value === null || !isHiddenKey(key) ? value : decrypted(secrets, value);
      return text === null ? [] : [[key, JSON.parse(text) as unknown] as const];
    }),
  );
}

/** Encrypted with another key, as after a restore without it: to be entered again. */
function decrypted(secrets: Secrets, text: string): string | null {
  try {
    return secrets.decrypt(text);
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
}

/** The configuration with what is kept in the store, for a command beside the server. */
export async function keptConfig(reader: Reader, given: GivenConfig, secrets: Secrets): Promise<KeptConfig> {
  return withKept(given, keptValues(secrets, await keptSettings(reader)));
}
