// `posthorn serve`: start, say what listens where, wait for a signal, stop in order.
import { resolve } from "node:path";
import { systemClock } from "../clock.ts";
import { isJournal, type Config } from "../config.ts";
import { createLog } from "../log.ts";
import { loadSecrets } from "../secrets.ts";
import { startServer, type Server } from "../server.ts";
import { writePrivate } from "../private-files.ts";
import { databaseFile } from "../store/open.ts";
import { prepareFirstStart } from "./first-start.ts";
import type { Call, Io, Verb } from "./verb.ts";
import { voiceOf, warningsInto, type Voice } from "./voice.ts";
import { welcome } from "./welcome.ts";

export const SERVE: Verb = {
  name: "serve",
  summary: "Starts the server; the first start makes a workspace, its keys and a try-out domain",
  run: serve,
};

/** In the data directory. */
const FIRST_KEYS = "first-keys.txt";

const STILL_STOPPING =
  "Still finishing what is in hand, for ten seconds at most. A third signal ends the process at once.";

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is taken: something else listens there. Stop that, or set another http.port.",
  EACCES: "may not be listened on by this user. Set an http.port above 1023.",
};

async function serve(call: Call): Promise<number> {
  const config = call.config();
  const voice = voiceOf(config, call.io);
  try {
    return await served(config, call.io, voice);
  } catch (error) {
    const exitCode = voice.fail(error);
    if (exitCode === null) throw error;
    return exitCode;
  }
}

async function served(config: Config, io: Io, { say }: Voice): Promise<number> {
  const stopped = io.untilStopped(() => say(STILL_STOPPING));
  let reload = () => {};
  io.onHangUp(() => reload());
  await using server = await started(config, io);
  reload = () => reloaded(server, say);
  const keys = await prepareFirstStart(server.store, loadSecrets(config.secrets.key, config.data.dir));
  if (keys) sayFirstKeys(welcome(keys, server.url, config.delivery.transport), { config, io, say });
  say(listenLine(config, server.url), { url: server.url });
  if (server.smtpPorts.length > 0) say(`SMTP on ${config.smtp.host}, port ${server.smtpPorts.join(" and ")}`);
  say(transportLine(config));
  say(dataLine(config));
  await stopped;
  say("Stopping: finishing what is in hand.");
  return 0;
}

/** A journal or a collector of logs keeps what it gets, and shows it to many: there the keys go into a file. */
function sayFirstKeys(text: string, { config, io, say }: { config: Config; io: Io } & Pick<Voice, "say">): void {
  if (config.log.format === "text" && !isJournal(io.outPlace, io.env)) return say(text);
  const file = resolve(config.data.dir, FIRST_KEYS);
  writePrivate(file, text.trimStart());
  say(`Posthorn starts for the first time. Its first keys are in ${file}: keep them safe, then delete the file.`, {
    file,
  });
}

function reloaded(server: Server, say: Voice["say"]): void {
  const what = server.smtpPorts.length > 0 ? "reading the certificate again" : "there is no certificate to read again";
  say(`SIGHUP: ${what}. Other settings need a restart.`);
  server.reload();
}

/** @throws Error in plain words if the address cannot be listened on */
async function started(config: Config, io: Io): Promise<Server> {
  const log = createLog({ ...config.log, clock: systemClock, write: (line) => io.out(line) });
  console.warn = warningsInto(log);
  try {
    return await startServer(config, { log });
  } catch (error) {
    throw listenFault(error as { code?: string; syscall?: string }, config) ?? error;
  }
}

function listenFault({ code, syscall }: { code?: string; syscall?: string }, { http }: Config): Error | null {
  if (syscall !== "listen") return null;
  const reason =
    LISTEN_FAULTS[code ?? ""] ?? `cannot be listened on (${code}). Set http.host to an address of this machine.`;
  return new Error(`${http.host}:${http.port} ${reason}`);
}

function listenLine({ http }: Config, url: string): string {
  const everywhere = http.host === "0.0.0.0" || http.host === "::";
  return `HTTP API on ${url}${everywhere ? " and every other address of this machine" : ""}`;
}

function transportLine({ delivery, relay, ses }: Config): string {
  const rate = delivery.ratePerSecond === 0 ? "as fast as it goes" : `${delivery.ratePerSecond} mails a second at most`;
  if (delivery.transport === "smtp") return `Transport smtp: mail leaves through ${relay.host}:${relay.port}, ${rate}`;
  if (delivery.transport === "ses") return `Transport ses: mail leaves through Amazon SES in ${ses.region}, ${rate}`;
  return `Transport capture: mail is processed whole and kept, none leaves, ${rate}`;
}

function dataLine(config: Config): string {
  const { data, database } = config;
  if (database.url === null) return `Data in ${data.dir}`;
  return `Data in ${databaseFile(config) ?? `PostgreSQL on ${new URL(database.url).host}`}`;
}
