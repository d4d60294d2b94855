// The names of a key: in the file, in the environment and in faults.
import { type ConfigKey } from "./key.ts";
import { KEYS } from "./keys.ts";

export type KnownKey = {
  readonly section: string;
  readonly property: string;
  /** As in the file, `relay.ca_file`. */
  readonly path: string;
  readonly key: ConfigKey;
};

/** Every key of the table, in its order. */
export function knownKeys(): readonly KnownKey[] {
  return Object.entries(KEYS).flatMap(([section, keys]) =>
    Object.entries<ConfigKey>(keys).map(([property, key]) => {
      const path = `${section}.${fileKey(property, key)}`;
      return { section, property, path, key };
    }),
  );
}

/** All settable paths. A secret has two: `relay.password` and `relay.password_file`. */
export function settablePaths(): ReadonlyMap<string, ConfigKey> {
  return new Map(settable(knownKeys()));
}

export function settable(known: readonly KnownKey[]): readonly (readonly [path: string, key: ConfigKey])[] {
  return known.flatMap(({ path, key }) =>
    key.secret ? [[path, key] as const, [fileVariant(path), key] as const] : [[path, key] as const],
  );
}

/** The setting that names the file of a secret. */
export function fileVariant(path: string): string {
  return `${path}_file`;
}

/** The environment variable of a key: `relay.ca_file` is `POSTHORN_RELAY_CA_FILE`. */
export function environmentName(path: string): string {
  return `POSTHORN_${path.replaceAll(".", "_").toUpperCase()}`;
}

/** The name of a key in the file. */
export function fileKey(property: string, { name }: ConfigKey): string {
  return name ?? snakeCase(property);
}

function snakeCase(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
