// All ways out: the configuration's, then those that owners have added, with those that are paused or cannot be used.
import { faultsOf, type Config } from "../../base/config.ts";
import { DEFAULT_WAY, MOST_WAYS, type WaySettings } from "../../base/config/ways.ts";
import { RESTORE, UnreadableError, type Secrets } from "../../base/secrets.ts";
import type { Reader, Store } from "../../store/store.ts";
import { keptWays, type WayRow } from "./queries.ts";
import { goneRules, keptRules, type KeptRule } from "./rule-queries.ts";
import { givenOf, wayOf, type WaySettingsRow } from "./settings.ts";
import { waysOf } from "./way.ts";

export type Way = WaySettings & {
  readonly source: "CONFIGURATION" | "INSTALLATION";
  readonly pausedAt: string | null;
  /** When its settings were saved; null = they come from the configuration. */
  readonly updatedAt: string | null;
  /** Why no mail can leave by it, even if its next hop is well; null = no problem. */
  readonly problem: string | null;
  /** The problem as a code, for callers that word it differently. */
  readonly problemCode: WayProblemCode | null;
};
export const PROBLEM_CODES = ["CAPTURED", "NAMED_TWICE", "UNREADABLE", "SETTING"] as const;
type WayProblemCode = (typeof PROBLEM_CODES)[number];
type WayProblem = { readonly problem: string; readonly problemCode: WayProblemCode };

export type WayList = readonly [Way, ...Way[]];

/** Signalled when a way was added, changed, paused or removed. */
export const WAYS_CHANGED = "ways";

const CAPTURED: WayProblem = {
  problemCode: "CAPTURED",
  problem:
    'No email leaves this installation: delivery.transport is "capture" in its configuration. This way is not used.',
};
const NAMED_TWICE: WayProblem = {
  problemCode: "NAMED_TWICE",
  problem: "The configuration has a way of this name: this one is not used.",
};
const NONE = { problem: null, problemCode: null };

/** The options of a list. `secrets`: null = passwords and keys are left out. */
export type WayListOptions = { readonly config: Config; readonly secrets: Secrets | null };

export async function listedWays(reader: Reader, known: WayListOptions): Promise<WayList> {
  return listOf(known, await keptWays(reader));
}

/** The ways of the configuration, while there is no store yet. */
export function configuredWays(config: Config): WayList {
  return listOf({ config, secrets: null }, []);
}

function listOf({ config, secrets }: WayListOptions, kept: readonly WayRow[]): WayList {
  const [first, ...others] = waysOf(config);
  const pauses = new Map(kept.map(({ name, pausedAt }) => [name, pausedAt]));
  const configured = (way: WaySettings): Way => {
    const pausedAt = pauses.get(way.name) ?? null;
    return { ...way, source: "CONFIGURATION", pausedAt, updatedAt: null, ...NONE };
  };
  const names = new Set([DEFAULT_WAY, ...others.map(({ name }) => name)]);
  const added = kept.flatMap(({ settings, ...way }) =>
    settings === null ? [] : addedWay(secrets, { ...way, settings }, (added) => hindrance(config, names, added)),
  );
  return [{ ...configured(first), ...faultOf(config) }, ...others.map(configured), ...added];
}

/** The default way may lack settings: another file, or a dropped setting, leaves those of owners incomplete. */
function faultOf(config: Config): WayProblem | typeof NONE {
  if (config.delivery.transport === "capture") return NONE;
  const gaps = faultsOf(config).filter(({ key }) => /^(relay|ses)\.|^http\.base_url$/.test(key));
  const problem = gaps.map(({ key, message }) => `${key} ${message}`).join("; ");
  return gaps.length > 0 ? { problemCode: "SETTING", problem } : NONE;
}

function hindrance({ delivery }: Config, names: ReadonlySet<string>, { name, kind }: WaySettings): WayProblem | null {
  if (names.has(name)) return NAMED_TWICE;
  return delivery.transport === "capture" && kind !== "capture" ? CAPTURED : null;
}

type ReadableWayRow = WaySettingsRow & Pick<WayRow, "name" | "pausedAt" | "updatedAt">;

/** An unreadable way is marked: a backup may come back without its key, and the rest goes on. */
function addedWay(
  secrets: Secrets | null,
  kept: ReadableWayRow,
  hindrance: (way: WaySettings) => WayProblem | null,
): Way {
  const { name, pausedAt, updatedAt } = kept;
  let found: WayProblem | null = null;
  const report = (field: string, message: string) =>
    void (found ??= { problemCode: "SETTING", problem: `${field} ${message}` });
  const decryptedSettings = () => {
    if (secrets === null) return kept.settings;
    try {
      return givenOf(secrets, kept);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      const problem = `Its password or key was encrypted with another secret.key, and cannot be read. ${RESTORE}`;
      found ??= { problemCode: "UNREADABLE", problem };
      return kept.settings;
    }
  };
  const way = wayOf(name, decryptedSettings(), report);
  return { ...way, source: "INSTALLATION", pausedAt, updatedAt, ...(hindrance(way) ?? found ?? NONE) };
}

/** Whether the limit of ways is reached. */
export function isFull(ways: readonly Way[]): boolean {
  return ways.length > MOST_WAYS;
}

/** The ways and their rules, as this process knows them. */
export class Ways {
  #all: WayList;
  #rules: readonly KeptRule[] = [];
  #goneRules: readonly number[] = [];

  private constructor(
    readonly store: Store,
    readonly known: WayListOptions,
    all: WayList,
  ) {
    this.#all = all;
  }

  static async open(store: Store, known: WayListOptions): Promise<Ways> {
    const ways = new Ways(store, known, configuredWays(known.config));
    await ways.follow();
    return ways;
  }

  get all(): WayList {
    return this.#all;
  }

  /** The ways by which mail may leave. */
  get used(): WayList {
    const [first, ...others] = this.#all;
    return [first, ...others.filter(({ problemCode }) => problemCode !== "NAMED_TWICE" && problemCode !== "CAPTURED")];
  }

  get rules(): readonly KeptRule[] {
    return this.#rules;
  }

  /** The numbers of removed rules. */
  get goneRules(): readonly number[] {
    return this.#goneRules;
  }

  /** Reads the ways and rules again. */
  async follow(): Promise<void> {
    await this.store.read(async (reader) => {
      this.#rules = await keptRules(reader);
      this.#all = await listedWays(reader, this.known);
      this.#goneRules = await goneRules(reader);
    });
  }
}
