// Connections for transactions, of which the one that was used last is taken first. The pool hands them out in a
// circle, so that each process of PostgreSQL would find that the others have taken its place in the caches of the
// machine: that costs a fifth of all its time.
import type { ReservedSQL, SQL } from "bun";

export class WarmConnections {
  /** Of nobody at the moment. */
  readonly #idle: ReservedSQL[] = [];
  /** Counts how often they were given up: what was taken before is not kept. */
  #era = 0;
  readonly #eras = new WeakMap<ReservedSQL, number>();

  constructor(
    private readonly pool: Pick<SQL, "reserve">,
    /** As many are kept from the pool while nobody uses them. */
    private most: number,
  ) {}

  async take(): Promise<ReservedSQL> {
    const connection = this.#idle.pop() ?? (await this.pool.reserve());
    this.#eras.set(connection, this.#era);
    return connection;
  }

  giveBack(connection: ReservedSQL): void {
    if (this.#idle.length < this.most && this.#eras.get(connection) === this.#era) this.#idle.push(connection);
    else connection.release();
  }

  /** One of them was lost, and so perhaps all: the pool sees which of them can still be used. */
  letGo(): void {
    this.#era++;
    for (const connection of this.#idle.splice(0)) connection.release();
  }

  close(): void {
    this.most = 0;
    this.letGo();
  }
}
