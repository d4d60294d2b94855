// A change of owners to the configuration: checked, tried, kept, noted.
import { withKept } from "../../base/config/kept.ts";
import { isHiddenKey } from "../../base/config/settings.ts";
import type { Ground } from "../../ground/ground.ts";
import { keepSettings, refuseFaults, valuesAfter, type SettingsChange } from "../../ground/settings/keep.ts";
import { keptSettings, lastKept, lockSettings } from "../../ground/settings/queries.ts";
import { keptValues } from "../../ground/settings/stored.ts";
import type { Tx } from "../../store/store.ts";
import type { By, Caller } from "../../tenant/access/caller.ts";
import { refuseSavedSince } from "../../tenant/access/saving.ts";
import type { TrySettings } from "./try-settings.ts";

type Change = {
  readonly values: SettingsChange;
  readonly ifUpdatedAt?: string | null;
  readonly caller: Caller;
  readonly tries: readonly TrySettings[];
};

/**
 * What can be tried is tried before anything is kept, outside of the transaction.
 * @throws AppError VALIDATION_ERROR with all faults, CONFLICT if it was saved since
 */
export async function changeConfiguration(ground: Ground, change: Change): Promise<void> {
  const { settings, store, secrets } = ground;
  const { given } = settings;
  const { values, caller } = change;
  await refuseUntried(ground, change);
  await store.write(async (tx) => {
    await lockSettings(tx);
    await refuseSaved(tx, change);
    const before = await keepSettings(tx, { given, secrets }, values, JSON.stringify(caller.by));
    if (before.size > 0) await caller.note?.(tx, null, { reason: changesInWords(before, values) });
  });
}

async function refuseUntried({ settings, store, secrets }: Ground, { values, tries }: Change): Promise<void> {
  const { given, config } = settings;
  const kept = keptValues(secrets, await store.read(keptSettings));
  const next = withKept(given, valuesAfter(given, kept, values)).config;
  refuseFaults((await Promise.all(tries.map((tried) => tried(config, next)))).flat());
}

async function refuseSaved(tx: Tx, { ifUpdatedAt }: Change): Promise<void> {
  const last = lastKept(await keptSettings(tx));
  if (!last) return;
  const updatedBy = last.updatedBy === null ? null : (JSON.parse(last.updatedBy) as By);
  refuseSavedSince(tx, { updatedAt: last.updatedAt, updatedBy }, { ifUpdatedAt });
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
