// The brakes that are in force, as this process knows them.
import type { Reader, Store } from "../../../store/store.ts";
import { holds, type Brake } from "./brake.ts";
import { allBrakes, type BrakeKey } from "./queries.ts";

const MOST_BRAKES = 1_000;

export class Brakes {
  #byKey: ReadonlyMap<string, Brake> = new Map();
  #byWorkspace: ReadonlySet<number> = new Set();

  #known = "";

  /** `onChange`: waiting mail may leave sooner than answered. */
  constructor(
    private readonly store: Pick<Store, "read">,
    private readonly onChange: () => void,
  ) {}

  get isNone(): boolean {
    return this.#byKey.size === 0;
  }

  get all(): readonly Brake[] {
    return [...this.#byKey.values()];
  }

  has(workspace: number): boolean {
    return this.#byWorkspace.has(workspace);
  }

  at(key: BrakeKey): Brake | null {
    return this.#byKey.get(brakeKey(key)) ?? null;
  }

  /** The brake that holds mail of this kind up. */
  holding(key: BrakeKey, isMarketing: boolean): Brake | null {
    const brake = this.at(key);
    return brake !== null && holds(brake, isMarketing) ? brake : null;
  }

  /** Whether a brake on any way holds mail of this kind up. */
  isOn({ workspace, mailbox }: Pick<BrakeKey, "workspace" | "mailbox">, isMarketing: boolean): boolean {
    if (!this.has(workspace)) return false;
    return this.all.some((one) => one.workspace === workspace && one.mailbox === mailbox && holds(one, isMarketing));
  }

  /** Answers whether the brakes have changed. */
  async load(): Promise<boolean> {
    const brakes = await this.store.read((reader: Reader) => allBrakes(reader, MOST_BRAKES));
    this.#byKey = new Map(brakes.map((brake) => [brakeKey(brake), brake]));
    this.#byWorkspace = new Set(brakes.map(({ workspace }) => workspace));
    const known = brakes.map(({ id, changedAt }) => `${id} ${changedAt}`).join();
    if (known === this.#known) return false;
    this.#known = known;
    this.onChange();
    return true;
  }
}

export function brakeKey({ workspace, way, mailbox }: BrakeKey): string {
  return `${workspace} ${way} ${mailbox}`;
}
