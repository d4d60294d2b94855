// Counts what became of mails, each fact once: in the transaction that moves the mark of the log that it was found in.
//
// - Mails (accepted) and events (what became of them) are counted in the order in which they were written, so what
//   comes late belongs to its own time. What is behind the mark is counted when somebody asks, so an answer never lags.
// - No log keeps what failed or was taken back, and a row may be deleted before it is counted: triggers note such facts
//   in `uncounted`.
// - On PostgreSQL a smaller number may be committed after a larger one: it is counted up to the horizon
//   (store/horizon.ts).
import { Horizon } from "../store/horizon.ts";
import type { Store, Tx } from "../store/store.ts";
import {
  addPiece,
  addUncounted,
  endOfPiece,
  endsOfLogs,
  hasUncounted,
  isBehind,
  lockMark,
  setMark,
  takeUncounted,
} from "./queries.ts";
import type { LogName } from "./fact-queries.ts";

/** Counted in one transaction: a few milliseconds. */
const ROWS_A_PIECE = 400;
/** What waits for longer is counted with each answer. */
const REST_MS = 2_000;

export class Counting {
  readonly #store: Store;
  readonly #rowsAPiece: number;
  readonly #horizon = new Horizon(endsOfLogs);

  constructor(store: Store, rowsAPiece = ROWS_A_PIECE) {
    this.#store = store;
    this.#rowsAPiece = rowsAPiece;
  }

  /** Counts a piece of each log; answers how long to rest. */
  async step(): Promise<number> {
    const upTo = await this.#store.read((reader) => this.#horizon.passed(reader));
    const pieces = [
      (await this.#store.read(hasUncounted)) && (await this.#store.write((tx) => countUncounted(tx, this.#rowsAPiece))),
      ...(upTo === null ? [] : [await this.#count("emails", upTo.emails), await this.#count("events", upTo.events)]),
    ];
    return pieces.includes(true) ? 0 : REST_MS;
  }

  async #count(log: LogName, upTo: number): Promise<boolean> {
    const behind = await this.#store.read((reader) => isBehind(reader, log, upTo));
    return behind && this.#store.write((tx) => countPiece(tx, log, { upTo, most: this.#rowsAPiece }));
  }
}

type Limits = { readonly upTo: number; readonly most: number };

/** Answers true if there is more to count. */
async function countPiece(tx: Tx, log: LogName, { upTo, most }: Limits): Promise<boolean> {
  const high = await lockMark(tx, log);
  if (high === null) return false;
  const last = await endOfPiece(tx, log, { low: high, high: upTo }, most);
  if (last === null) return false;
  await addPiece(tx, log, { low: high, high: last });
  await setMark(tx, log, last);
  return last < upTo;
}

async function countUncounted(tx: Tx, most: number): Promise<boolean> {
  const seqs = await takeUncounted(tx, most);
  if (seqs.length > 0) await addUncounted(tx, seqs);
  return seqs.length === most;
}
