// A shop to look at: a server of its own with a year behind it, in a data directory that goes away with it.
import { DAY_MS, StillClock, systemClock } from "../../base/clock.ts";
import { knownKeys } from "../../base/config/paths.ts";
import type { SettingOrigins } from "../../base/config/settings.ts";
import { DEFAULTS, type Config } from "../../base/config.ts";
import type { WaySettings } from "../../base/config/ways.ts";
import type { Log } from "../../base/log.ts";
import { loadSecrets } from "../../base/secrets.ts";
import { startServer, type Server } from "../server.ts";
import { chance } from "./chance.ts";
import { DemoFolder } from "./folder.ts";
import { DemoNames, nobodyOutside } from "./outside.ts";
import { makePast, PAST_DAYS } from "./past.ts";
import { customers } from "./people.ts";
import { DemoRelay } from "./relay.ts";
import { refusingChanges } from "./read-only.ts";
import type { Stage } from "./shop.ts";
import { signInRoutes } from "./sign-in-routes.ts";

const LETTERS: WaySettings = {
  ...{ name: "letters", kind: "capture", ratePerSecond: 0, burst: 1, concurrency: 10, price: 0.4 },
  ...{ relay: DEFAULTS.relay, ses: DEFAULTS.ses },
};
/** One person in so many has no mailbox any more. */
const GONE_EVERY = 61;
const MOST_UPLOADED_BYTES = 4 * 1024 * 1024;

export type DemoOptions = {
  readonly log: Log;
  readonly isReadOnly: boolean;
  /** The folder in which its data directory is made. */
  readonly within?: string | undefined;
};

export class Demo implements AsyncDisposable {
  #server: Server | null = null;

  private constructor(
    private readonly folder: DemoFolder,
    private readonly config: Config,
    private readonly names: DemoNames,
    private readonly options: DemoOptions,
  ) {}

  /**
   * Makes a shop that does not serve yet. `given` says where it will listen, and its limits and its log.
   * @throws as startServer
   */
  static async make(given: Config, options: DemoOptions): Promise<Demo> {
    const folder = DemoFolder.make(options.within);
    const demo = new Demo(folder, configIn(folder.path, given), new DemoNames(), options);
    try {
      await demo.#live();
      return demo;
    } catch (error) {
      await demo[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #live(): Promise<void> {
    const nowMs = systemClock.nowMs();
    await this.staged(nowMs - PAST_DAYS * DAY_MS, (stage) => makePast(stage, nowMs));
  }

  /**
   * On a server that cannot be reached, where time and loops stand still unless `work` moves them. `more`: of its
   * configuration.
   */
  async staged(fromMs: number, work: (stage: Stage) => Promise<void>, more: Partial<Config> = {}): Promise<void> {
    const clock = new StillClock(fromMs);
    const people = customers(chance(1));
    const gone = new Set(people.filter((_, at) => at % GONE_EVERY === 7).map(({ email }) => email));
    const relay = new DemoRelay((address) => gone.has(address));
    const config = { ...configOfPast(this.config), ...more };
    const { names, options } = this;
    await using server = await startServer(config, {
      ...nobodyOutside(names),
      ...{ clock, log: { ...options.log, info: () => undefined }, loops: "settled by hand" },
      transports: { default: relay, [LETTERS.name]: relay },
    });
    const secrets = loadSecrets(config.secrets.key, config.data.dir);
    await work({ server, clock, config, secrets, relay, names, people });
  }

  /** @throws as startServer */
  async serve(): Promise<Server> {
    const { log, isReadOnly } = this.options;
    this.#server = await startServer(this.config, {
      ...nobodyOutside(this.names),
      ...{ log, origins: FIXED, more: signInRoutes, ...(isReadOnly ? { door: refusingChanges } : {}) },
    });
    return this.#server;
  }

  get dir(): string {
    return this.folder.path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    this.folder[Symbol.dispose]();
  }
}

/** Strangers change no setting. */
const FIXED: SettingOrigins = new Map(
  knownKeys().map(({ path }) => [path, { source: "COMMAND_LINE", place: "posthorn demo" }]),
);

/** With `capture`, mail leaves by no way, also if an owner adds one. What visitors bring is small. */
function configIn(dir: string, { http, limits: given, log }: Config): Config {
  const bodyBytes = Math.min(given.bodyBytes, MOST_UPLOADED_BYTES);
  const limits = { ...given, bodyBytes, importBytes: Math.min(given.importBytes, MOST_UPLOADED_BYTES) };
  const delivery = { ...DEFAULTS.delivery, transport: "capture" as const, ratePerSecond: 0 };
  const smtp = { ...DEFAULTS.smtp, submissionPort: 0, submissionsPort: 0, inboundPort: 0 };
  return { ...DEFAULTS, http, limits, log, data: { dir }, delivery, smtp, ways: [LETTERS] };
}

function configOfPast(config: Config): Config {
  return {
    ...config,
    http: { ...config.http, host: "127.0.0.1", port: 0, certFile: null, keyFile: null, plainPort: 0 },
    limits: { ...config.limits, requestsPerMinute: 0, signUpsPerMinute: 0 },
    relay: { ...config.relay, provider: "generic", providerTracking: true },
  };
}
