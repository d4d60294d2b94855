// Several servers on one PostgreSQL, one next hop, clients that roam between the servers, and the ledger of it all.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PostgresServer } from "../support/postgres-server.ts";
import { seeded, type Random } from "../support/seeded.ts";
import { Book } from "./book.ts";
import { Node } from "./node.ts";
import type { Address } from "./post.ts";
import { inHandIn, mailsIn, waitingIn } from "./postgres-database.ts";
import { RoamingClient } from "./roaming-client.ts";
import type { NodeOptions } from "./serve-node.ts";
import { Sink } from "./sink.ts";
import type { Evidence, Outage } from "./verdict.ts";

/** `settings`: variables of the environment. */
type Difference = Partial<NodeOptions> & { readonly settings?: Readonly<Record<string, string>> };

export type InstallationPlan = {
  readonly seed: number;
  /** For all nodes together. */
  readonly ratePerSecond: number;
  /** One entry a node: how it differs from others. */
  readonly nodes: readonly Difference[];
};

export const LEASE_MS = 4_000;
const SECRETS_KEY = "5e".repeat(32);
/** Only a guard: a busy machine takes its time. */
const LONGEST_WAIT_MS = 300_000;
/** Each look at the database is a connection. */
const LOOK_AGAIN_MS = 100;
/** After the database is back its connections are made anew, and deferred work is tried again. */
const AFTER_OUTAGE_MS = 3_000;

export class Installation implements AsyncDisposable {
  readonly book = new Book();
  readonly outages: Outage[] = [];
  readonly nodes: readonly Node[];
  isOver = false;
  readonly #folder = mkdtempSync(join(tmpdir(), "posthorn-crash-"));
  readonly #inHand: ReadonlySet<string>[] = [];
  #runs = 0;
  #awayFromMs: number | null = null;
  #clients: Promise<unknown> = Promise.resolve();
  #secretKey = "";

  private constructor(
    readonly database: PostgresServer,
    readonly sink: Sink,
    readonly random: Random,
    plan: InstallationPlan,
  ) {
    sink.onArrival = ({ id }) => this.book.arrived(id);
    this.nodes = plan.nodes.map((options, place) => this.#node(`node${place}`, plan, options));
  }

  /** Starts all nodes at once on an empty database. */
  static async set(plan: InstallationPlan): Promise<Installation> {
    const [database, sink] = await Promise.all([PostgresServer.start(), Sink.start(seeded(plan.seed + 1))]);
    const installation = new Installation(database, sink, seeded(plan.seed), plan);
    try {
      const keys = await Promise.all(installation.nodes.map((node) => node.start(installation.#runs++)));
      installation.#begin(keys);
      return installation;
    } catch (error) {
      await installation[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Clients come, and go on until `drain`. */
  load(clients: number): void {
    const all = Array.from({ length: clients }, (_, place) => this.#client(place));
    this.#clients = Promise.all(all.map((client) => client.work()));
  }

  /** Of a node that is up. */
  address(node: number): Address {
    const address = this.nodes[node]?.address;
    if (!address) throw new Error(`node${node} is not up.`);
    return address;
  }

  async kill(node: Node): Promise<void> {
    await node.kill();
    this.#inHand[node.run] = this.#awayFromMs === null ? await inHandIn(this.database.url, Date.now()) : new Set();
    this.#hearComplaints(node);
  }

  async startAgain(node: Node): Promise<void> {
    await node.start(this.#runs++);
    node.open(this.#secretKey);
  }

  /** While `work` takes the database away and brings it back. */
  async withoutDatabase(work: () => Promise<void>): Promise<void> {
    this.#awayFromMs = Date.now();
    await work();
    this.outages.push({ fromMs: this.#awayFromMs, toMs: Date.now() });
    this.#awayFromMs = null;
  }

  wasAwaySince(sinceMs: number): boolean {
    return this.#awayFromMs !== null || this.outages.some(({ toMs }) => sinceMs <= toMs + AFTER_OUTAGE_MS);
  }

  /** No more requests; answers when the queue is empty and every node has ended in order. */
  async drain(): Promise<void> {
    this.isOver = true;
    await this.#clients;
    await this.until(async () => (await waitingIn(this.database.url)) === 0, "the queue was empty");
    const ended = await Promise.all(this.nodes.map((node) => node.stop()));
    ended.forEach(({ exitCode }, place) => exitCode === 0 || this.book.fault(`node${place} ended with ${exitCode}`));
    this.nodes.forEach((node) => this.#hearComplaints(node));
  }

  async until(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
    const deadlineMs = Date.now() + LONGEST_WAIT_MS;
    while (!(await holds())) {
      if (Date.now() > deadlineMs) throw new Error(`It took too long until ${what}.`);
      await Bun.sleep(LOOK_AGAIN_MS);
    }
  }

  async evidence(): Promise<Evidence> {
    const inHand = Array.from({ length: this.#runs }, (_, run) => this.#inHand[run] ?? new Set<string>());
    const { book, sink, outages } = this;
    return {
      exchanges: book.exchanges,
      arrivals: sink.arrivals,
      inHand,
      outages,
      mails: await mailsIn(this.database.url),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isOver = true;
    await Promise.all(this.nodes.map((node) => node.dispose()));
    await Promise.all([this.sink[Symbol.asyncDispose](), this.database[Symbol.asyncDispose]()]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #begin(keys: readonly (string | null)[]): void {
    const made = keys.filter((key) => key !== null);
    if (made.length !== 1) this.book.fault(`${made.length} nodes made the first workspace`);
    this.#secretKey = made[0] ?? "";
    this.nodes.forEach((node) => node.open(this.#secretKey));
  }

  #node(name: string, { ratePerSecond }: InstallationPlan, { settings: more, ...options }: Difference): Node {
    const settings = {
      POSTHORN_DATABASE_URL: this.database.url,
      POSTHORN_SECRETS_KEY: SECRETS_KEY,
      POSTHORN_DELIVERY_RATE_PER_SECOND: String(ratePerSecond),
      ...more,
    };
    const plan = { name, folder: this.#folder, relayPort: this.sink.port, settings };
    return new Node({ ...plan, options: { leaseMs: LEASE_MS, ...options } });
  }

  #client(place: number): RoamingClient {
    return new RoamingClient(`client${place}`, this, seeded(this.random.below(2 ** 32)));
  }

  /** What the log says is a fault, unless the database was away. */
  #hearComplaints(node: Node): void {
    const unasked = node.complaints.filter((line) => !this.#isAboutOutage(Date.parse(line.split(" ")[0] ?? "")));
    for (const line of unasked) this.book.fault(`${node.name}, run ${node.run}: ${line}`);
  }

  #isAboutOutage(atMs: number): boolean {
    if (this.#awayFromMs !== null && atMs >= this.#awayFromMs) return true;
    return this.outages.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs + AFTER_OUTAGE_MS);
  }
}
