// Which tests `npm test` runs, which it leaves to `npm run test:long`, and which that leaves to `npm run test:nightly`;
// and how all run them: a process a core, nothing twice.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Below test/; a folder ends with a slash. Beside these, whatever drives a browser is long. */
const LONG: readonly string[] = [
  // Programs and services of others.
  ...["backup/bucket", "backup/rights", "backup/standby", "backup/standby-port", "certificates/", "hosts/"],
  ...["smtp-listener/certificate", "install-service", "packaging/", "api/other-clients", "workflows/webhooks-tls"],
  // What is built for others or described to them, and changes with nothing else: the package, the document, the guide.
  ...["client/package", "api/generated-types", "api/openapi-lint", "docs", "guide-questions", "site", "releases"],
  // Processes that are started and ended by signals. The smoke start ends one, the simulation dies everywhere.
  ...["signals", "crash"],
  // What takes its time: passwords that are hashed, starts of servers and commands, schedules and limits.
  ...[
    "team/sign-in",
    "team/provider",
    "team/provider-roles",
    "cli-serve",
    "cli-records",
    "cli-domains",
    "cli-sendmail",
  ],
  ...["cli-upgrade", "demo", "store/opening", "smtp/limits", "templates/render-limits", "workflows/webhooks"],
  ...["webhooks/replay", "backup/backup", "backup/schedule", "operation/", "watch/", "api/domain-watch"],
  ...["api/job-turns", "face/live"],
  // Sending for days: warm-ups, providers that slow down, ways out that rest.
  ...["warmup", "warmup-days", "delivery/pace", "delivery/pace-reports", "delivery/brakes", "delivery/connections"],
  ...[
    "delivery/access-tokens",
    "delivery/way-rules",
    "delivery/ways",
    "delivery/ways-senders",
    "delivery/ways-domains",
  ],
  ...["delivery/ways-of-owners", "delivery/ses-identities", "delivery/smtp-relay-faults", "delivery/perhaps-delivered"],
  // What comes in: mail, mailboxes, and reports of mail servers and providers.
  ...["inbound/receiving", "inbound/door", "inbound/ses-notices", "inbound/reports", "inbound/intake"],
  ...["inbound/feedback-loop", "inbound/bounce-mailbox", "inbound/graph-mailbox", "inbound/bounce-corpus"],
  ...["inbound/from-carrier", "providers/", "api/reports", "reports/"],
  // Moving in and out: files of other products, copies of accounts and of workspaces.
  ...["api/import-archives", "api/import-workbooks", "api/import-products", "api/import-check", "api/import-columns"],
  ...["api/import-undo", "api/import-consent", "contacts/workbook", "moving/", "files/", "leaving/", "compat/ghost"],
  // Masses: of hostile input, of rows, of bytes, of listeners, of members.
  ...["fuzz", "attack", "api/every-field", "api/header-injection", "smtp/header-injection", "backup/hostile"],
  ...["inbound/malformed", "api/hostile", "api/concurrency", "api/merge-undo", "api/merge-all", "api/merge-since"],
  ...["costs", "counted-costs", "large-mails", "retention/pruning", "smtp-listener/crowd", "statistics/fates"],
  ...["store/many-writers", "store/migrate-store", "store/sessions", "store/clock-watch", "segments/membership"],
  "segments/condition",
];

/** What the simulation of the short tests has by other means: processes that are killed. And machines of others. */
const NIGHTLY: readonly string[] = [
  ...["crash-again", "crash-campaign", "crash-import", "crash-inbound", "crash-mailbox", "crash-merge", "crash-retry"],
  ...["crash-submission", "workflows/crash", "faults"],
  ...["inbound/real-mail-servers", "inbound/real-scanners", "smtp/clients", "face/firefox"],
];

/** These keep to seconds of the real clock, so nothing runs beside them. */
const ALONE: readonly string[] = ["backup/stream", "crash-stream", "crash-postgres", "delivery/relay-sessions"];

/** Seconds that these take by themselves, for a clone that has not run them yet. */
const SLOW_FILES: Readonly<Record<string, number>> = {
  "face/shots": 400,
  "face/every-state": 250,
  "face/day": 110,
  "face/writing": 67,
  "face/workflows": 54,
  "face/people": 45,
  "face/team": 40,
  "face/set-up": 40,
  simulation: 60,
};

/** A browser is in the short tests once. */
const SHORT_JOURNEYS: readonly string[] = ["face/first-mail"];

const FILES = [...new Bun.Glob("**/*.test.ts").scanSync("test")].sort().map((path) => path.replace(".test.ts", ""));
for (const name of [...LONG, ...NIGHTLY, ...ALONE, ...SHORT_JOURNEYS, ...Object.keys(SLOW_FILES)])
  if (name !== "face/shots" && !FILES.some((file) => isNamed([name], file)))
    throw new Error(`There is no test ${name}, which suites.ts names.`);

/** `face`: drives a browser, beside the few that are short. */
export type Suite = "short" | "long" | "face" | "nightly" | "alone";

/**
 * What `npm test` leaves out of its files: tests whose names end with (slow), which take a fifth of a second or more.
 */
export const WITHOUT_SLOW = ["-t", "^(?!.*\\(slow\\))"] as const;
/** And what `npm run test:long` runs of them. */
export const SLOW_ALONE = ["-t", "\\(slow\\)"] as const;

/** Files of the short suite with slow tests. */
export function filesWithSlow(): readonly string[] {
  return filesOf("short").filter((path) => readFileSync(path, "utf8").includes("(slow)"));
}

/** Paths of test files. */
export function filesOf(suite: Suite): readonly string[] {
  return FILES.filter((file) => suiteOf(file) === suite).map(pathOf);
}

/** A picture of each screen: one that cannot be drawn, or is empty, fails. */
export const PICTURES = { path: "./test/face/shots.ts", env: { SHOTS: "each" } } as const;

/** The simulation, with more than the seeds of the short tests. */
export const MORE_SEEDS = { path: "./test/simulation.test.ts", env: { POSTHORN_SIMULATION_SEEDS: "200" } } as const;

export function isAlone(name: string): boolean {
  return ALONE.includes(name);
}

export function pathOf(name: string): string {
  return name.endsWith("/") ? `./test/${name}` : `./test/${name}.test.ts`;
}

function suiteOf(file: string): Suite {
  if (isAlone(file)) return "alone";
  if (isNamed(NIGHTLY, file)) return "nightly";
  if (isNamed(LONG, file)) return "long";
  return drivesBrowser(file) && !SHORT_JOURNEYS.includes(file) ? "face" : "short";
}

function isNamed(names: readonly string[], file: string): boolean {
  return names.some((name) => (name.endsWith("/") ? file.startsWith(name) : file === name));
}

function drivesBrowser(file: string): boolean {
  return /from "\.\.\/support\/(browser|firefox)\.ts"/.test(readFileSync(pathOf(file), "utf8"));
}

type Run = {
  /** Instead of one a core. */
  readonly processes?: number;
  readonly engine: "sqlite" | "postgres";
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/** Answers whether all have passed. Slow files begin first, by what they took the last time. */
export function runTests(paths: readonly string[], { processes, engine, options = [], env }: Run): Promise<boolean> {
  // Without a path, all tests would run.
  if (paths.length === 0) return Promise.resolve(true);
  const parallel = processes === undefined ? "--parallel" : `--parallel=${processes}`;
  const timings = [`--timings=${timingsOf(engine)}`, "--update-timings"];
  const retries = process.env["POSTHORN_TEST_RETRIES"];
  const attempts = retries === undefined ? [] : [`--retry=${retries}`];
  const words = ["test", "--timeout=300000", "--no-isolate", parallel, ...timings, ...attempts, ...options, ...paths];
  const database = engine === "sqlite" ? undefined : process.env["POSTHORN_TEST_DATABASE"];
  return runBun(words, { ...env, ...FOR_SHORT_LIVES, ...inMemory(), POSTHORN_TEST_DATABASE: database });
}

/**
 * What each file took the last time. Those that are not in it would be run in the order of their names, and a slow one
 * at the end by itself.
 */
function timingsOf(engine: Run["engine"]): string {
  const path = `dist/timings-${engine}.json`;
  const known = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as { readonly files: object }).files : {};
  const guessed = [...FILES.map((name) => [`test/${name}.test.ts`, name]), ["test/face/shots.ts", "face/shots"]];
  const files = Object.fromEntries(guessed.map(([file, name = ""]) => [file, (SLOW_FILES[name] ?? 1) * 1_000]));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ version: 1, files: { ...files, ...known } }));
  return path;
}

/**
 * Code of a test runs a few times: the last optimiser, which the executable does without too (cli/engine-options.ts),
 * and garbage collection by more than one thread take more of busy cores than they save.
 */
const FOR_SHORT_LIVES = { BUN_JSC_useFTLJIT: "0", BUN_JSC_numberOfGCMarkers: "1" };

const MEMORY = "/dev/shm";
const LEAST_FREE_BYTES = 4_000_000_000;
let folder: string | undefined;

/** Stores of tests need no disk: a process that is killed leaves them as they are. */
function inMemory(): { readonly TMPDIR?: string } {
  if (process.env["TMPDIR"]) return {};
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < LEAST_FREE_BYTES) return {};
    folder ??= mkdtempSync(join(MEMORY, "posthorn-tests-"));
    // As /tmp is: some tests act as another user.
    chmodSync(folder, 0o755);
    return { TMPDIR: folder };
  } catch {
    return {};
  }
}

process.on("exit", () => folder && rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

/** Answers whether it succeeded. */
export async function runBun(words: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) {
  const stdio = ["ignore", "inherit", "inherit"] as const;
  const child = Bun.spawn([process.execPath, ...words], { stdio: [...stdio], env: { ...process.env, ...env } });
  return (await child.exited) === 0;
}
