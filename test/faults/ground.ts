// Where a fault is tried: a server of its own, clients that write down what they were told, and a next hop that writes
// down what came.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Book } from "../crash/book.ts";
import { mailsIn, remainsIn, type StoredMail } from "../crash/database.ts";
import { mailsIn as mailsInPostgres } from "../crash/postgres-database.ts";
import type { Address } from "../crash/post.ts";
import { RoamingClient, type Sight } from "../crash/roaming-client.ts";
import { ServerProcess } from "../crash/server-process.ts";
import { duplicatesIn, faultsIn, type Outage } from "../crash/verdict.ts";
import { seeded, type Random } from "../support/seeded.ts";
import { MoodyRelay } from "./relay.ts";

export type Plan = {
  readonly seed: number;
  /** Where the data directory is made. */
  readonly parent?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** What the server is started by. */
  readonly under?: readonly string[];
  /** A PostgreSQL server instead of a file. */
  readonly database?: string;
};

/** What came of a fault. */
export type Found = {
  readonly accepted: number;
  /** Requests that were answered 503, and that were not answered. */
  readonly refused: number;
  readonly unanswered: number;
  readonly arrivals: number;
  readonly duplicates: number;
  /** From the end of the fault to the first mail that was accepted and arrived after it. */
  readonly backMs: number;
  readonly note: string;
  readonly faults: readonly string[];
};

const CLIENTS = 8;
const LONGEST_WAIT_MS = 90_000;
const LOOK_AGAIN_MS = 100;
/** A fault is over; what it made somebody wait for goes on a little later. */
const AFTER_MS = 5_000;
const RELAY_TIMEOUT_SECONDS = 2;
const RETRIES = 20;
/** A request takes no longer. */
const REQUEST_MS = 500;

export class Ground implements Sight, AsyncDisposable {
  readonly book = new Book();
  readonly dataDir: string;
  isOver = false;
  note = "";
  readonly #outages: Outage[] = [];
  readonly #inHand: ReadonlySet<string>[] = [];
  readonly #node: { readonly name: string; address: Address | null } = { name: "the server", address: null };
  #server: ServerProcess | null = null;
  #clients: Promise<unknown> = Promise.resolve();
  #troubleFromMs: number | null = null;
  #secretKey = "";
  #unanswered = 0;
  #backMs = 0;
  #run = -1;

  private constructor(
    readonly plan: Plan,
    readonly relay: MoodyRelay,
    readonly random: Random,
  ) {
    this.dataDir = mkdtempSync(join(plan.parent ?? tmpdir(), "posthorn-faults-"));
    relay.onArrival = ({ id }) => this.book.arrived(id);
  }

  static async set(plan: Plan): Promise<Ground> {
    const ground = new Ground(plan, await MoodyRelay.start(seeded(plan.seed + 1)), seeded(plan.seed));
    await ground.start();
    const clients = Array.from({ length: CLIENTS }, (_, place) => ground.#client(place));
    ground.#clients = Promise.all(clients.map((client) => client.work()));
    await ground.arrivals(50);
    return ground;
  }

  get nodes(): Sight["nodes"] {
    return [this.#node];
  }

  get server(): ServerProcess {
    return this.#server as ServerProcess;
  }

  get url(): string {
    return this.server.url;
  }

  /** @throws Error if it is not up */
  get address(): Address {
    if (this.#node.address === null) throw new Error("The server is not up.");
    return this.#node.address;
  }

  /** @throws Error with its last words if it ends at once */
  async start(): Promise<void> {
    const { under, settings, database } = this.plan;
    this.#server = await ServerProcess.start({
      ...{ dataDir: this.dataDir, relayPort: this.relay.port, run: ++this.#run },
      ...(under === undefined ? {} : { under }),
      settings: {
        POSTHORN_RELAY_TIMEOUT_SECONDS: String(RELAY_TIMEOUT_SECONDS),
        POSTHORN_DELIVERY_RETRY_SCHEDULE: Array(RETRIES).fill("1s").join(),
        ...(database === undefined ? {} : { POSTHORN_DATABASE_URL: database }),
        ...settings,
      },
    });
    this.#secretKey ||= this.#server.secretKey ?? "";
    this.#node.address = { url: this.#server.url, secretKey: this.#secretKey };
  }

  /** What it had in hand is noted. */
  async kill(): Promise<void> {
    this.#node.address = null;
    await this.server.kill();
    this.gone();
  }

  /** It has ended by itself. */
  gone(): void {
    this.#node.address = null;
    this.look();
  }

  /** What the last run has left behind. */
  look(): void {
    const { sending, faults } = remainsIn(this.#file);
    this.#inHand[this.#run] = sending;
    for (const fault of faults) this.book.fault(`After run ${this.#run}: ${fault}`);
  }

  /** Until `end`, requests may be answered 503 or not at all. */
  begin(): void {
    this.#troubleFromMs = Date.now();
  }

  /** Answers when a mail that is accepted from now on has arrived. */
  async end(): Promise<void> {
    const startedMs = performance.now();
    this.#outages.push({ fromMs: this.#troubleFromMs ?? Date.now(), toMs: Date.now() });
    this.#troubleFromMs = null;
    const known = new Set(this.book.exchanges.flatMap(({ ids }) => ids ?? []));
    await this.until(() => {
      const accepted = new Set(this.book.exchanges.flatMap(({ ids }) => ids ?? []).filter((id) => !known.has(id)));
      return this.relay.arrivals.some(({ id }) => accepted.has(id));
    }, "it was back");
    this.#backMs = performance.now() - startedMs;
  }

  /** While nobody waits for an answer. */
  async betweenRequests(work: () => Promise<void>): Promise<void> {
    const { address } = this;
    this.#node.address = null;
    await Bun.sleep(REQUEST_MS);
    await work();
    this.#node.address = address;
  }

  wasAwaySince(sinceMs: number): boolean {
    return this.#troubleFromMs !== null || this.#outages.some(({ toMs }) => sinceMs <= toMs + AFTER_MS);
  }

  /** Without an answer; any other answer than 200 and 503 is none that a client can go on with. */
  excuses(error: unknown, sinceMs: number): boolean {
    const isExcused = this.wasAwaySince(sinceMs) && !/^Error: Answered/.test(String(error));
    if (isExcused) this.#unanswered++;
    return isExcused;
  }

  /** Waits until so many more mails have arrived. */
  async arrivals(count: number): Promise<void> {
    const wanted = this.relay.arrivals.length + count;
    await this.until(() => this.relay.arrivals.length >= wanted, `${count} more mails had arrived`);
  }

  async ask(path: string): Promise<{ readonly status: number; readonly body: string }> {
    const response = await fetch(this.url + path, { headers: { authorization: `Bearer ${this.#secretKey}` } });
    return { status: response.status, body: await response.text() };
  }

  async until(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
    const deadlineMs = performance.now() + LONGEST_WAIT_MS;
    while (!(await holds())) {
      if (performance.now() > deadlineMs) throw new Error(`It took too long until ${what}.`);
      await Bun.sleep(LOOK_AGAIN_MS);
    }
  }

  /** No more requests; answers when nothing waits and the server has ended in order. */
  async drain(): Promise<void> {
    this.isOver = true;
    await this.#clients;
    await this.until(
      async () => (await this.#mails()).every(({ status }) => !isUnderWay(status)),
      "the queue was empty",
    );
    this.#node.address = null;
    const { exitCode } = await this.server.stop();
    if (exitCode !== 0) this.book.fault(`SIGTERM on an empty queue: exit code ${exitCode}`);
    if (this.plan.database === undefined) remainsIn(this.#file).faults.forEach((fault) => this.book.fault(fault));
  }

  async found(): Promise<Found> {
    const { book, relay } = this;
    const inHand = Array.from({ length: this.#run + 1 }, (_, run) => this.#inHand[run] ?? new Set<string>());
    const mails = await this.#mails();
    const outages = this.plan.database === undefined ? [] : this.#outages;
    const { exchanges } = book;
    const evidence = {
      exchanges,
      arrivals: relay.arrivals,
      inHand,
      mails,
      outages,
      refused: relay.refused,
      keepsSilent: true,
    };
    return {
      accepted: exchanges.flatMap(({ ids }) => ids ?? []).length,
      refused: book.refusals.refused + book.refusals.unsure,
      unanswered: this.#unanswered,
      arrivals: relay.arrivals.length,
      duplicates: duplicatesIn(relay.arrivals).length,
      backMs: this.#backMs,
      note: this.note,
      faults: [...book.faults, ...faultsIn(evidence)],
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isOver = true;
    this.#node.address = null;
    await this.#server?.[Symbol.asyncDispose]();
    await this.relay[Symbol.asyncDispose]();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  get #file(): string {
    return join(this.dataDir, "posthorn.db");
  }

  #mails(): Promise<StoredMail[]> | StoredMail[] {
    const { database } = this.plan;
    return database === undefined ? mailsIn(this.#file) : mailsInPostgres(database);
  }

  #client(place: number): RoamingClient {
    return new RoamingClient(`client${place}`, this, seeded(this.random.below(2 ** 32)));
  }
}

function isUnderWay(status: string): boolean {
  return status === "QUEUED" || status === "SENDING";
}
