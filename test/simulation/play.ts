// Plays seeds, one after the other, on one installation: each in a workspace of its own, each until everything has
// settled.
import { Chance } from "../support/chance.ts";
import { expectCatalogued } from "../support/catalogued.ts";
import { expectTrueCounts } from "../support/counts.ts";
import { expectTurnsInTime } from "../support/turns.ts";
import { ACTIONS, CONSENT, repeat } from "./actions.ts";
import { Crash } from "./fate.ts";
import { Installation, type Around } from "./installation.ts";
import { Order } from "./order.ts";
import { Relay } from "./relay.ts";
import { withoutShortWaits } from "./soon.ts";
import { Stage } from "./stage.ts";
import { calmWays, changeWays } from "./ways.ts";
import { verdict } from "./verdict.ts";

export type Played = {
  readonly seed: number;
  readonly faults: readonly string[];
  readonly crashes: number;
  readonly arrivals: number;
};

const MINUTE_MS = 60_000;
/** Seeds that share an installation: starting one takes longer than a seed. */
export const A_HOUSE = 10;
/** One installation in so many has two servers, … */
const HOUSES_A_PAIR = 3;
/** … and one in so many a second way out. */
const HOUSES_A_BACKUP = 2;
const MOST_MOMENTS = 8;
const MOST_CRASHES = 2;
/** Most crashes hit while something is being done; each place is as likely as the next. */
const PLACES = 250;
/** Retries, delays and waits take a few days; more steps than that are a fault. */
const MOST_STEPS = 100;

/** Seeds from `from` on, on one installation. */
export async function play(from: number, count: number, onPlayed: (played: Played) => void): Promise<void> {
  const house = Math.ceil(from / A_HOUSE);
  await using installation = Installation.make({
    hasCompanion: house % HOUSES_A_PAIR === 0,
    hasBackup: house % HOUSES_A_BACKUP === 0,
  });
  for (let seed = from; seed < from + count; seed++) {
    const played = await playOne(installation, seed);
    const isLast = seed + 1 === from + count;
    onPlayed(isLast ? { ...played, faults: [...played.faults, ...(await wholeStore(installation))] } : played);
  }
}

async function playOne(installation: Installation, seed: number): Promise<Played> {
  const chance = new Chance(seed * 2_654_435_761);
  const order = new Order(chance);
  const around: Around = { chance, order, relay: new Relay(chance, order) };
  using _ = withoutShortWaits();
  const { random } = Math;
  Math.random = () => chance.next();
  try {
    return await new Performance(installation, around, seed).whole();
  } finally {
    Math.random = random;
  }
}

class Performance {
  readonly #stage: Stage;
  #crashes = 0;

  constructor(
    private readonly installation: Installation,
    private readonly around: Around,
    private readonly seed: number,
  ) {
    this.#stage = new Stage(installation, around.chance, `seed${seed}`);
    around.relay.onLeaving = (message) => this.#stage.book.leaves(message);
  }

  async whole(): Promise<Played> {
    const { chance, relay } = this.around;
    this.installation.faults.length = 0;
    await this.installation.play(this.around);
    await this.#stage.set();
    if (chance.next() < 0.6) this.#doom();
    const moments = 3 + Math.floor(chance.next() * MOST_MOMENTS);
    for (let moment = 0; moment < moments; moment++) await this.#moment();
    await this.#end();
    const faults = [...(await verdict(this.#stage, relay)), ...this.installation.faults];
    await this.#stage.clear();
    return { seed: this.seed, faults, crashes: this.#crashes, arrivals: relay.arrivals.length };
  }

  #doom(): void {
    this.installation.fate.doom(1 + Math.floor(this.around.chance.next() * PLACES));
  }

  /** A few things at the same time, then time goes by. */
  async #moment(): Promise<void> {
    const { chance } = this.around;
    const actions = Array.from({ length: 1 + Math.floor(chance.next() * 3) }, () => chance.of(ACTIONS));
    if (chance.next() < 0.3) actions.push(chance.of(CONSENT));
    if (this.installation.hasBackup && chance.next() < 0.3) actions.push(changeWays);
    const under = actions.map((action) => action(this.#stage));
    if (chance.next() < 0.7) under.push(this.installation.settle());
    this.#note(await Promise.allSettled(under));
    if (this.installation.fate.isDead) await this.#startAgain();
    if (chance.next() < 0.6) this.installation.clock.advance(Math.floor(chance.next() ** 3 * 600) * MINUTE_MS);
  }

  #note(results: readonly PromiseSettledResult<void>[]): void {
    for (const result of results)
      if (result.status === "rejected" && !(result.reason instanceof Crash))
        this.#stage.book.faults.push(`thrown: ${String(result.reason?.stack ?? result.reason)}`);
  }

  async #startAgain(): Promise<void> {
    const { chance } = this.around;
    this.#crashes++;
    await this.installation.end();
    this.#stage.book.crashed();
    const again = this.#crashes < MOST_CRASHES && chance.next() < 0.3;
    const places = again ? [1 + Math.floor(chance.next() ** 2 * PLACES)] : [];
    await this.installation.start(places);
    await this.#stage.notesRecorded();
    this.#note(await Promise.allSettled([repeat(this.#stage)]));
    if (this.installation.fate.isDead) await this.#startAgain();
  }

  /** Nobody dies any more, every campaign goes on, and time goes by until nothing waits. */
  async #end(): Promise<void> {
    const { clock } = this.installation;
    this.installation.fate.spare();
    this.around.relay.isKind = true;
    await repeat(this.#stage);
    if (this.installation.hasBackup) await calmWays(this.installation);
    for (const id of this.#stage.campaigns) await this.#stage.ask(`POST /campaigns/${id}/resume`);
    for (let step = 0; step < MOST_STEPS; step++) {
      await this.installation.settle();
      const next = await this.#stage.nextDueMs();
      if (next === null) break;
      clock.advance(Math.max((step + 1) * 2 * MINUTE_MS, next - clock.nowMs()));
    }
    clock.advance(3 * 24 * 60 * MINUTE_MS);
    await this.installation.settle();
  }
}

/** What holds for the whole store, whoever wrote it. */
async function wholeStore({ store, clock }: Installation): Promise<string[]> {
  const checks = [expectTrueCounts(store), expectTurnsInTime(store, clock), expectCatalogued(store)];
  const results = await Promise.allSettled(checks);
  return results.flatMap((result) => (result.status === "rejected" ? [String(result.reason.message)] : []));
}
