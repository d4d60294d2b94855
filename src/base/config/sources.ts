// Where settings come from: the file, the environment, the command line. Unknown names are reported here, with the
// likely meaning.
import { nearest } from "../edit-distance.ts";
import { readToml } from "./file.ts";
import { environmentName, settable, settablePaths } from "./paths.ts";
import { KEYS } from "./keys.ts";
import { BadValue } from "./kinds.ts";
import { keysOfProvider, takeProviders, withTeam } from "./oidc.ts";
import { keysOfMailbox, MAILBOX_TABLES } from "./mailboxes.ts";
import { namedTablesIn } from "./named-tables.ts";
import { keysOfWay, WAY_TABLES } from "./ways.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type ConfigReport = (key: string, message: string) => void;

export type ConfigSource = {
  /** Unchecked values by path (`relay.password`, `relay.password_file`). */
  readonly values: ReadonlyMap<string, unknown>;
  /** The place where the value of a path was set, in words. */
  readonly place: (path: string) => string;
  /** The names of [[ways]], in their order. */
  readonly ways?: readonly string[];
  /** The names of the tables below [team.oidc]. */
  readonly providers?: readonly string[];
  /** The names of [[bounce_mailbox]]. */
  readonly mailboxes?: readonly string[];
};

/** Variables that Kubernetes sets in every container beside a service named posthorn. */
const KUBERNETES_VARIABLE = /^POSTHORN_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$/;
const KUBERNETES_ADDRESS = /^(tcp|udp|sctp):\/\//;

/** The settings in a TOML file; null = the file cannot be used, which is reported. */
export function fileSource(file: string, report: ConfigReport): ConfigSource | null {
  const tables = tablesIn(file, report);
  if (!tables) return null;
  const place = `(in ${file})`;
  const paths = settablePaths();
  const { ways: wayTables = [], bounce_mailbox: mailboxTables = [], ...others } = tables;
  const reportHere: ConfigReport = (key, fault) => report(key, `${fault} ${place}`);
  const ways = namedTablesIn(WAY_TABLES, wayTables, reportHere);
  const mailboxes = namedTablesIn(MAILBOX_TABLES, mailboxTables, reportHere);
  const { sections, names: providers, values: ofProviders } = takeProviders(withTeam(others), reportHere);
  const values = new Map<string, unknown>([
    ...[...ways, ...mailboxes].flatMap((one) => [...one.values]),
    ...ofProviders,
  ]);
  for (const [path, value] of settingsIn(sections, reportHere)) {
    if (paths.has(path)) values.set(path, value);
    else report(path, `${unknownKey(path)} ${place}`);
  }
  const names = { ways: ways.map(({ name }) => name), providers, mailboxes: mailboxes.map(({ name }) => name) };
  return { values, place: () => place, ...names };
}

/** The settings in the environment: `POSTHORN_<SECTION>_<KEY>`. `file`: names the tables that it may set. */
export function environmentSource(
  env: Environment,
  report: ConfigReport,
  { ways = [], providers = [], mailboxes = [] }: Omit<ConfigSource, "values" | "place"> = {},
): ConfigSource {
  const named = [...ways.flatMap(keysOfWay), ...providers.flatMap(keysOfProvider), ...mailboxes.flatMap(keysOfMailbox)];
  const paths = new Map([...settablePaths(), ...settable(named)]);
  const byVariable = new Map([...paths.keys()].map((path) => [environmentName(path), path]));
  const values = new Map<string, unknown>();
  for (const [variable, value] of Object.entries(env)) {
    if (value === undefined || !variable.startsWith("POSTHORN_") || isForeign(variable, value)) continue;
    const path = byVariable.get(variable);
    if (path === undefined) report(variable, unknownVariable(variable));
    else values.set(path, paths.get(path)?.kind.fromText(value));
  }
  return { values, place: (path) => `(set by ${environmentName(path)})` };
}

/** The command line has one setting. */
export function commandLineSource(dataDir: string | undefined): ConfigSource {
  const values = new Map(dataDir === undefined ? [] : [["data.dir", dataDir]]);
  return { values, place: () => "(set by --data)" };
}

function tablesIn(file: string, report: ConfigReport): Readonly<Record<string, unknown>> | null {
  try {
    return readToml(file);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    report(file || "config", error.message);
    return null;
  }
}

function* settingsIn(
  tables: Readonly<Record<string, unknown>>,
  report: ConfigReport,
): Generator<[path: string, value: unknown]> {
  for (const [section, content] of Object.entries(tables)) {
    const fault = sectionFault(section, content);
    if (fault) report(section, fault);
    else for (const [name, value] of Object.entries(content as object)) yield [`${section}.${name}`, value];
  }
}

function sectionFault(section: string, content: unknown): string | null {
  const isTable = Object.getPrototypeOf(content) === Object.prototype;
  if (!Object.hasOwn(KEYS, section)) return isTable ? unknownSection(section) : unknownKey(section);
  return isTable ? null : `must be a section: [${section}] on a line of its own`;
}

/** For the verbs that call a server by its API; none is a setting of the server. */
export const REMOTE_VARIABLES = {
  url: "POSTHORN_URL",
  key: "POSTHORN_KEY",
  from: "POSTHORN_FROM",
  localTo: "POSTHORN_LOCAL_TO",
  spool: "POSTHORN_SPOOL",
} as const;
const NO_SETTINGS: readonly string[] = ["POSTHORN_CONFIG", ...Object.values(REMOTE_VARIABLES)];

/** POSTHORN_CONFIG names the file and POSTHORN_TEST_… configures the tests; neither is a setting. */
function isForeign(variable: string, value: string): boolean {
  if (NO_SETTINGS.includes(variable) || variable.startsWith("POSTHORN_TEST_")) return true;
  return KUBERNETES_VARIABLE.test(variable) || (variable.endsWith("PORT") && KUBERNETES_ADDRESS.test(value));
}

/** `path`: section and key (`http.prot`), or the name alone outside of every section. */
function unknownKey(path: string): string {
  const paths = [...settablePaths().keys()];
  const inOtherSection = paths.find((one) => one.endsWith(`.${path.slice(path.indexOf(".") + 1)}`));
  const meant = nearest(path, paths) ?? inOtherSection;
  if (meant) return `is not a known key; did you mean ${meant}?`;
  const siblings = paths.filter((one) => one.startsWith(`${path.split(".")[0]}.`));
  return `is not a known key; ${siblings.length > 0 ? `its section has ${siblings.join(", ")}` : sectionList()}`;
}

function unknownSection(name: string): string {
  const meant = nearest(name, Object.keys(KEYS));
  return `is not a known section; ${meant ? `did you mean [${meant}]?` : sectionList()}`;
}

function unknownVariable(variable: string): string {
  const meant = nearest(variable, [...settablePaths().keys()].map(environmentName));
  return `is not a known variable; ${meant ? `did you mean ${meant}?` : "the form is POSTHORN_<SECTION>_<KEY>"}`;
}

function sectionList(): string {
  return `the sections are ${Object.keys(KEYS).join(", ")}`;
}
