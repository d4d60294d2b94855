// Everything that a crash scenario needs around the server: its data directory, its next hop, its clients and their
// ledger.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded, type Random } from "../support/seeded.ts";
import { Book } from "./book.ts";
import { Client } from "./client.ts";
import { mailsIn, remainsIn, setPausedIn } from "./database.ts";
import { Door } from "./door.ts";
import { ServerProcess } from "./server-process.ts";
import { Sink, type Arrival } from "./sink.ts";
import type { Evidence } from "./verdict.ts";

const CLIENTS = 16;
const LONGEST_WAIT_MS = 300_000;
const LOOK_AGAIN_MS = 5;

export class Stage implements AsyncDisposable {
  readonly book = new Book();
  readonly door = new Door();
  /** Ids of the mails that were in hand at the end of each run. */
  readonly inHand: ReadonlySet<string>[] = [];
  readonly #dataDir = mkdtempSync(join(tmpdir(), "posthorn-crash-"));
  readonly #clients: Promise<unknown>;
  #secretKey: string | null = null;
  #runs = 0;
  #arrivalsBefore = 0;

  /** `backup`: of a second way out. */
  private constructor(
    readonly sink: Sink,
    readonly random: Random,
    readonly backup: Sink | null,
  ) {
    for (const one of [sink, backup]) if (one) one.onArrival = ({ id }) => this.book.arrived(id);
    if (backup) writeFileSync(join(this.#dataDir, "config.toml"), wayTo(backup));
    const clients = Array.from({ length: CLIENTS }, (_, place) => this.#client(place));
    this.#clients = Promise.all(clients.map((client) => client.work()));
  }

  static async set(seed: number, { hasBackup = false } = {}): Promise<Stage> {
    const backup = hasBackup ? await Sink.start(seeded(seed + 2)) : null;
    return new Stage(await Sink.start(seeded(seed + 1)), seeded(seed), backup);
  }

  /** Starts the server on what its last run has left; the clients begin at once if `load` says so. */
  async start({ load }: { readonly load: boolean }): Promise<ServerProcess> {
    const run = this.#runs++;
    this.#arrivalsBefore = this.#arrived.length;
    const server = await ServerProcess.start({ dataDir: this.#dataDir, relayPort: this.sink.port, run });
    this.#secretKey ??= server.secretKey;
    if (load) this.door.open({ url: server.url, secretKey: this.#secretKey ?? "" });
    return server;
  }

  /** Waits until so many mails have been accepted. */
  async accepted(count: number): Promise<void> {
    const accepted = () => this.book.exchanges.flatMap(({ ids }) => ids ?? []).length;
    await this.#until(async () => accepted() >= count, `${count} mails were accepted`);
  }

  /** Waits until so many mails have arrived in this run. */
  async arrivals(count: number): Promise<void> {
    const wanted = this.#arrivalsBefore + count;
    await this.#until(async () => this.#arrived.length >= wanted, `${count} mails had arrived`);
  }

  /** As `posthorn way pause` does beside the server; false = the database was busy, or is not there yet. */
  pause(way: string, isPaused: boolean): boolean {
    return setPausedIn(this.#database, way, isPaused);
  }

  /** Call this after the end of every run: what it had in hand is noted, its database looked over, its log read. */
  inspect(server: ServerProcess): void {
    const run = this.#runs - 1;
    const { sending, faults } = remainsIn(this.#database);
    this.inHand.push(sending);
    const complaints = server.complaints.filter(
      (line) => !(this.backup && line.includes("a sending route cannot be used")),
    );
    for (const fault of [...faults, ...complaints]) this.book.fault(`After run ${run}: ${fault}`);
  }

  /** No more requests; then one more run, until the queue is empty. */
  async drain(): Promise<void> {
    this.door.close();
    await this.#clients;
    await using server = await this.start({ load: false });
    await this.#until(async () => (await this.#waiting(server)) === 0, "the queue was empty");
    const { exitCode } = await server.stop();
    if (exitCode !== 0) this.book.fault(`SIGTERM on an empty queue: exit code ${exitCode}`);
    this.inspect(server);
  }

  /** To be asked after the last run. */
  evidence(): Evidence {
    const { book, inHand, backup } = this;
    const mails = mailsIn(this.#database);
    // Of two ways out, one hangs up now and then on what it has.
    return { exchanges: book.exchanges, arrivals: this.#arrived, inHand, mails, keepsSilent: backup !== null };
  }

  get #arrived(): readonly Arrival[] {
    const arrivals = [...this.sink.arrivals, ...(this.backup?.arrivals ?? [])];
    return arrivals.toSorted((one, other) => one.atMs - other.atMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.door.close();
    await this.sink[Symbol.asyncDispose]();
    await this.backup?.[Symbol.asyncDispose]();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  get #database(): string {
    return join(this.#dataDir, "posthorn.db");
  }

  #client(place: number): Client {
    return new Client(`client${place}`, this.door, this.book, seeded(this.random.below(2 ** 32)));
  }

  async #until(holds: () => Promise<boolean>, what: string): Promise<void> {
    const deadlineMs = performance.now() + LONGEST_WAIT_MS;
    while (!(await holds())) {
      if (performance.now() > deadlineMs) throw new Error(`It took too long until ${what}.`);
      await Bun.sleep(LOOK_AGAIN_MS);
    }
  }

  async #waiting(server: ServerProcess): Promise<number> {
    return (await this.#total(server, "QUEUED")) + (await this.#total(server, "SENDING"));
  }

  async #total(server: ServerProcess, status: string): Promise<number> {
    const headers = { authorization: `Bearer ${this.#secretKey}` };
    const response = await fetch(`${server.url}/emails?status=${status}&pageSize=1`, { headers });
    return ((await response.json()) as { readonly total: number }).total;
  }
}

function wayTo({ port }: Sink): string {
  return [
    "[[ways]]",
    ...['name = "backup"', 'kind = "smtp"', 'host = "127.0.0.1"', `port = ${port}`, 'tls = "none"'],
    ...["rate_per_second = 0", "concurrency = 8", ""],
  ].join("\n");
}
