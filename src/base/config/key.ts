// One setting: its kind, its default, and whether it is a secret.
import type { ValueKind } from "./kinds.ts";

/**
 * `secret`: may also come from a file, named by `<key>_file`. `name`: the key in the file, where it is not the property
 * in snake case.
 */
export type ConfigKey<T = unknown> = {
  readonly kind: ValueKind<T>;
  readonly fallback: T;
  readonly secret: boolean;
  readonly name?: string;
};

export function key<T>(kind: ValueKind<T>, fallback: NoInfer<T>): ConfigKey<T> {
  return { kind, fallback, secret: false };
}

export function unset<T>(kind: ValueKind<T>): ConfigKey<T | null> {
  return { kind, fallback: null, secret: false };
}

/** Always text, so that the content of a file can be used as it is. */
export function secret(kind: ValueKind<string>): ConfigKey<string | null> {
  return { kind, fallback: null, secret: true };
}
