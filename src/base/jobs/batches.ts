// Batches of rows, one transaction each. The rows of a failed batch are taken one by one, so that the row at fault is
// found.
import { isStoreAway } from "../errors.ts";

export type BatchWork<Tx, Row> = {
  /** Up to `most` of the rows that are due. */
  readonly take: (tx: Tx, most: number) => Promise<readonly Row[]>;
  readonly work: (tx: Tx, rows: readonly Row[]) => Promise<void>;
  /** Makes a row that failed on its own no longer due. */
  readonly park: (row: Row, error: unknown) => Promise<void>;
  /** Called when a batch was rolled back. */
  readonly rolledBack?: () => void;
};

type Writes<Tx> = { write(work: (tx: Tx) => Promise<void>): Promise<void> };

export class Batches<Tx, Row> {
  /** How many rows are still to be taken one by one. */
  #singles = 0;

  constructor(
    private readonly store: Writes<Tx>,
    private readonly most: number,
    private readonly batch: BatchWork<Tx, Row>,
  ) {}

  /**
   * Does one batch; false if there was nothing to take. @throws a fault that is not a row's, such as a store that is
   * away
   */
  async runBatch(): Promise<boolean> {
    const most = this.#singles > 0 ? 1 : this.most;
    this.#singles = Math.max(0, this.#singles - 1);
    let taken: readonly Row[] = [];
    try {
      await this.store.write(async (tx) => {
        taken = await this.batch.take(tx, most);
        await this.batch.work(tx, taken);
      });
    } catch (error) {
      this.batch.rolledBack?.();
      const [one] = taken;
      if (one === undefined || isStoreAway(error)) throw error;
      if (taken.length > 1) this.#singles = taken.length;
      else await this.batch.park(one, error);
    }
    return taken.length > 0;
  }
}
