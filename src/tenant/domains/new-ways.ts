// A way out that was added or changed may not know the verified domains: they are checked again.
import type { Ground } from "../../ground/ground.ts";
import { NOTHING_DUE } from "../../base/jobs/due.ts";
import { waysWithKnown } from "../../ground/ways/domain-queries.ts";
import type { WayLookup } from "./check.ts";
import { lookAgainAtVerified } from "./queries.ts";

export class NewWays {
  readonly #ground: Ground;
  readonly #atWays: WayLookup | null;
  /** The ways for which that has been done. */
  readonly #done = new Set<string>();

  constructor(ground: Ground, atWays: WayLookup | null) {
    this.#ground = ground;
    this.#atWays = atWays;
  }

  async step(): Promise<number> {
    const { store, ways } = this.#ground;
    if (this.#atWays === null) return NOTHING_DUE;
    await ways.follow();
    const known = await store.read(waysWithKnown);
    const fresh = this.#atWays.names.filter((name) => !known.has(name) && !this.#done.has(name));
    for (const name of this.#done) if (known.has(name)) this.#done.delete(name);
    if (fresh.length === 0) return NOTHING_DUE;
    await store.write((tx) => lookAgainAtVerified(tx));
    for (const name of fresh) this.#done.add(name);
    return 0;
  }
}
