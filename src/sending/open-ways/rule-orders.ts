// The ways of each rule's mails: in order, and in shares of hundredths, since the first choice has weights.
import type { WeightedWay } from "../../ground/ways/rule-queries.ts";
import type { OpenWay } from "./open-way.ts";

/**
 * The rules as read by this process. A mail of a rule that is neither here nor in `gone` waits until they are read
 * again.
 */
export type RuleBook = {
  readonly gone: readonly number[];
  readonly rules: readonly { readonly seq: number; readonly ways: readonly WeightedWay[]; readonly others: boolean }[];
};

/** Mails with `from` <= seq modulo 100 < `to`. */
export type SeqShare = { readonly from: number; readonly to: number };
type ShareOrder = SeqShare & { readonly ways: readonly OpenWay[] };

export type RuleShares = { readonly rule: number; readonly shares: readonly SeqShare[] };

export const HUNDRED = 100;
export const NO_RULES: RuleBook = { gone: [], rules: [] };

export class RuleOrders {
  readonly #orders: ReadonlyMap<number, readonly ShareOrder[]>;
  readonly gone: readonly number[];

  /** `others`: the ways in their order, for mails without a rule. */
  constructor({ gone, rules }: RuleBook, all: readonly OpenWay[], others: readonly OpenWay[]) {
    this.gone = gone;
    this.#orders = new Map(
      rules.map((rule) => {
        const after = rule.others ? others : [];
        const known = rule.ways.flatMap(({ name, weight }) => {
          const way = all.find(({ options }) => options.name === name);
          return way ? [{ way, weight }] : [];
        });
        return [rule.seq, orderedFor(known, after)];
      }),
    );
  }

  get isEmpty(): boolean {
    return this.#orders.size === 0;
  }

  /** Null = the order of all ways, as for mails without a rule. */
  of({ rule, seq }: { readonly rule: number | null; readonly seq: number }): readonly OpenWay[] | null {
    if (rule === null || this.gone.includes(rule)) return null;
    const rest = seq % HUNDRED;
    return this.#orders.get(rule)?.find(({ from, to }) => from <= rest && rest < to)?.ways ?? [];
  }

  /** The shares of each rule's mails that go by the way, if `choice` picks the way from an order. */
  by(way: OpenWay, choice: (ways: readonly OpenWay[]) => OpenWay | null): readonly RuleShares[] {
    return [...this.#orders].flatMap(([rule, orders]) => {
      const shares = orders.filter(({ ways }) => choice(ways) === way);
      return shares.length === 0 ? [] : [{ rule, shares }];
    });
  }
}

type WayWeight = { readonly way: OpenWay; readonly weight: number };

function orderedFor(known: readonly WayWeight[], after: readonly OpenWay[]): readonly ShareOrder[] {
  const ways = known.map(({ way }) => way);
  const behind = after.filter((way) => !ways.includes(way));
  const sum = known.reduce((total, { weight }) => total + weight, 0);
  if (sum === 0) return [{ from: 0, to: HUNDRED, ways: [...ways, ...behind] }];
  let before = 0;
  return known.flatMap(({ way, weight }) => {
    const from = Math.round((before * HUNDRED) / sum);
    before += weight;
    const to = Math.round((before * HUNDRED) / sum);
    const others = ways.filter((other) => other !== way);
    return from === to ? [] : [{ from, to, ways: [way, ...others, ...behind] }];
  });
}
