// Batches, one transaction each, of which one piece may be impossible: then they are taken one by one until it is found.
import { isStoreAway } from "../errors.ts";

export type Batch<Tx, Row> = {
  /** Up to `most` of what is due. */
  readonly take: (tx: Tx, most: number) => Promise<readonly Row[]>;
  readonly work: (tx: Tx, rows: readonly Row[]) => Promise<void>;
  /** Sees to it that what cannot be done is not due any more. */
  readonly refuse: (row: Row, error: unknown) => Promise<void>;
  /** Called when a batch has not happened. */
  readonly undone?: () => void;
};

type Writes<Tx> = { write(work: (tx: Tx) => Promise<void>): Promise<void> };

export class Suspects<Tx, Row> {
  /** So many are taken one by one. */
  #left = 0;

  constructor(
    private readonly store: Writes<Tx>,
    private readonly most: number,
    private readonly batch: Batch<Tx, Row>,
  ) {}

  /** Does one batch; false if nothing was there to take. @throws what is nobody's fault in particular, such as a store that is away */
  async runBatch(): Promise<boolean> {
    const most = this.#left > 0 ? 1 : this.most;
    this.#left = Math.max(0, this.#left - 1);
    let taken: readonly Row[] = [];
    try {
      await this.store.write(async (tx) => {
        taken = await this.batch.take(tx, most);
        await this.batch.work(tx, taken);
      });
    } catch (error) {
      this.batch.undone?.();
      const [one] = taken;
      if (one === undefined || isStoreAway(error)) throw error;
      if (taken.length > 1) this.#left = taken.length;
      else await this.batch.refuse(one, error);
    }
    return taken.length > 0;
  }
}
