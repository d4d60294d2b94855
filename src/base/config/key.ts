// One setting: its kind, its default, and whether it is a secret.
import type { ValueKind } from "./kinds.ts";

/**
 * How a key can be changed while the server runs: RESTART = only in the file or the environment; LIVE = also in the
 * interface; CONFIRMED = as LIVE, but it could lock its owner out, so it goes back unless they confirm it.
 */
export const KEY_CHANGES = ["LIVE", "CONFIRMED", "RESTART"] as const;
export type KeyChange = (typeof KEY_CHANGES)[number];

/**
 * `secret`: may also come from a file, named by `<key>_file`. `name`: the key in the file, where it is not the property
 * in snake case.
 */
export type ConfigKey<T = unknown> = {
  readonly kind: ValueKind<T>;
  readonly fallback: T;
  readonly secret: boolean;
  readonly name?: string;
  readonly change: KeyChange;
};

export function key<T>(kind: ValueKind<T>, fallback: NoInfer<T>): ConfigKey<T> {
  return { kind, fallback, secret: false, change: "RESTART" };
}

export function unset<T>(kind: ValueKind<T>): ConfigKey<T | null> {
  return { kind, fallback: null, secret: false, change: "RESTART" };
}

/** Always text, so that the content of a file can be used as it is. */
export function secret(kind: ValueKind<string>): ConfigKey<string | null> {
  return { kind, fallback: null, secret: true, change: "RESTART" };
}

/** Its readers ask for the value each time, so that a change counts at once. */
export function live<T>(known: ConfigKey<T>): ConfigKey<T> {
  return { ...known, change: "LIVE" };
}

/** As `live`, for what could lock its owner out. */
export function confirmed<T>(known: ConfigKey<T>): ConfigKey<T> {
  return { ...known, change: "CONFIRMED" };
}
