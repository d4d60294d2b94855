// What owners have set in the interface: checked as the file is, and weaker than the file and the environment.
import { faultsOf, withValues, type Config, type ConfigProblem } from "../config.ts";
import { BadValue } from "./kinds.ts";
import { knownKeys, type KnownKey } from "./paths.ts";
import { isSet, placeOf, type SettingOrigins } from "./settings.ts";

/** Unchecked values by path (`retention.mail_days`). */
export type KeptValues = ReadonlyMap<string, unknown>;

/** What the operator has set: the file, the environment and the command line. */
export type GivenConfig = { readonly config: Config; readonly origins: SettingOrigins };

export type KeptConfig = {
  readonly config: Config;
  /** The paths of the values that count. */
  readonly used: ReadonlySet<string>;
  /** Why others do not. */
  readonly problems: readonly ConfigProblem[];
};

/**
 * The configuration with the values that owners have set. A value that another version or another file does not admit is
 * left out, and a rule that is broken leaves out the values of its section: a server starts whatever is kept.
 */
export function withKept(given: GivenConfig, kept: KeptValues): KeptConfig {
  const checked = checkedValues(given, kept);
  const problems = [...checked.problems];
  const before = new Set(faultsOf(given.config).map(({ key }) => key));
  for (let values = checked.values; ;) {
    const config = values.size === 0 ? given.config : withValues(given.config, values);
    const fault = values.size === 0 ? undefined : faultsOf(config).find(({ key }) => !before.has(key));
    if (!fault) return { config, used: new Set([...values.keys()].map(({ path }) => path)), problems };
    problems.push(fault);
    const others = [...values].filter(([{ path }]) => sectionOf(path) !== sectionOf(fault.key));
    values = new Map(others.length < values.size ? others : []);
  }
}

/** All faults of these values, and of the configuration with them. */
export function faultsOfKept(given: GivenConfig, kept: KeptValues): readonly ConfigProblem[] {
  const { values, problems } = checkedValues(given, kept);
  return problems.length > 0 ? problems : faultsOf(withValues(given.config, values));
}

type CheckedValues = {
  readonly values: ReadonlyMap<KnownKey, unknown>;
  readonly problems: readonly ConfigProblem[];
};

function checkedValues({ origins }: GivenConfig, kept: KeptValues): CheckedValues {
  const keys = new Map(knownKeys().map((known) => [known.path, known]));
  const values = new Map<KnownKey, unknown>();
  const problems: ConfigProblem[] = [];
  for (const [path, value] of kept) {
    const known = keys.get(path);
    try {
      values.set(changeable(known, origins), known?.key.kind.check(value));
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push({ key: path, message: error.message });
    }
  }
  return { values, problems };
}

/** @throws BadValue */
function changeable(known: KnownKey | undefined, origins: SettingOrigins): KnownKey {
  if (!known) throw new BadValue("is not a known key");
  if (known.key.change === "RESTART") throw new BadValue("is set in the file or the environment, and needs a restart");
  if (isSet(known, origins)) throw new BadValue(`is set by ${placeOf(known, origins)}, which wins`);
  return known;
}

function sectionOf(path: string): string {
  return path.slice(0, path.lastIndexOf("."));
}
