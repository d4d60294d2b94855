// `posthorn serve`: start, say what listens where, wait for a signal, stop in order.
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { createLog } from "../log.ts";
import { loadSecrets } from "../secrets.ts";
import { startServer, type Server } from "../server.ts";
import { prepareFirstStart } from "./first-start.ts";
import type { Call, Io, Verb } from "./verb.ts";
import { welcome } from "./welcome.ts";

export const SERVE: Verb = {
  name: "serve",
  summary: "Starts the server; the first start makes a workspace, its keys and a domain to try things out with",
  run: serve,
};

async function serve(call: Call): Promise<number> {
  const config = call.config();
  const stopped = call.io.untilStopped();
  await using server = await started(config, call.io);
  const keys = await prepareFirstStart(server.store, loadSecrets(config.secrets.key, config.data.dir));
  if (keys) call.io.out(welcome(keys, server.url, config.delivery.transport));
  call.io.out(`HTTP API on ${server.url}`);
  call.io.out(transportLine(config));
  call.io.out(`Data in ${config.data.dir}`);
  await stopped;
  call.io.out("Stopping: finishing what is in hand.");
  return 0;
}

/** @throws Error in plain words if the address cannot be listened on */
async function started(config: Config, io: Io): Promise<Server> {
  const log = createLog({ ...config.log, clock: systemClock, write: (line) => io.out(line) });
  try {
    return await startServer(config, { log });
  } catch (error) {
    throw listenFault(error as { code?: string; syscall?: string }, config) ?? error;
  }
}

function listenFault({ code, syscall }: { code?: string; syscall?: string }, { http }: Config): Error | null {
  if (syscall !== "listen") return null;
  const address = `${http.host}:${http.port}`;
  if (code === "EADDRINUSE") return new Error(`${address} is taken: something else listens there. Stop it, or set another http.port.`);
  if (code === "EACCES") return new Error(`${address} may not be listened on by this user. Set an http.port above 1023.`);
  return new Error(`${address} cannot be listened on (${code}). Set http.host to an address of this machine.`);
}

function transportLine({ delivery, relay, ses }: Config): string {
  const rate = delivery.ratePerSecond === 0 ? "as fast as it goes" : `${delivery.ratePerSecond} mails a second at most`;
  if (delivery.transport === "smtp") return `Transport smtp: mail leaves through ${relay.host}:${relay.port}, ${rate}`;
  if (delivery.transport === "ses") return `Transport ses: mail leaves through Amazon SES in ${ses.region}, ${rate}`;
  return `Transport capture: mail is processed whole and kept, none leaves, ${rate}`;
}
