// The store as a process that may die sees it: each await of a write is a place to die at, and the order of writes is
// the seed's choice.
import { AppError } from "../../src/base/errors.ts";
import { TxPart } from "../../src/store/shared-tx.ts";
import type { InstallationKey, Reader, Store, BatchHandler, Tx } from "../../src/store/store.ts";
import type { Fate } from "./fate.ts";
import type { Order } from "./order.ts";

/** `opened`: a store that is another's, seen by a second server beside it; its own was opened for nothing. */
export type Sight = { readonly order: Pick<Order, "turn">; readonly opened?: Store };

export class MortalStore implements Store {
  readonly #order: Pick<Order, "turn">;
  readonly #opened: Store | null;

  constructor(
    readonly inner: Store,
    private readonly fate: Fate,
    readonly exclusive: boolean,
    { order, opened }: Sight,
  ) {
    this.#order = order;
    this.#opened = opened ?? null;
  }

  /** On this thread: another one would answer at a moment that no seed knows. */
  async read<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    this.fate.live();
    const result = await this.inner.read(work);
    this.fate.live();
    return result;
  }

  /** Dies before anything was done, after any of its statements, or with the commit that nobody hears of. */
  async write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    await this.#order.turn();
    this.fate.pass();
    const result = await this.inner.write((tx) => work(new MortalTx(tx, this.fate)));
    this.fate.pass();
    return result;
  }

  /**
   * Each by itself: how many came together would depend on the threads that sign, and a seed could not be played again.
   */
  writeTogether<Request, Answer>(together: BatchHandler<Request, Answer>, request: Request): Promise<Answer> {
    return this.write(async (tx) => {
      const [answer] = await together(tx, [request]);
      if (answer === undefined || answer instanceof AppError) throw answer;
      return answer;
    });
  }

  version(): number | null {
    return this.inner.version();
  }

  get isCrowded(): boolean {
    return this.inner.isCrowded;
  }

  get lastWriteMs(): number {
    return this.inner.lastWriteMs;
  }

  get clock(): Store["clock"] {
    return this.inner.clock;
  }

  useKey(key: InstallationKey): void {
    this.inner.useKey(key);
  }

  /** It would ask the other thread, and no seed erases anybody. */
  async emptyLog(): Promise<boolean> {
    return true;
  }

  followedBy(follower: Parameters<Store["followedBy"]>[0]): void {
    this.inner.followedBy(follower);
  }

  onSignal(callback: (what: string | null) => void): void {
    this.inner.onSignal((what) => this.fate.isDead || callback(what));
  }

  close(): Promise<void> {
    return (this.#opened ?? this.inner).close();
  }
}

class MortalTx extends TxPart {
  constructor(
    tx: Tx,
    private readonly fate: Fate,
  ) {
    super(tx);
  }

  protected override enter(): Tx {
    this.fate.pass();
    return this.tx;
  }

  override afterCommit(callback: () => void): void {
    super.afterCommit(() => void (this.fate.isDead || callback()));
  }
}
