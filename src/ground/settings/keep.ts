// The changes of owners to the configuration: kept in the store, checked as a whole before.
import { iso, laterThan, MINUTE_MS } from "../../base/clock.ts";
import { faultsOf, type Config, type ConfigProblem } from "../../base/config.ts";
import { faultsOfKept, sectionOf, withKept, type GivenConfig, type KeptValues } from "../../base/config/kept.ts";
import { knownKeys } from "../../base/config/paths.ts";
import { valueOf } from "../../base/config/settings.ts";
import { invalidFields } from "../../base/errors.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Tx } from "../../store/store.ts";
import { movedSecrets } from "../ways/keep.ts";
import { defaultWay } from "../ways/way.ts";
import { confirmAll, confirmBy, lastKept, lockSettings, putSetting, type KeptSetting } from "./queries.ts";
import { keptValues, storedValue } from "./stored.ts";

/** Signalled when a kept setting has changed. */
export const SETTINGS_CHANGED = "settings";

/** For so long a change that could lock its owner out waits to be confirmed. */
export const CONFIRM_WITHIN_MS = MINUTE_MS;

const PROVIDER = "team.oidc";

export type SettingsPlace = { readonly given: GivenConfig; readonly secrets: Secrets };
/** By key; null = back to the default. */
export type SettingsChange = Readonly<Record<string, unknown>>;

/**
 * Keeps these values; all nodes follow. Values of the same section that are left out today are dropped, as they could
 * come into force beside the new ones. Answers the value before of each key that changed. `by`: the editor.
 * @throws AppError VALIDATION_ERROR with all faults, by key; nothing is changed then
 */
export async function keepSettings(
  tx: Tx,
  { given, secrets }: SettingsPlace,
  change: SettingsChange,
  by: object,
): Promise<ReadonlyMap<string, unknown>> {
  const rows = await lockSettings(tx);
  const kept = keptValues(secrets, rows);
  const after = valuesAfter(given, kept, change);
  const { used, leftOut } = withKept(given, kept);
  const isRisky = riskIn(withKept(given, after).config);
  const confirmed = keptValues(
    secrets,
    rows.map((row) => ({ ...row, value: beforeOf(row) })),
  );
  const waiting = rows.flatMap(({ key, confirmUntil }) => (confirmUntil === null ? [] : [key]));
  const goingBack = [...waiting, ...Object.keys(change).filter(isRisky)];
  const before = new Map(goingBack.map((key) => [key, confirmed.get(key) ?? null]));
  refuseDependent(given, { now: kept, after, before });
  const updatedAt = timeOfChange(tx, rows);
  const confirmUntil = iso(tx.nowMs + CONFIRM_WITHIN_MS);
  const sections = new Set(Object.keys(change).map(sectionOf));
  const dropped = [...leftOut].filter((key) => sections.has(sectionOf(key))).map((key) => [key, null] as const);
  const changed = new Map<string, unknown>();
  for (const [key, value] of Object.entries({ ...Object.fromEntries(dropped), ...change })) {
    const isUsed = used.has(key);
    const isSame = JSON.stringify(kept.get(key)) === JSON.stringify(after.get(key));
    if (isSame && isUsed === kept.has(key)) continue;
    const row = rows.find((one) => one.key === key);
    const isWaiting = isRisky(key) && (isUsed || value !== null);
    const risk = isWaiting ? { confirmUntil, before: isUsed ? beforeOf(row) : null } : SURE;
    await putSetting(tx, { key, value: storedValue(secrets, key, value), updatedAt, updatedBy: by, ...risk });
    changed.set(key, kept.get(key) ?? null);
  }
  if (changed.size > 0) tx.signal(SETTINGS_CHANGED);
  return changed;
}

/**
 * The values that count after a change. Kept ones that do not count today are left out.
 * @throws AppError VALIDATION_ERROR with all faults, by key
 */
export function valuesAfter(given: GivenConfig, kept: KeptValues, change: SettingsChange): KeptValues {
  const { used, config: now } = withKept(given, kept);
  const values = new Map([...kept].filter(([key]) => used.has(key)));
  for (const [key, value] of Object.entries(change)) {
    // A kept value can be dropped even if its key is unknown now.
    if (value === null && kept.has(key)) values.delete(key);
    else values.set(key, value);
  }
  // Faults of other settings do not prevent this change.
  const standing = new Set(faultsOf(now).flatMap(({ key }) => (key in change ? [] : [key])));
  const faults = faultsOfKept(given, values).filter(({ key }) => !standing.has(key));
  refuseFaults([...faults, ...faultsOfMoved(now, withKept(given, values).config, change)]);
  return new Map([...values].filter(([, value]) => value !== null));
}

/** A secret that is kept or in the file is not sent to another place. */
function faultsOfMoved(now: Config, next: Config, change: SettingsChange): ConfigProblem[] {
  const ofWay = movedSecrets(defaultWay(now), defaultWay(next));
  const moved: Readonly<Record<string, readonly string[]>> = {
    ...{ relay: ofWay, ses: ofWay },
    [PROVIDER]: now[PROVIDER].issuer === next[PROVIDER].issuer ? [] : ["clientSecret"],
  };
  const message = "has to be entered again: it would go to another place, or in another way";
  return knownKeys()
    .filter((known) => moved[known.section]?.includes(known.property) && valueOf(known, now) !== null)
    .flatMap(({ path }) => (change[path] === undefined ? [{ key: path, message }] : []));
}

/** `before`: what counts if the change is not confirmed. */
type KeptStages = { readonly now: KeptValues; readonly after: KeptValues; readonly before: KeptValues };

/**
 * No other change may depend on an unconfirmed one. A setting that is already broken may be repaired.
 * @throws AppError VALIDATION_ERROR
 */
function refuseDependent(given: GivenConfig, { now, after, before }: KeptStages): void {
  const standing = new Set(
    [now, after].flatMap((kept) => faultsOf(withKept(given, kept).config).map(({ key }) => key)),
  );
  const values = new Map([...new Map([...after, ...before])].filter(([, value]) => value !== null));
  if (faultsOfKept(given, values).every(({ key }) => standing.has(key))) return;
  refuseFaults([...before.keys()].map((key) => ({ key, message: "has to be confirmed first" })));
}

/** @throws AppError VALIDATION_ERROR */
export function refuseFaults(faults: readonly ConfigProblem[]): void {
  if (faults.length === 0) return;
  throw invalidFields(
    faults.map(({ key, message }) => ({
      field: `values.${key}`,
      message: `${key} ${message.replace(/\.$/, "")}.`,
      code: "bad_key",
    })),
  );
}

const SURE = { confirmUntil: null, before: null };

/** The keys that could lock an owner out; while the provider is the only way in, all of its section. */
function riskIn({ [PROVIDER]: { only } }: Config): (key: string) => boolean {
  const risky = new Set(knownKeys().flatMap(({ path, key }) => (key.change === "CONFIRMED" ? [path] : [])));
  return (key) => risky.has(key) || (only && sectionOf(key) === PROVIDER);
}

/** The last value that was confirmed. */
function beforeOf(row: KeptSetting | undefined): string | null {
  if (!row) return null;
  return row.confirmUntil === null ? row.value : row.before;
}

/** Answers how many were waiting. */
export async function confirmUnconfirmed(tx: Tx): Promise<number> {
  const count = await confirmAll(tx);
  if (count > 0) tx.signal(SETTINGS_CHANGED);
  return count;
}

/** Takes back what was not confirmed in time. Answers it as it was. */
export function goBackInTime(tx: Tx): Promise<readonly KeptSetting[]> {
  return undone(tx, tx.now);
}

/** After the clock was set back, nothing waits for longer than a change of now. */
export async function recallUnconfirmed(tx: Tx): Promise<void> {
  if ((await confirmBy(tx, iso(tx.nowMs + CONFIRM_WITHIN_MS))) > 0) tx.signal(SETTINGS_CHANGED);
}

/** Takes back all that waits to be confirmed. Answers it as it was. */
export function undoUnconfirmed(tx: Tx): Promise<readonly KeptSetting[]> {
  return undone(tx, iso(tx.nowMs + CONFIRM_WITHIN_MS));
}

function undone(tx: Tx, until: string): Promise<readonly KeptSetting[]> {
  const isMeant = ({ confirmUntil }: KeptSetting) => confirmUntil !== null && confirmUntil <= until;
  return putBack(tx, isMeant, ({ before }) => ({ value: before, updatedBy: null }));
}

/** Sets a key, or every key (null), back to its default. Answers those that had a value, as they were. */
export function dropSettings(tx: Tx, key: string | null, by: object): Promise<readonly KeptSetting[]> {
  const isMeant = (row: KeptSetting) => row.value !== null && (key === null || row.key === key);
  return putBack(tx, isMeant, () => ({ value: null, updatedBy: by }));
}

async function putBack(
  tx: Tx,
  isMeant: (row: KeptSetting) => boolean,
  to: (row: KeptSetting) => Pick<KeptSetting, "value" | "updatedBy">,
): Promise<readonly KeptSetting[]> {
  const rows = await lockSettings(tx);
  const updatedAt = timeOfChange(tx, rows);
  const meant = rows.filter(isMeant);
  for (const row of meant) await putSetting(tx, { ...row, ...SURE, ...to(row), updatedAt });
  if (meant.length > 0) tx.signal(SETTINGS_CHANGED);
  return meant;
}

/** Each change has a time of its own. */
function timeOfChange(tx: Tx, rows: readonly KeptSetting[]): string {
  return laterThan(tx.nowMs, lastKept(rows)?.updatedAt ?? null);
}
