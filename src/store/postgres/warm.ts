// Connections for transactions, of which the most recently used is taken first. The pool hands them out in a circle, so
// that each process of PostgreSQL would find its data evicted from the machine's caches: that costs a fifth of all its
// time.
import type { ReservedSQL, SQL } from "bun";

export class WarmConnections {
  /** Connections that are not in use. */
  readonly #idle: ReservedSQL[] = [];
  /** Counts how often all were released: a connection that was taken before is not kept. */
  #era = 0;
  readonly #eras = new WeakMap<ReservedSQL, number>();

  constructor(
    private readonly pool: Pick<SQL, "reserve">,
    /** How many unused connections are kept from the pool. */
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

  /** One connection was lost, and so perhaps all: the pool sees which of them can still be used. */
  letGo(): void {
    this.#era++;
    for (const connection of this.#idle.splice(0)) connection.release();
  }

  close(): void {
    this.most = 0;
    this.letGo();
  }
}
