// Loads: questions that many requests ask of one transaction, asked with one statement. Loads wait until no request in
// it can go on without theirs, which is once in a turn of the event loop, or on PostgreSQL once all statements under
// way are answered.
//
// They are asked stage by stage: a stage begins when no request needs an earlier one. So every transaction takes its
// keys first, then locks the rows that exist, and then makes new ones, each in one order, so that two do not wait for
// each other in a circle. If a circle comes about all the same, as between two versions of Posthorn, PostgreSQL ends
// it, and that transaction is tried again (postgres/again.ts).
import type { Load, LoadStage, TurnWork, Tx } from "./store.ts";

const STAGES: readonly LoadStage[] = ["key", "find", "lock", "take", "change", "note", "any"];

export function changes({ stage }: { readonly stage: LoadStage }): boolean {
  return stage !== "any" && stage !== "find" && stage !== "lock";
}

/** For `Load.ask`: the keys of each workspace are asked together. Answers in the order of all keys. */
export function eachOfWorkspace<Key extends { readonly workspace: number }, Answer>(
  ask: (tx: Tx, workspace: number, keys: readonly Key[]) => Promise<readonly Answer[]>,
): Load<Key, Answer>["ask"] {
  return async (tx, keys) => {
    const workspaces = [...Map.groupBy(keys, ({ workspace }) => workspace)];
    const [[only]] = workspaces as [[number, Key[]]];
    if (workspaces.length === 1) return ask(tx, only, keys);
    const answered = await Promise.all(workspaces.map(([workspace, theirs]) => ask(tx, workspace, theirs)));
    const answers = new Map(workspaces.flatMap(([, theirs], at) => theirs.map((key, n) => [key, answered[at]?.[n]])));
    return keys.map((key) => answers.get(key) as Answer);
  };
}

let made = 0;

/** Loads that insert run first in their stage: on PostgreSQL an update would block others that insert the same row. */
function placeOf({ stage, makesRows }: Pick<Load<never, unknown>, "stage" | "makesRows">): number {
  return STAGES.indexOf(stage) * 1_000 + (makesRows ? 0 : 500) + made++;
}

/**
 * Does for one request what `ask` does for many. Within a stage, loads are asked in the order in which they were made,
 * those that make rows first.
 */
export function loader<Key, Answer>(unplaced: Omit<Load<Key, Answer>, "place">): (tx: Tx, key: Key) => Promise<Answer> {
  const load = { ...unplaced, place: placeOf(unplaced) };
  return (tx, key) => tx.load(load, key);
}

/** As `loader`, for statements without an answer (`Tx.post`): no promise is made for them. */
export function poster<Key>(unplaced: Omit<Load<Key, unknown>, "place" | "name">): (tx: Tx, key: Key) => void {
  const load = { ...unplaced, place: placeOf(unplaced) };
  return (tx, key) => tx.post(load, key);
}

/** A value that many need is looked up once for all, together with the next stage. `find` refuses no request. */
export function lookup<Key, Answer>(name: (key: Key) => string, find: (tx: Tx, key: Key) => Promise<Answer>) {
  const ask = (tx: Tx, keys: readonly Key[]) => Promise.all(keys.map((key) => find(tx, key)));
  return loader<Key, Answer>({ stage: "any", name, ask });
}

/** A value that is kept until any table but those of the records that requests add is written. */
export type RememberedLookup<Key, Answer> = {
  (tx: Tx, key: Key): Promise<Answer>;
  /** As a part of another load (`Load.ask`): if it is not known, it is looked up immediately. */
  readonly within: (tx: Tx, key: Key) => Promise<Answer>;
};

/** As `lookup`, for values outside of the records that requests add. */
export function remembered<Key, Answer>(
  name: (key: Key) => string,
  find: (tx: Tx, key: Key) => Promise<Answer>,
): RememberedLookup<Key, Answer> {
  const foundIn = async (tx: Tx, key: Key, known = knownTo(tx)) => {
    const answer = await find(tx, key);
    if (known && known.size < MOST_REMEMBERED) known.set(name(key), answer);
    return answer;
  };
  const ask = (tx: Tx, keys: readonly Key[]) => Promise.all(keys.map((key) => foundIn(tx, key)));
  const knownTo = ({ memory }: Tx) => {
    if (memory && !memory.has(ask)) memory.set(ask, new Map());
    return memory?.get(ask) as Map<string, Answer> | undefined;
  };
  const knownOr = (otherwise: (tx: Tx, key: Key) => Promise<Answer>) => (tx: Tx, key: Key) => {
    const known = knownTo(tx);
    const text = name(key);
    return known?.has(text) ? Promise.resolve(known.get(text) as Answer) : otherwise(tx, key);
  };
  return Object.assign(knownOr(loader<Key, Answer>({ stage: "any", name, ask })), { within: knownOr(foundIn) });
}

/** For one lookup. */
const MOST_REMEMBERED = 1_000;

type LoadRequest = Pick<PromiseWithResolvers<never>, "resolve" | "reject"> & {
  readonly key: unknown;
  /** Undefined: no request waits for the answer. */
  readonly promise?: Promise<never>;
};

const nobody = () => {};

/** The loads of a transaction. */
export class Loads {
  /** By name, or in the order in which they came. */
  readonly #asked = new Map<Load<never, unknown>, Map<string | number, LoadRequest>>();
  readonly #turns = new Map<string, Promise<unknown>>();
  #isScheduled = false;
  #underWay = 0;
  /** Each ends once it is answered; posted statements are among them. */
  readonly #asks: Promise<void>[] = [];
  #fault: { readonly reason: unknown } | null = null;
  readonly #fail = (reason: unknown) => {
    this.#fault ??= { reason };
  };

  constructor(private readonly tx: Tx) {}

  load<Key, Answer>(load: Load<Key, Answer>, key: Key): Promise<Answer> {
    const same = this.#askedOf(load as Load<never, unknown>);
    const name = load.name?.(key) ?? same.size;
    const known = same.get(name)?.promise;
    if (known) return known;
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    same.set(name, { key, promise, resolve, reject });
    this.#schedule();
    return promise;
  }

  /** As `Tx.post`. */
  post<Key>(load: Load<Key, unknown>, key: Key): void {
    const same = this.#askedOf(load as Load<never, unknown>);
    same.set(same.size, { key, resolve: nobody, reject: this.#fail });
    this.#schedule();
  }

  /** @throws the fault of a posted statement */
  async allPosted(): Promise<void> {
    for (const asked of this.#asks) await asked;
    if (this.#fault) throw this.#fault.reason;
  }

  #askedOf(load: Load<never, unknown>): Map<string | number, LoadRequest> {
    let same = this.#asked.get(load);
    if (!same) this.#asked.set(load, (same = new Map()));
    return same;
  }

  /** As `Tx.inTurn`. */
  inTurn<Result>(name: string, work: TurnWork<Result>): Promise<Result> {
    const before = this.#turns.get(name) as Promise<Result> | undefined;
    const done = before ? before.then(work, () => work(null)) : work();
    this.#turns.set(name, done);
    return done;
  }

  /** A statement has been sent: requests that wait for it may have more loads. */
  sent(): void {
    this.#underWay++;
  }

  answered(): void {
    this.#underWay--;
    this.#schedule();
  }

  /** Asks all remaining loads: the transaction is about to end. */
  askAll(): void {
    while (this.#asked.size > 0) this.#askStage();
  }

  /**
   * A tick scheduled outside of another tick runs once no promise is left that goes on without input. One that is
   * scheduled with `queueMicrotask` would run only after the next event, which may never come.
   */
  #schedule(): void {
    if (this.#isScheduled || this.#underWay > 0 || this.#asked.size === 0) return;
    this.#isScheduled = true;
    void Promise.resolve().then(() => process.nextTick(() => this.#askNext()));
  }

  #askNext(): void {
    this.#isScheduled = false;
    if (this.#underWay > 0 || this.#asked.size === 0) return;
    this.#askStage();
    this.#schedule();
  }

  #askStage(): void {
    const asked = [...this.#asked].sort(([one], [other]) => one.place - other.place);
    const [[{ stage }]] = asked as [(typeof asked)[0]];
    for (const [load, keys] of asked) {
      if (load.stage !== stage && load.stage !== "any") continue;
      this.#asked.delete(load);
      this.#asks.push(answerAll(this.tx, load, keys));
    }
  }
}

async function answerAll(
  tx: Tx,
  { name, ask }: Load<never, unknown>,
  asked: ReadonlyMap<string | number, LoadRequest>,
): Promise<void> {
  const names = name ? [...asked.keys()].sort() : [...asked.keys()];
  const inOrder = names.map((text) => asked.get(text) as LoadRequest);
  try {
    const answers = await ask(tx, inOrder.map(({ key }) => key) as never[]);
    inOrder.forEach(({ resolve }, index) => resolve(answers[index] as never));
  } catch (error) {
    inOrder.forEach(({ reject }) => reject(error));
  }
}
