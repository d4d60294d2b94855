// Measures a new store while it grows. PostgreSQL keeps the plans that it made while the tables were empty, by which it
// would read all contacts to find one, and checks their sizes itself only once a minute.

/**
 * Rows since the store was made. Between these sizes the plans for the smaller one are still good; after the last,
 * PostgreSQL measures early enough itself.
 */
const MEASURED_AT: readonly number[] = [200, 1_000, 5_000, 25_000];

export class Growth {
  #rows = 0;
  #measured = 0;

  /** `measure`: makes PostgreSQL measure its tables, after which it plans anew. */
  constructor(private readonly measure: () => void) {}

  add(rows: number): void {
    this.#rows += rows;
    const due = MEASURED_AT[this.#measured];
    if (due === undefined || this.#rows < due) return;
    this.#measured++;
    this.measure();
  }
}
