// Where settings come from: the file, the environment, the command line. Unknown names are reported here, with the
// likely meaning.
import { nearest } from "../edit-distance.ts";
import { readToml } from "./file.ts";
import { environmentName, settable, settablePaths } from "./paths.ts";
import { KEYS } from "./keys.ts";
import { BadValue } from "./kinds.ts";
import { PROVIDER_TABLES, teamTables } from "./oidc.ts";
import { MAILBOX_TABLES } from "./mailboxes.ts";
import { keysOfTable, namedTables, tablesInList, type NamedTables } from "./named-tables.ts";
import { WAY_TABLES } from "./ways.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type ConfigReport = (key: string, message: string) => void;

export type ConfigSource = {
  /** Unchecked values by path (`relay.password`, `relay.password_file`). */
  readonly values: ReadonlyMap<string, unknown>;
  /** The place where the value of a path was set, in words. */
  readonly place: (path: string) => string;
};

/** `names`: of its tables of each kind, in their order. */
export type FileSource = ConfigSource & { readonly names: TableNames };
export type TableNames = ReadonlyMap<NamedTables, readonly string[]>;
export const NO_FILE: FileSource = { values: new Map(), place: () => "", names: new Map() };

/** Variables that Kubernetes sets in every container beside a service named posthorn. */
const KUBERNETES_VARIABLE = /^POSTHORN_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)$/;
const KUBERNETES_ADDRESS = /^(tcp|udp|sctp):\/\//;

/** The settings in a TOML file; null = the file cannot be used, which is reported. */
export function fileSource(file: string, report: ConfigReport): FileSource | null {
  const tables = tablesIn(file, report);
  if (!tables) return null;
  const place = `(in ${file})`;
  const paths = settablePaths();
  const { ways = [], bounce_mailbox: mailboxes = [], team = {}, ...others } = tables;
  const reportHere: ConfigReport = (key, fault) => report(key, `${fault} ${place}`);
  const { sections, providers } = teamTables(team);
  const given = [
    [WAY_TABLES, tablesInList(WAY_TABLES, ways, reportHere)] as const,
    [MAILBOX_TABLES, tablesInList(MAILBOX_TABLES, mailboxes, reportHere)] as const,
    [PROVIDER_TABLES, providers] as const,
  ];
  const named = given.map(([kind, those]) => [kind, namedTables(kind, those, reportHere)] as const);
  const values = new Map(named.flatMap(([, those]) => those.flatMap((one) => [...one.values])));
  for (const [path, value] of settingsIn({ ...others, ...sections }, reportHere)) {
    if (paths.has(path)) values.set(path, value);
    else report(path, `${unknownKey(path)} ${place}`);
  }
  const names = new Map(named.map(([kind, those]) => [kind, those.map(({ name }) => name)]));
  return { values, place: () => place, names };
}

/**
 * The settings in the environment: `POSTHORN_<SECTION>_<KEY>`. `names`: of the tables in the file, whose keys it may
 * set.
 */
export function environmentSource(env: Environment, report: ConfigReport, names: TableNames): ConfigSource {
  const named = [...names].flatMap(([kind, those]) => those.flatMap((name) => keysOfTable(kind, name)));
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
