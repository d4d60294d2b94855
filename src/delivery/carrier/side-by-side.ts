// Several threads carry mails side by side, each over its share of the connections.
//
// - A mail goes to the thread with the fewest mails waiting per connection. While the first has a free one, no other is started.
// - A thread that cannot reach the next hop is left out for a while if another can: relays limit how many connections they allow.
import type { Carried } from "./carrier.ts";
import type { Carriers } from "./carriers.ts";

type Mail = Parameters<Carriers["send"]>;

const AWAY_MS = 10_000;

/** `open`: a thread with so many connections. */
export function sideBySide(connections: readonly number[], open: (connections: number) => Carriers): Carriers {
  const lanes = connections.map((share) => new Lane(open(share), share));
  const onEach = async (work: (carriers: Carriers) => Promise<void>): Promise<void> => {
    await Promise.all(lanes.map(({ carriers }) => work(carriers)));
  };
  return {
    send: (...mail) => sent(lanes, mail),
    raw: (handover) => freest(lanes).carriers.raw(handover),
    finish: () => onEach((carriers) => carriers.finish()),
    close: () => onEach((carriers) => carriers.close()),
  };
}

/** A mail for which there was no connection has not left: it may leave by another lane. */
async function sent(lanes: readonly Lane[], mail: Mail): Promise<Carried> {
  const carried = await freest(lanes).send(...mail);
  const other = isUnreached(carried) && lanes.find(({ isInUse }) => isInUse);
  return other ? other.send(...mail) : carried;
}

function freest(lanes: readonly Lane[]): Lane {
  const able = lanes.some(({ isInUse }) => isInUse) ? lanes.filter(({ isAway }) => !isAway) : lanes;
  return able.reduce((best, lane) => (lane.crowd < best.crowd ? lane : best));
}

function isUnreached({ outcome }: Carried): boolean {
  return outcome.kind === "unreachable" && !outcome.isLocal;
}

class Lane {
  readonly carriers: Carriers;
  readonly #connections: number;
  #inHand = 0;
  #state: "unused" | "in use" | "away" = "unused";

  constructor(carriers: Carriers, connections: number) {
    this.carriers = carriers;
    this.#connections = connections;
  }

  get isInUse(): boolean {
    return this.#state === "in use";
  }

  get isAway(): boolean {
    return this.#state === "away";
  }

  /** How many would wait for each connection with one more mail. */
  get crowd(): number {
    return Math.max(0, this.#inHand + 1 - this.#connections) / this.#connections;
  }

  async send(...mail: Mail): Promise<Carried> {
    this.#inHand++;
    if (this.#state === "unused") this.#state = "in use";
    try {
      const carried = await this.carriers.send(...mail);
      if (isUnreached(carried)) this.#failed();
      else this.#state = "in use";
      return carried;
    } catch (error) {
      // A thread that stops at once would seem to be the freest.
      this.#failed();
      throw error;
    } finally {
      this.#inHand--;
    }
  }

  #failed(): void {
    if (this.isAway) return;
    this.#state = "away";
    setTimeout(() => this.#mayTryAgain(), AWAY_MS).unref();
  }

  #mayTryAgain(): void {
    if (this.isAway) this.#state = "unused";
  }
}
