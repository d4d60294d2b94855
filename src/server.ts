// A running Posthorn: its parts, its ports open and its loops going; how it starts and how it ends.
import { createApp } from "./app.ts";
import { background } from "./background.ts";
import { ownAddress, type Config } from "./config.ts";
import type { Carriers } from "./delivery/carriers.ts";
import type { Log } from "./log.ts";
import { openParts, type Overrides, type Parts } from "./parts.ts";
import type { Store } from "./store/store.ts";

export type Server = AsyncDisposable & {
  readonly url: string;
  readonly store: Store;
  /** Where mail is taken by SMTP, in words. */
  readonly smtpPorts: readonly string[];
  /** Runs every loop until nothing is due. */
  settle(): Promise<void>;
  /** Reads the TLS certificate of the SMTP ports again. */
  reload(): void;
};

/** How long work in hand may take to finish at the end: after 10 s containers are killed. */
const MAX_SHUTDOWN_MS = 9_000;
/**
 * Seconds that a connection may be silent, whoever is to speak: longer than most proxies and clients keep theirs (60), since whoever
 * closes first may meet a request that is on its way, and than requests wait for their turn.
 */
const IDLE_TIMEOUT_SECONDS = 75;
/** No page of Bun's own with our source on it; no second process on the same port; bodies are measured by http/body.ts. */
const LISTENING = {
  ...{ development: false, reusePort: false, maxRequestBodySize: Number.MAX_SAFE_INTEGER },
  idleTimeout: IDLE_TIMEOUT_SECONDS,
};

/** Starts Posthorn. @throws as openParts, or if its ports cannot be listened on */
export async function startServer(given: Config, overrides: Overrides = {}): Promise<Server> {
  const config = withPort(given);
  const parts = await openParts(config, overrides);
  const { store, log, carriers, domains, ports, inbound } = parts;
  const loops = background(parts);
  const listener = await listen(parts, config.http);
  if (overrides.background !== "manual") loops.start();
  return {
    url: ownAddress({ host: config.http.host, port: listener?.port ?? config.http.port }),
    store,
    smtpPorts: ports.words,
    settle: () => loops.settle(),
    reload: () => ports.readCertificate(),
    [Symbol.asyncDispose]: async () => {
      const looped = loops.stop().then(() => domains.identities?.close());
      // At once, or a slow next hop would be handed mail after mail until the time is over, and the last ones cut off.
      const finished = carriers.finish();
      await stopWork([listener?.stop(), ports.stop(), looped, finished], carriers, log);
      inbound.close();
      parts.renderer.close();
      await listener?.stop(true);
      await store.close();
    },
  };
}

/** @throws as the system does; the parts are closed then */
async function listen(parts: Parts, { host, port }: Config["http"]) {
  try {
    return createApp(parts).listen({ ...LISTENING, hostname: host, port }).server;
  } catch (error) {
    await parts.ports.stop();
    await parts.store.close();
    throw error;
  }
}

/** Port 0 stands for any that is free; links name the one that it is, so it is chosen before anything is built on them. */
function withPort(config: Config): Config {
  const { http } = config;
  if (http.port !== 0 || http.baseUrl !== ownAddress(http)) return config;
  const probe = Bun.listen({ hostname: http.host, port: 0, socket: { data: () => undefined } });
  const { port } = probe;
  probe.stop(true);
  return { ...config, http: { ...http, port, baseUrl: ownAddress({ host: http.host, port }) } };
}

/** `ending`: what ends when its work in hand is done. A caller who sends a request for ever must not hold up the end. */
async function stopWork(ending: readonly (Promise<void> | undefined)[], carriers: Carriers, log: Log): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  // Keeps the process alive as well: what the carrying thread has in hand does not.
  const deadline = setTimeout(resolve, MAX_SHUTDOWN_MS, "late");
  const done = await Promise.race([Promise.all(ending).then(() => carriers.close()), late]);
  clearTimeout(deadline);
  if (done === "late") log.warn("some work was still in hand; mails go on at the next start");
}
