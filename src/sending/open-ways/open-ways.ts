// The ways out that are open in this process. They follow the changes of owners: a changed or removed way gets no more
// mail, and is closed once its mail in hand is done.
import type { Config } from "../../base/config.ts";
import { NOTHING_DUE } from "../../base/jobs/due.ts";
import type { Ground } from "../../ground/ground.ts";
import type { FairQueue } from "../../base/brakes/fair-queue.ts";
import type { Way } from "../../ground/ways/list.ts";
import { hopName } from "../../ground/ways/hop.ts";
import { addressOfWay, defaultWay } from "../../ground/ways/way.ts";
import { carriersHere, carriersInThread, type Carriers } from "../carrier/carriers.ts";
import { memoryOf } from "./health/connections.ts";
import { hopIn } from "./hop-queries.ts";
import { pacerIn, pacerOf } from "./pacer-queries.ts";
import { HUNDRED, type RuleBook } from "./rule-orders.ts";
import { handoversAtOnce, headerTermsOf, paceOf, transportOptions } from "./sending-options.ts";
import { withSimulator } from "../carrier/transport/simulated.ts";
import type { Transport } from "../carrier/transport/transport.ts";
import { OpenWay, type WayState } from "./open-way.ts";
import { WayChoice, type NonEmptyList } from "./way-choice.ts";

/**
 * Keyed by the name of the way: transports used in this thread. Any other way has the configured one, in a thread of
 * its own.
 */
export type Transports = Readonly<Record<string, Transport>>;

export interface WayStates {
  readonly states: readonly WayState[];
  /** Follows changes of the settings and of the ways at once. */
  step(): Promise<unknown>;
  /** Tries the way without a mail; answers why it does not work, or null. */
  look(name: string): Promise<string | null>;
  /**
   * As `look`, at the default way of a configuration that does not count yet.
   * @throws ConfigError if the relay's certificates cannot be read
   */
  lookAhead(config: Config): Promise<string | null>;
  /**
   * The ways for the mails of a rule (null = without a rule), each with the percentage of mails that have it as first
   * choice.
   */
  orderOf(rule: number | null): readonly WayShare[];
}

type WayShare = { readonly name: string; readonly share: number; readonly isUsable: boolean };

/** Other nodes, and a command beside this process, may have changed the ways. */
export const FOLLOW_EVERY_MS = 2_000;
/** By then, a mail claimed for the way a moment ago is in hand. */
const CLOSE_AFTER_MS = 5_000;

type OpenWayEntry = { readonly settings: string; readonly way: OpenWay };
type FormerWay = { readonly way: OpenWay; readonly sinceMs: number };

export class OpenWays implements WayStates {
  readonly #ground: Ground;
  readonly #here: Transports;
  readonly #memory: FairQueue;
  #opened: readonly OpenWayEntry[] = [];
  #former: readonly FormerWay[] = [];
  #looked: Promise<number> = Promise.resolve(0);
  readonly out: WayChoice;
  /** Called when the ways have changed. */
  onChange: () => void = () => undefined;

  private constructor(ground: Ground, here: Transports, opened: readonly OpenWayEntry[], memory: FairQueue) {
    this.#ground = ground;
    this.#here = here;
    this.#opened = opened;
    this.#memory = memory;
    this.out = new WayChoice(waysIn(opened), rulesIn(ground));
  }

  static async open(ground: Ground, here: Transports): Promise<OpenWays> {
    const memory = memoryOf(ground.config.delivery.inHandBytes);
    return new OpenWays(ground, here, await openAll({ ground, here, memory }, []), memory);
  }

  /**
   * Follows changes of the settings and of the ways, and closes ways that are done; answers the wait until the next
   * look. Looks never overlap.
   */
  step(): Promise<number> {
    return (this.#looked = this.#looked.catch(() => 0).then(() => this.#follow()));
  }

  async #follow(): Promise<number> {
    const { settings, ways, clock } = this.#ground;
    await settings.follow();
    await ways.follow();
    const before = this.#opened;
    const opened = await openAll({ ground: this.#ground, here: this.#here, memory: this.#memory }, before);
    const nowMs = clock.monotonicMs();
    const gone = before.filter((one) => !opened.includes(one)).map(({ way }) => ({ way, sinceMs: nowMs }));
    this.#opened = opened;
    this.#former = [...this.#former, ...gone];
    this.out.replace(waysIn(opened), rulesIn(this.#ground));
    this.onChange();
    this.#closeFormer(nowMs);
    return NOTHING_DUE;
  }

  get states(): readonly WayState[] {
    return this.out.all.map(({ state }) => state);
  }

  async look(name: string): Promise<string | null> {
    await this.step();
    const way = this.out.all.find(({ options }) => options.name === name);
    return way ? way.options.carriers.look() : "It is not used.";
  }

  async lookAhead(config: Config): Promise<string | null> {
    const { name } = defaultWay(config);
    const here = this.#here[name];
    if (here) return (await here.look?.()) ?? null;
    const carriers = carriersInThread(transportOptions(config));
    return carriers.look().finally(() => carriers.close());
  }

  orderOf(rule: number | null): readonly WayShare[] {
    const nowMs = this.#ground.clock.monotonicMs();
    const orders = Array.from({ length: HUNDRED }, (_, seq) => this.out.orderOf({ rule, seq }));
    return (orders[0] ?? []).map((way) => ({
      name: way.options.name,
      share: orders.filter(([first]) => first === way).length,
      isUsable: way.isUsable(nowMs),
    }));
  }

  async finish(): Promise<void> {
    await Promise.all(this.#carriers.map((carriers) => carriers.finish()));
  }

  close(): void {
    for (const carriers of this.#carriers) void carriers.close();
  }

  get #carriers(): readonly Carriers[] {
    return [...this.#opened, ...this.#former].map(({ way }) => way.options.carriers);
  }

  #closeFormer(nowMs: number): void {
    const isDone = ({ way, sinceMs }: FormerWay) => way.isIdle && nowMs - sinceMs >= CLOSE_AFTER_MS;
    for (const { way } of this.#former.filter(isDone)) void way.options.carriers.close();
    this.#former = this.#former.filter((one) => !isDone(one));
  }
}

function waysIn(opened: readonly OpenWayEntry[]): NonEmptyList<OpenWay> {
  return opened.map(({ way }) => way) as unknown as NonEmptyList<OpenWay>;
}

function rulesIn({ ways }: Ground): RuleBook {
  return { gone: ways.goneRules, rules: ways.rules };
}

type WayOpeningOptions = { readonly ground: Ground; readonly here: Transports; readonly memory: FairQueue };

/** Unchanged ways stay open. */
async function openAll(opening: WayOpeningOptions, before: readonly OpenWayEntry[]): Promise<readonly OpenWayEntry[]> {
  const listed = opening.ground.ways.used;
  const opened: OpenWayEntry[] = [];
  for (const { pausedAt, ...way } of listed) {
    const isOneOfSeveral = listed.length > 1;
    const settings = JSON.stringify({ ...way, isOneOfSeveral });
    const known = before.find((one) => one.settings === settings);
    const one = known ?? { settings, way: await openOne(opening, { ...way, pausedAt }, isOneOfSeveral) };
    one.way.isPaused = pausedAt !== null;
    opened.push(one);
  }
  return opened;
}

async function openOne(
  { ground, here, memory }: WayOpeningOptions,
  way: Way,
  isOneOfSeveral: boolean,
): Promise<OpenWay> {
  const { store, clock } = ground;
  const pace = paceOf(way, clock.headStartMs);
  await pacerIn(store, pacerOf(way.name));
  return new OpenWay({
    ...ground,
    ...headerTermsOf(way),
    name: way.name,
    transport: way.kind,
    relay: addressOfWay(way),
    carriers: carriersOf(ground, here, { way, isOneOfSeveral }),
    concurrency: handoversAtOnce(way),
    pace,
    hop: await hopIn(store, hopName(way)),
    isOneOfSeveral,
    // Mails that wait for a connection leave in a burst, which each process spaces by itself (transport/spacing.ts).
    isStrict: pace !== null && !store.exclusive,
    memory,
  });
}

type WayTurn = { readonly way: Way; readonly isOneOfSeveral: boolean };

function carriersOf({ config, tokens }: Ground, here: Transports, { way, isOneOfSeveral }: WayTurn): Carriers {
  if (way.problem !== null) return carriersHere(hindered(way.problem));
  const transport = here[way.name];
  if (transport) return carriersHere(withSimulator(transport));
  return carriersInThread(transportOptions(config, way, isOneOfSeveral), tokens.of(way));
}

/** Its mail waits, or goes by another way. */
function hindered(reply: string): Transport {
  return {
    send: async () => ({ kind: "unreachable", reply }),
    look: async () => reply,
    close: async () => {},
  };
}
