// One store and the lives of the processes that serve it, one after the other: what was committed is all that passes
// on. Beside them there may be a companion, a second server on the same store that never dies: between the two of them
// only the leases keep order.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULTS, type Config } from "../../src/base/config.ts";
import { createLog } from "../../src/base/log.ts";
import { keyFile, loadSecrets } from "../../src/base/secrets.ts";
import type { Transport } from "../../src/sending/carrier/transport/transport.ts";
import { startServer, type Server } from "../../src/whole/server.ts";
import type { Store } from "../../src/store/store.ts";
import type { Chance } from "../support/chance.ts";
import { TestClock } from "../support/clock.ts";
import { freshFile } from "../support/database.ts";
import { TableResolver } from "../support/resolver.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { Crash, Fate } from "./fate.ts";
import { MortalStore } from "./mortal-store.ts";
import type { Order } from "./order.ts";
import type { Relay } from "./relay.ts";

/** What the seed at work brings. */
export type Around = { readonly chance: Chance; readonly order: Order; readonly relay: Relay };

type Life = {
  readonly dir: string;
  readonly life: number;
  readonly fate: Fate;
  readonly around: (opened: Store) => Store;
};

const TICK_MS = 0.001;

/**
 * No work takes no time at all: what rests in proportion to what it took would never rest, and settling would wait for
 * it.
 */
class RunningClock extends TestClock {
  #ticks = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + ++this.#ticks * TICK_MS;
  }
}

/** Of the companion beside a life: it begins and ends with it. */
const BESIDE = 0.5;

/**
 * A mail whose outcome cannot be recorded is given up with the process: nobody waits for a store that never comes back.
 */
const LEASE_MS = 3_000;
const MEMORY = "/dev/shm";

export class Installation implements AsyncDisposable {
  readonly clock = new RunningClock();
  readonly faults: string[] = [];
  #server: Server | null = null;
  #companion: Server | null = null;
  #store: Store | null = null;
  #fate = new Fate(Infinity);
  #life = 0;
  #around: Around | null = null;

  private constructor(
    private readonly dataDir: string,
    private readonly hasCompanion: boolean,
    readonly hasBackup: boolean,
  ) {
    for (const dir of [dataDir, this.#besideDir]) {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      freshFile(join(dir, "posthorn.db"));
    }
  }

  /** `hasBackup`: there is a second way out. */
  static make({ hasCompanion, hasBackup }: Record<"hasCompanion" | "hasBackup", boolean>): Installation {
    const inMemory = process.platform === "linux" ? MEMORY : tmpdir();
    return new Installation(mkdtempSync(join(inMemory, "posthorn-simulation-")), hasCompanion, hasBackup);
  }

  /** As it is, whoever is dead. */
  get store(): Store {
    return this.#store as Store;
  }

  /** What changes of its ways are made with. */
  get known() {
    return { config: configOf(this.dataDir, this.hasBackup), secrets: null };
  }

  get fate(): Fate {
    return this.#fate;
  }

  get #playing(): Around {
    return this.#around as Around;
  }

  get life(): number {
    return this.#life;
  }

  get server(): Server {
    return this.#server as Server;
  }

  /** Both servers run every loop until nothing is due. */
  async settle(): Promise<void> {
    const servers = [this.#server, this.#companion].filter((server) => server !== null);
    const results = await Promise.allSettled(servers.map((server) => server.settle()));
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  asked<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    return this.#playing.order.asked(request);
  }

  /** The seed at work from here on. The process that served the one before it goes on. */
  async play(around: Around): Promise<void> {
    this.#around = around;
    if (this.#server === null) await this.start([]);
  }

  /**
   * The process before is gone, if there was one; the next ones die at the places that are given, perhaps before they
   * have started.
   */
  async start(placesLeft: readonly number[]): Promise<void> {
    for (const left of [...placesLeft, Infinity]) {
      await this.end();
      this.#life++;
      this.#fate = new Fate(left);
      this.#server = await this.#begin().catch(crashedOnly);
      if (this.#server) break;
    }
    if (!this.hasCompanion) return;
    copyFileSync(keyFile(this.dataDir), keyFile(this.#besideDir));
    this.#companion = await this.#beginBeside();
  }

  /** Without its orderly end, if it is dead: nothing of that reaches the store. */
  async end(): Promise<void> {
    await this.#companion?.[Symbol.asyncDispose]();
    this.#companion = null;
    await this.#server?.[Symbol.asyncDispose]();
    this.#server = null;
  }

  /** The secret key of a workspace of its own. */
  async addWorkspace(name: string): Promise<string> {
    const secrets = loadSecrets(null, this.dataDir);
    const { secret } = await addWorkspace({ store: this.store, secrets }, { name, domain: `${name}.test` });
    // Signing runs beside the event loop and ends at a moment that no seed knows.
    await this.store.write((tx) => tx.run`update domain_keys set private_key = ''`);
    return secret;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  get #besideDir(): string {
    return join(this.dataDir, "beside");
  }

  #begin(): Promise<Server> {
    const fate = this.#fate;
    const around = (opened: Store) =>
      new MortalStore((this.#store = opened), fate, !this.hasCompanion, { order: this.#order });
    return this.#serve({ dir: this.dataDir, life: this.#life, fate, around });
  }

  #beginBeside(): Promise<Server> {
    const fate = new Fate(Infinity);
    const around = (opened: Store) => new MortalStore(this.store, fate, false, { order: this.#order, opened });
    return this.#serve({ dir: this.#besideDir, life: this.#life + BESIDE, fate, around });
  }

  get #order(): Pick<Order, "turn"> {
    return { turn: () => this.#playing.order.turn() };
  }

  #serve({ dir, life, fate, around }: Life): Promise<Server> {
    const write = (line: string) => void (fate.isDead || this.faults.push(line));
    const by = (way: string): Transport => {
      const sender = { life, fate, way, isSeveral: this.hasBackup };
      return {
        send: (message) => this.#playing.relay.take(message, sender),
        look: async () => this.#playing.relay.look(),
        close: async () => {},
      };
    };
    return startServer(configOf(dir, this.hasBackup), {
      ...{ clock: this.clock, resolver: new TableResolver(), leaseMs: LEASE_MS, loops: "settled by hand", around },
      transports: { default: by("default"), backup: by("backup") },
      fetchText: () => Promise.reject(new Error("Nobody asks Amazon.")),
      log: createLog({ level: "error", format: "text", clock: this.clock, write }),
    });
  }
}

function crashedOnly(error: unknown): null {
  if (error instanceof Crash) return null;
  throw error;
}

/** Through which nothing leaves either: the simulation has transports of its own. */
const SEVERAL = {
  delivery: { ...DEFAULTS.delivery, transport: "smtp", ratePerSecond: 0 },
  relay: { ...DEFAULTS.relay, host: "smtp.example.test" },
  ways: [
    {
      ...{ name: "backup", kind: "smtp", ratePerSecond: 0, burst: 1, concurrency: 10, price: null },
      ...{ relay: { ...DEFAULTS.relay, host: "smtp.backup.test" }, ses: DEFAULTS.ses },
    },
  ],
} as const;

function configOf(dataDir: string, hasBackup: boolean): Config {
  return {
    ...DEFAULTS,
    http: { ...DEFAULTS.http, port: 0, baseUrl: "http://mail.example.com" },
    data: { dir: dataDir },
    delivery: { ...DEFAULTS.delivery, ratePerSecond: 0 },
    ...(hasBackup ? SEVERAL : {}),
    smtp: { ...DEFAULTS.smtp, submissionPort: 0, submissionsPort: 0, inboundPort: 0 },
    limits: { ...DEFAULTS.limits, requestsPerMinute: 0 },
  } as Config;
}
