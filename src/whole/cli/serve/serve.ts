// `posthorn serve`: starts the server, prints its addresses, waits for a signal, stops in order.
import { FIRST_KEYS } from "../../../base/secrets.ts";
import { resolve } from "node:path";
import { iso, MINUTE_MS, StillClock, systemClock, type Clock } from "../../../base/clock.ts";
import { configOrigin, isJournal, ownAddress, type Config } from "../../../base/config.ts";
import { DEFAULT_WAY } from "../../../base/config/ways.ts";
import type { Way } from "../../../ground/ways/list.ts";
import { SparseWarnings } from "../../../base/jobs/sparse-warnings.ts";
import { createLog, type Log } from "../../../base/log.ts";
import { loadSecrets } from "../../../base/secrets.ts";
import { startServer, type Server } from "../../server.ts";
import { ABOUT_RIGHTS, writePrivate } from "../../../base/private-files.ts";
import { databaseFile } from "../../../store/open.ts";
import { withoutDemo } from "../../../operator/installation/demo-domain.ts";
import { explained } from "../faults.ts";
import { prepareFirstStart, welcome, type ServerPlace } from "./first-start.ts";
import { holdBeforeStart, linesOfHeld } from "../queue/hold.ts";
import { Supervisor } from "./supervisor.ts";
import type { VerbCall, Io, Verb } from "../verb.ts";

export const SERVE: Verb = {
  name: "serve",
  summary: "Starts the server; the first start creates a workspace and its keys",
  notes: ["After a restore, no email leaves and no webhook is called until posthorn release."],
  options: {
    hold: { help: "Hold email and webhooks, as after a restore, and show what waits" },
    "test-clock": { help: "For tests: time stands still until posthorn test advance; no email leaves" },
  },
  run: serve,
};

const STILL_STOPPING =
  "Still finishing work in hand, for at most ten seconds. A third signal ends the process at once.";

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use: another program listens there. Stop that, or set another http.port.",
  EACCES: `needs more privileges than this user has. Set an http.port above 1023, or let this user listen there: ${ABOUT_RIGHTS}.`,
};

async function serve(call: VerbCall): Promise<number | void> {
  const config = call.config();
  const voice = voiceOf(config, call.io);
  try {
    if (call.flag("hold")) await holdBeforeStart(call);
    return await served(config, call, voice);
  } catch (error) {
    const exitCode = voice.fail(error);
    if (exitCode === null) throw error;
    return exitCode;
  }
}

async function served(config: Config, { io, configOptions, flag }: VerbCall, { say }: Voice): Promise<void> {
  const stopped = io.untilStopped(() => say(STILL_STOPPING));
  using supervisor = new Supervisor(io.env);
  let reload = () => {};
  io.onHangUp(() => reload());
  const clock = flag("test-clock") ? new StillClock() : systemClock;
  await using server = await started(config, { io, clock }, configOrigin(configOptions));
  reload = () => reloaded(server, say);
  const { transport } = server.config.delivery;
  const secrets = loadSecrets(config.secrets.key, config.data.dir);
  const first = await prepareFirstStart(server.store, secrets, transport);
  if (transport !== "capture") for (const line of await server.store.write(withoutDemo)) say(line);
  if (first) sayFirstKeys(welcome(first, serverPlace(server.config, server.url)), { config, io, say });
  for (const line of await linesOfHeld(server.store)) say(line);
  say(listenLine(config, server.url), { url: server.url });
  if (config.http.face) say(`Web interface on ${serverPlace(server.config, server.url).baseUrl}/app`);
  if (server.smtpPorts.length > 0) say(`SMTP on ${config.smtp.host}, port ${server.smtpPorts.join(" and ")}`);
  for (const line of server.ways.used.map(transportLine)) say(line);
  say(dataLine(config));
  if (clock instanceof StillClock) say(`The test clock says ${iso(clock.nowMs())}. Move it: posthorn test advance 1d`);
  supervisor.ready();
  await stopped;
  supervisor.stopping();
  say("Stopping: finishing work in hand.");
}

/** Port 0 is replaced by the port that it listens on. */
function serverPlace({ http, delivery: { transport } }: Config, url: string): ServerPlace {
  const baseUrl = http.baseUrl === ownAddress(http) ? url : http.baseUrl;
  return { url, baseUrl, transport, face: http.face };
}

/** A journal or log collector keeps its lines and shows them to many people: there the keys go into a file. */
function sayFirstKeys(text: string, { config, io, say }: { config: Config; io: Io } & Pick<Voice, "say">): void {
  if (config.log.format === "text" && !isJournal(io.outPlace, io.env)) return say(text);
  const file = resolve(config.data.dir, FIRST_KEYS);
  writePrivate(file, text.trimStart());
  say(`Posthorn starts for the first time. Its first keys are in ${file}: store them safely, then delete the file.`, {
    file,
  });
}

function reloaded(server: Server, say: Voice["say"]): void {
  const isUsed = server.smtpPorts.length > 0 || server.url.startsWith("https:");
  say(
    `SIGHUP: ${isUsed ? "reading the certificates again" : "no certificate is in use"}. Other settings need a restart.`,
  );
  server.reload();
}

/** @throws Error in plain words if the address cannot be listened on */
async function started(
  config: Config,
  { io, clock }: { io: Io; clock: Clock },
  { file, keys, origins }: ReturnType<typeof configOrigin>,
): Promise<Server> {
  const log = createLog({ ...config.log, clock, write: (line) => io.out(line) });
  console.warn = warningsInto(log);
  // Makes changes since the last start visible; values may be secrets.
  log.info("configuration", { file, set: keys.join(" ") });
  try {
    return await startServer(config, { log, clock, origins });
  } catch (error) {
    throw listenFault(error as { code?: string; syscall?: string }, config) ?? error;
  }
}

export function listenFault({ code, syscall }: { code?: string; syscall?: string }, { http }: Config): Error | null {
  if (syscall !== "listen") return null;
  const reason =
    LISTEN_FAULTS[code ?? ""] ?? `cannot be listened on (${code}). Set http.host to an address of this machine.`;
  return new Error(`${http.host}:${http.port} ${reason}`);
}

function listenLine({ http }: Config, url: string): string {
  const everywhere = http.host === "0.0.0.0" || http.host === "::";
  return `HTTP API on ${url}${everywhere ? " and on every other address of this machine" : ""}`;
}

function transportLine({ name, kind, relay, ses, ratePerSecond, pausedAt }: Way): string {
  const rate = ratePerSecond === 0 ? "without a rate limit" : `at most ${ratePerSecond} emails a second`;
  const end = pausedAt === null ? rate : `${rate}; paused since ${pausedAt}`;
  const which = name === DEFAULT_WAY ? `Transport ${kind}` : `If that fails, by the way ${name}`;
  if (kind === "smtp") return `${which}: email leaves through ${relay.host}:${relay.port}, ${end}`;
  if (kind === "ses") return `${which}: email leaves through Amazon SES in ${ses.region}, ${end}`;
  if (kind === "graph") return `${which}: email leaves through Microsoft Graph as ${relay.user}, ${end}`;
  if (name !== DEFAULT_WAY) return `The way ${name}: email that a rule gives to it is kept but not sent, ${end}`;
  return `${which}: email is processed and kept but not sent, ${end}`;
}

function dataLine(config: Config): string {
  const { data, database } = config;
  if (database.url === null) return `Data in ${data.dir}`;
  return `Data in ${databaseFile(config) ?? `PostgreSQL on ${new URL(database.url).host}`}`;
}

type Voice = {
  /** `fields`: for programs; people read them in the line. */
  readonly say: (line: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** Reports an error and answers the exit code; null leaves both to the command line. */
  readonly fail: (error: unknown) => number | null;
};

/** Plain lines for people, lines of the log if that is JSON; at the start and the end regardless of `log.level`. */
function voiceOf({ log }: Config, io: Io): Voice {
  if (log.format === "text") return { say: (line) => io.out(line), fail: () => null };
  const lines = { level: "info", format: "json", clock: systemClock } as const;
  return {
    say: createLog({ ...lines, write: io.out }).info,
    fail: (error) => {
      const { text, exitCode } = explained(error);
      createLog({ ...lines, write: io.err }).error(text);
      return exitCode;
    },
  };
}

/** For `console.warn`: Bun's PostgreSQL client writes there each time a reconnection fails. */
export function warningsInto(log: Log): typeof console.warn {
  const warnings = new SparseWarnings(log, systemClock, MINUTE_MS);
  return (...words: readonly unknown[]) => warnings.warn(words.join(" "));
}
