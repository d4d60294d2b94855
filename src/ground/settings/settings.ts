// The configuration of this process, with what owners have set in the interface. It follows the changes of all nodes.
import { liveConfig } from "../../base/config/live.ts";
import { withKept, type GivenConfig, type KeptConfig } from "../../base/config/kept.ts";
import type { Config, ConfigProblem } from "../../base/config.ts";
import type { SettingOrigins } from "../../base/config/settings.ts";
import { restUntil } from "../../base/jobs/due.ts";
import type { LoopSpec } from "../../base/jobs/loops.ts";
import type { Log } from "../../base/log.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Store, Tx } from "../../store/store.ts";
import { goBackInTime, SETTINGS_CHANGED } from "./keep.ts";
import { keptSettings, type KeptSetting } from "./queries.ts";
import { keptValues } from "./stored.ts";

/** Signalled inside a process when its configuration has changed. */
export const SETTINGS_FOLLOWED = "settings followed";

type SettingsParts = { readonly store: Store; readonly secrets: Secrets; readonly log: Log };
/** Notes settings that went back, as they were before. */
type NoteBack = (tx: Tx, rows: readonly KeptSetting[]) => Promise<void>;

export class Settings {
  /** Each read answers the value of now. */
  readonly config: Config;
  /** Called when the configuration has changed. */
  onChange: () => void = () => undefined;
  #kept: KeptConfig;
  #rows: readonly KeptSetting[] = [];
  #followed: Promise<void> = Promise.resolve();

  private constructor(
    readonly given: GivenConfig,
    private readonly parts: SettingsParts,
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

  /** Kept settings that are not used, with the reason. */
  get problems(): readonly ConfigProblem[] {
    return this.#kept.problems;
  }

  /** Reads the kept settings. Reads never overlap: an older one would set an older value. */
  follow(): Promise<void> {
    return (this.#followed = this.#followed.catch(() => undefined).then(() => this.#follow()));
  }

  async #follow(): Promise<void> {
    const { store, secrets, log } = this.parts;
    const rows = await store.read(keptSettings);
    if (Bun.deepEquals(rows, this.#rows)) return;
    this.#rows = rows;
    this.#kept = withKept(this.given, keptValues(secrets, rows));
    for (const { key, message } of this.problems) log.warn("a kept setting is not used", { key, problem: message });
    this.onChange();
  }

  /** `note`: in the transaction in which settings go back. */
  loop(note: NoteBack): LoopSpec {
    return { name: "following the settings", step: () => this.#step(note), wokenBy: SETTINGS_CHANGED };
  }

  async #step(note: NoteBack): Promise<number> {
    await this.follow();
    const { store, log } = this.parts;
    const [confirmUntil = null] = this.#rows.flatMap((row) => row.confirmUntil ?? []).toSorted();
    const restMs = restUntil(confirmUntil, store.clock.nowMs());
    if (restMs > 0) return restMs;
    const back = await store.write(async (tx) => {
      const rows = await goBackInTime(tx);
      if (rows.length > 0) await note(tx, rows);
      return rows;
    });
    if (back.length > 0)
      log.warn("settings went back: no owner has confirmed them", { keys: back.map(({ key }) => key).join(", ") });
    return 0;
  }
}
