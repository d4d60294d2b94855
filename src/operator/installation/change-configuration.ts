// A change of owners to the configuration: checked, tried, kept, noted.
import type { Config } from "../../base/config.ts";
import { withKept } from "../../base/config/kept.ts";
import { isHiddenKey } from "../../base/config/settings.ts";
import type { Ground } from "../../ground/ground.ts";
import { keepSettings, refuseFaults, valuesAfter, type SettingsChange } from "../../ground/settings/keep.ts";
import { keptSettings, lastKept, lockSettings, type KeptSetting } from "../../ground/settings/queries.ts";
import { keptValues } from "../../ground/settings/stored.ts";
import type { Tx } from "../../store/store.ts";
import { COMMAND_LINE, type ChangeAuthor, type Caller } from "../../tenant/access/caller.ts";
import { noteAct } from "../team/audit/audit.ts";
import { refuseSavedSince } from "../../tenant/access/saving.ts";
import { withoutDemo } from "./demo-domain.ts";
import type { TrySettings } from "./try-settings.ts";

type Change = {
  readonly values: SettingsChange;
  readonly ifUpdatedAt?: string | null;
  readonly caller: Caller;
  readonly tries: readonly TrySettings[];
};

/**
 * Settings that can be tried are tried before any is kept, outside of the transaction.
 * @throws AppError VALIDATION_ERROR with all faults, CONFLICT if it was saved since
 */
export async function changeConfiguration(ground: Ground, change: Change): Promise<void> {
  const { settings, store, secrets, log } = ground;
  const { given } = settings;
  const { values, caller } = change;
  const next = await tried(ground, change);
  await store.write(async (tx) => {
    const last = lastSaved(await lockSettings(tx));
    if (last) refuseSavedSince(tx, last, change);
    const before = await keepSettings(tx, { given, secrets }, values, caller.by);
    if (before.has("delivery.transport") && next.delivery.transport !== "capture")
      for (const line of await withoutDemo(tx)) tx.afterCommit(() => log.info(line));
    if (before.size > 0) await caller.note?.(tx, null, { reason: changesInWords(before, values) });
  });
}

/** The configuration with the change. @throws AppError VALIDATION_ERROR */
async function tried({ settings, store, secrets }: Ground, { values, tries }: Change): Promise<Config> {
  const { given, config } = settings;
  const kept = keptValues(secrets, await store.read(keptSettings));
  const next = withKept(given, valuesAfter(given, kept, values)).config;
  refuseFaults((await Promise.all(tries.map((one) => one(config, next)))).flat());
  return next;
}

/** When settings were changed last, and by whom; null = they never were. */
export function lastSaved(rows: readonly KeptSetting[]): { updatedAt: string; updatedBy: ChangeAuthor | null } | null {
  const last = lastKept(rows);
  return last && { updatedAt: last.updatedAt, updatedBy: last.updatedBy as ChangeAuthor | null };
}

/** Notes settings that their editors have not confirmed in time. */
export async function noteBack(tx: Tx, rows: readonly KeptSetting[]): Promise<void> {
  for (const { key, updatedBy } of rows)
    await noteAct(tx, { by: (updatedBy ?? COMMAND_LINE) as ChangeAuthor, action: "settingsWentBack", reason: key });
}

const MOST_CHARS = 100;

/** `retention.mail_days: 365 → 180`, for the audit log. */
function changesInWords(before: ReadonlyMap<string, unknown>, after: SettingsChange): string {
  return [...before].map(([key, value]) => `${key}: ${inWords(key, value)} → ${inWords(key, after[key])}`).join("; ");
}

function inWords(key: string, value: unknown): string {
  if (value === null || value === undefined) return "default";
  return isHiddenKey(key) ? "(secret)" : JSON.stringify(value).slice(0, MOST_CHARS);
}
