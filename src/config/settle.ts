// The value of every key, out of the sources: the strongest one wins, secrets are fetched, each value is checked.
import { readSecret } from "./file.ts";
import { fileVariant, knownKeys, type KnownKey, type Settings } from "./keys.ts";
import { BadValue, inContext, text } from "./kinds.ts";
import type { Report, Source } from "./sources.ts";

/** `sources`: the strongest first. A value that is refused is reported, and its key keeps the default. */
export function settingsFrom(sources: readonly Source[], report: Report): Settings {
  const settings: Record<string, Record<string, unknown>> = {};
  for (const known of knownKeys()) {
    const section = (settings[known.section] ??= {});
    section[known.property] = valueOf(known, sources, report);
  }
  // Every key of the table was visited, and what its kind let pass is of its type.
  return settings as unknown as Settings;
}

function valueOf(known: KnownKey, sources: readonly Source[], report: Report): unknown {
  const { path, key } = known;
  const isSet = ({ values }: Source): boolean => values.has(path) || (key.secret && values.has(fileVariant(path)));
  const source = sources.find(isSet);
  if (!source) return key.fallback;
  const given = source.values.has(path) ? path : fileVariant(path);
  try {
    return checked(known, source.values);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    report(given, `${error.message} ${source.place(given)}`);
    return key.fallback;
  }
}

function checked({ path, key }: KnownKey, values: ReadonlyMap<string, unknown>): unknown {
  const inFile = fileVariant(path);
  if (!key.secret || !values.has(inFile)) return key.kind.check(values.get(path));
  if (values.has(path)) throw new BadValue(`is set twice, also as ${inFile}; keep one of the two`);
  const content = readSecret(text().check(values.get(inFile)));
  return inContext("names a file whose text", () => key.kind.check(content));
}
