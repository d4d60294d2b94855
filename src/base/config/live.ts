// The configuration while the server runs: each read answers the present value, since owners may change it.
import type { Config } from "../config.ts";

/**
 * Each read asks `current`, so a room may keep the whole or a section. A single value that it keeps stays as it was,
 * and so does a copy of a section.
 */
export function liveConfig(current: () => Config): Config {
  const names = Object.keys(current()) as (keyof Config)[];
  const parts = names.map(
    (name) => [name, Array.isArray(current()[name]) ? null : liveSection(current, name)] as const,
  );
  const entries = parts.map(([name, section]) => [name, propertyOf(() => section ?? current()[name])]);
  return Object.defineProperties({}, Object.fromEntries(entries)) as Config;
}

function liveSection(current: () => Config, name: keyof Config): object {
  const valueOf = (key: string) => (current()[name] as Readonly<Record<string, unknown>>)[key];
  const entries = Object.keys(current()[name]).map((key) => [key, propertyOf(() => valueOf(key))]);
  return Object.defineProperties({}, Object.fromEntries(entries)) as object;
}

function propertyOf(get: () => unknown): PropertyDescriptor {
  return { get, enumerable: true };
}
