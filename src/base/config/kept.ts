// The settings of owners in the interface: checked as the file is, and weaker than the file and the environment.
import { faultsOf, withValues, type Config, type ConfigProblem } from "../config.ts";
import { BadValue } from "./kinds.ts";
import { knownKeys, type KnownKey } from "./paths.ts";
import { isSet, placeOf, type SettingOrigins } from "./settings.ts";

/** Unchecked values by path (`retention.mail_days`). */
export type KeptValues = ReadonlyMap<string, unknown>;

/** The operator's configuration: the file, the environment and the command line. */
export type GivenConfig = { readonly config: Config; readonly origins: SettingOrigins };

export type KeptConfig = {
  readonly config: Config;
  /** The paths of the values that count. */
  readonly used: ReadonlySet<string>;
  /** The paths of values that are right one by one, but break a rule together. */
  readonly leftOut: ReadonlySet<string>;
  /** Why others do not count: one for each path. */
  readonly problems: readonly ConfigProblem[];
};

type Values = ReadonlyMap<KnownKey, unknown>;

/** It is never left out: without the rest of its way out, email waits there instead of being captured. */
const isTransport = ({ path }: KnownKey) => path === "delivery.transport";

/**
 * The configuration with the values that owners have set. A value that another version or another file does not admit
 * is left out, and a rule that is broken leaves out the values of one section: a server starts with anything that is
 * kept.
 */
export function withKept(given: GivenConfig, kept: KeptValues): KeptConfig {
  const checked = checkedValues(given, kept);
  const standing = new Set(faultsOf(given.config).map(({ key }) => key));
  const configOf = (values: Values) => (values.size === 0 ? given.config : withValues(given.config, values));
  const faultsIn = (values: Values) => faultsOf(configOf(values)).filter(({ key }) => !standing.has(key));
  const broken: ConfigProblem[] = [];
  let { values } = checked;
  for (let [fault] = faultsIn(values); fault; [fault] = faultsIn(values)) {
    const { key } = fault;
    const isMended = (left: Values) => !faultsIn(left).some((one) => one.key === key);
    const left = withoutSection(values, key).find(isMended);
    if (!left && isMended(valuesWhere(values, (known) => !isTransport(known)))) {
      standing.add(key);
      continue;
    }
    const rest = left ?? valuesWhere(values, isTransport);
    for (const known of values.keys()) if (!rest.has(known)) broken.push(sectionProblem(known, fault));
    values = rest;
  }
  return {
    config: configOf(values),
    used: new Set([...values.keys()].map(({ path }) => path)),
    leftOut: new Set(broken.map(({ key }) => key)),
    problems: [...checked.problems, ...broken],
  };
}

/** The values without those of one section: first that of the key, then each other. */
function withoutSection(values: Values, key: string): readonly Values[] {
  const sections = new Set([sectionOf(key), ...[...values.keys()].map(({ path }) => sectionOf(path))]);
  return [...sections].map((section) =>
    valuesWhere(values, (known) => sectionOf(known.path) !== section || isTransport(known)),
  );
}

function valuesWhere(values: Values, isMeant: (known: KnownKey) => boolean): Values {
  return new Map([...values].filter(([known]) => isMeant(known)));
}

function sectionProblem({ path }: KnownKey, { key, message }: ConfigProblem): ConfigProblem {
  return { key: path, message: path === key ? message : `is left out with its section, because ${key} ${message}` };
}

/** The problem of a kept setting, as a sentence without its full stop. */
export function unusedText({ key, message }: ConfigProblem): string {
  return `${key} is kept and not used: it ${message}`;
}

/** All faults of these values, and of the configuration with them; null = back to the default. */
export function faultsOfKept(given: GivenConfig, kept: KeptValues): readonly ConfigProblem[] {
  const { values, problems } = checkedValues(given, kept);
  return problems.length > 0 ? problems : faultsOf(withValues(given.config, values));
}

type CheckedValues = {
  readonly values: Values;
  readonly problems: readonly ConfigProblem[];
};

function checkedValues({ origins }: GivenConfig, kept: KeptValues): CheckedValues {
  const keys = new Map(knownKeys().map((known) => [known.path, known]));
  const values = new Map<KnownKey, unknown>();
  const problems: ConfigProblem[] = [];
  for (const [path, value] of kept) {
    const known = keys.get(path);
    try {
      const { key } = changeable(known, origins);
      if (value !== null) values.set(known as KnownKey, key.kind.check(value));
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

/** `retention` of `retention.mail_days`. */
export function sectionOf(path: string): string {
  return path.slice(0, path.lastIndexOf("."));
}
