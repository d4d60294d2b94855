// The configuration of this process, with what owners have set in the interface. It follows the changes of all nodes.
import { MINUTE_MS } from "../../base/clock.ts";
import { liveConfig } from "../../base/config/live.ts";
import { withKept, type GivenConfig, type KeptConfig } from "../../base/config/kept.ts";
import type { Config, ConfigProblem } from "../../base/config.ts";
import type { SettingOrigins } from "../../base/config/settings.ts";
import { LOOK_OFTEN_MS, NOTHING_DUE, restUntil } from "../../base/jobs/due.ts";
import type { LoopSpec } from "../../base/jobs/loops.ts";
import type { Log } from "../../base/log.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Store } from "../../store/store.ts";
import { goBackInTime, SETTINGS_CHANGED } from "./keep.ts";
import { keptSettings } from "./queries.ts";
import { keptValues } from "./stored.ts";

/** Told inside a process that its configuration is another one now. */
export const SETTINGS_FOLLOWED = "settings followed";

type SettingsParts = { readonly store: Store; readonly secrets: Secrets; readonly log: Log };

export class Settings {
  /** What is read from it is the value of now. */
  readonly config: Config;
  /** Called when another configuration counts. */
  onChange: () => void = () => undefined;
  #kept: KeptConfig;
  #rows = "";
  #confirmUntil: string | null = null;

  private constructor(
    readonly given: GivenConfig,
    readonly parts: SettingsParts,
  ) {
    this.#kept = { config: given.config, used: new Set(), leftOut: new Set(), problems: [] };
    this.config = liveConfig(() => this.#kept.config);
  }

  static async open(given: GivenConfig, parts: SettingsParts): Promise<Settings> {
    const settings = new Settings(given, parts);
    await settings.follow();
    return settings;
  }

  /** Where each key is set. */
  get origins(): SettingOrigins {
    const kept = [...this.#kept.used].map((key) => [key, { source: "INTERFACE", place: null }] as const);
    return new Map([...kept, ...this.given.origins]);
  }

  /** What is kept and does not count, and why. */
  get problems(): readonly ConfigProblem[] {
    return this.#kept.problems;
  }

  /** Reads what is kept. */
  async follow(): Promise<void> {
    const { store, secrets, log } = this.parts;
    const rows = await store.read(keptSettings);
    this.#confirmUntil = rows.flatMap(({ confirmUntil }) => confirmUntil ?? []).toSorted()[0] ?? null;
    const seen = JSON.stringify(rows);
    if (seen === this.#rows || (this.#rows === "" && rows.length === 0)) return;
    this.#rows = seen;
    this.#kept = withKept(this.given, keptValues(secrets, rows));
    for (const { key, message } of this.problems) log.warn("a kept setting is not used", { key, problem: message });
    this.onChange();
  }

  get loop(): LoopSpec {
    const step = () => this.#step();
    const lookEveryMs = () => this.#lookEveryMs;
    return {
      ...{ name: "following the settings", step, wokenBy: SETTINGS_CHANGED },
      get lookEveryMs() {
        return lookEveryMs();
      },
    };
  }

  /** A command beside this process drops what is kept, without a signal: where nothing is, there is nothing to look for. */
  get #lookEveryMs(): number {
    return this.#rows === "" ? MINUTE_MS : LOOK_OFTEN_MS;
  }

  async #step(): Promise<number> {
    await this.follow();
    const { store, log } = this.parts;
    if (this.#confirmUntil === null) return NOTHING_DUE;
    const restMs = restUntil(this.#confirmUntil, store.clock.nowMs());
    if (restMs > 0) return restMs;
    const count = await store.write(goBackInTime);
    if (count > 0) log.warn("settings went back, since nobody has confirmed them", { count });
    return 0;
  }
}
