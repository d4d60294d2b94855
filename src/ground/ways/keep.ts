// The changes of owners and the command line to the ways out: add, change, remove, pause, resume.
import { laterThan } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { DEFAULT_WAY, MOST_WAYS, type WaySettings } from "../../base/config/ways.ts";
import { AppError, invalidField, limitReached } from "../../base/errors.ts";
import { UnreadableError, type Secrets } from "../../base/secrets.ts";
import { forgetToken } from "../way-tokens/queries.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { refuseRuled } from "./keep-rules.ts";
import { forgetKnownAt } from "./domain-queries.ts";
import { isFull, listedWays, WAYS_CHANGED, type Way } from "./list.ts";
import { deleteWay, insertWay, keptWays, lockWay, setPaused, updateWay } from "./queries.ts";
import { changed, checkedName, checkedWay, givenOf, keptOf, wayOf, type SettingValues } from "./settings.ts";

export type WayStorage = { readonly config: Config; readonly secrets: Secrets };

/** @throws AppError WAY_NOT_FOUND */
export async function findWay(reader: Reader, known: WayStorage, name: string): Promise<Way> {
  const found = (await listedWays(reader, known)).find((way) => way.name === name);
  if (!found) throw new AppError("WAY_NOT_FOUND", `There is no sending route ${name}.`);
  return found;
}

/**
 * Adds a way with these settings.
 * @throws AppError VALIDATION_ERROR for an invalid name or setting, CONFLICT if the name is taken, the limit of ways is
 * reached, or the installation captures all email
 */
export async function addWay(
  tx: Tx,
  known: WayStorage,
  { name, ...given }: SettingValues & { name: string },
): Promise<Way> {
  const { config, secrets } = known;
  const ways = await listedWays(tx, known);
  const checked = checkedName(name);
  if (ways.some((way) => way.name === checked)) throw nameConflict(checked);
  if (isFull(ways))
    throw limitReached(
      "ways",
      MOST_WAYS,
      `There are ${MOST_WAYS} sending routes beside the default one.`,
      "Remove one first.",
    );
  refuseLeaving(config, checkedWay(config, checked, given));
  if ((await insertWay(tx, { name: checked, ...keptOf(secrets, given) })) === 0) throw nameConflict(checked);
  tx.signal(WAYS_CHANGED);
  return findWay(tx, known, checked);
}

function nameConflict(name: string): AppError {
  return new AppError("CONFLICT", `There is a sending route ${name} already.`, { reason: "way_taken" });
}

/**
 * Changes some settings; null sets one back.
 * @throws AppError WAY_NOT_FOUND, CONFLICT for a way of the configuration, VALIDATION_ERROR
 */
export async function changeWay(tx: Tx, known: WayStorage, name: string, change: SettingValues): Promise<Way> {
  const { config, secrets } = known;
  await lockWay(tx, name);
  const { updatedAt } = await ownWay(tx, known, name);
  const kept = (await keptWays(tx)).find((way) => way.name === name);
  const stored = { settings: kept?.settings ?? {}, secrets: kept?.secrets ?? null };
  const before = givenUnless(secrets, stored);
  refuseElsewhere({ name, before, change });
  const given = changed(before, change);
  refuseLeaving(config, checkedWay(config, name, given));
  await updateWay(tx, { name, ...keptOf(secrets, given) }, laterThan(tx.nowMs, updatedAt));
  await forgetKnownAt(tx, name);
  tx.signal(WAYS_CHANGED);
  return findWay(tx, known, name);
}

/** @throws AppError CONFLICT */
function refuseLeaving({ delivery }: Config, { kind }: WaySettings): void {
  if (delivery.transport !== "capture" || kind === "capture") return;
  throw new AppError("CONFLICT", 'No email leaves this installation: delivery.transport is "capture".', {
    reason: "captures",
    suggestion: 'Set delivery.transport to "smtp" or "ses" in the configuration first.',
  });
}

/** Unreadable secrets must be entered again. */
function givenUnless(secrets: Secrets, kept: Parameters<typeof givenOf>[1]): SettingValues {
  try {
    return givenOf(secrets, kept);
  } catch (error) {
    if (error instanceof UnreadableError) return kept.settings;
    throw error;
  }
}

type WayPlace = (way: WaySettings) => readonly unknown[];

const placeOfRelay: WayPlace = ({ relay: { host, port, tls, verifyCertificate } }) => [
  ...[host, port, tls, verifyCertificate],
];
/** The tokens that they buy go to the relay. */
const placeOfTokens: WayPlace = (way) => [
  ...placeOfRelay(way),
  way.relay.tenant,
  way.relay.tokenUrl,
  way.relay.graphUrl,
];

/** The settings that each secret depends on: its destination, and its protection from eavesdroppers. */
const GUARDED: readonly (readonly [secret: string, placeOf: WayPlace])[] = [
  ["password", placeOfRelay],
  ["clientSecret", placeOfTokens],
  ["refreshToken", placeOfTokens],
  ["serviceAccount", placeOfRelay],
  ["secretAccessKey", ({ ses: { endpoint } }) => [endpoint]],
];

/** The secrets whose destination differs, by the names of settings. */
export function movedSecrets(was: WaySettings, is: WaySettings): readonly string[] {
  const moved = GUARDED.filter(([, placeOf]) => JSON.stringify(placeOf(was)) !== JSON.stringify(placeOf(is)));
  return moved.map(([secret]) => secret);
}

type WaySettingsChange = { readonly name: string; readonly before: SettingValues; readonly change: SettingValues };

/** A kept secret is not sent to a new destination. @throws AppError VALIDATION_ERROR */
function refuseElsewhere({ name, before, change }: WaySettingsChange): void {
  const ignore = () => undefined;
  const [was, is] = [wayOf(name, before, ignore), wayOf(name, changed(before, change), ignore)];
  const isKept = (secret: string) => change[secret] === undefined && (before[secret] ?? null) !== null;
  const moved = movedSecrets(was, is).find(isKept);
  if (moved === undefined) return;
  throw invalidField(moved, "Enter it again: it would go to another place, or in another way.", "again");
}

/** @throws AppError WAY_NOT_FOUND, CONFLICT for a way of the configuration, or one that a rule names */
export async function removeWay(tx: Tx, known: WayStorage, name: string): Promise<void> {
  await ownWay(tx, known, name);
  await refuseRuled(tx, name);
  await deleteWay(tx, name);
  await forgetKnownAt(tx, name);
  await forgetToken(tx, name);
  tx.signal(WAYS_CHANGED);
}

/**
 * A paused way gets no more email; email in hand is finished.
 * @throws AppError WAY_NOT_FOUND
 */
export async function pauseWay(tx: Tx, known: WayStorage, name: string, isPaused: boolean): Promise<Way> {
  await findWay(tx, known, name);
  await setPaused(tx, name, isPaused);
  tx.signal(WAYS_CHANGED);
  return findWay(tx, known, name);
}

/** @throws AppError WAY_NOT_FOUND, CONFLICT */
async function ownWay(reader: Reader, known: WayStorage, name: string): Promise<Way> {
  const way = await findWay(reader, known, name);
  if (way.source === "INSTALLATION") return way;
  throw new AppError("CONFLICT", `The sending route ${name} is in the configuration of the server.`, {
    reason: "configured_way",
    suggestion:
      name === DEFAULT_WAY
        ? "Change [delivery], [relay] and [ses]: with PATCH /installation/configuration, unless the file sets them. It can be paused here."
        : "Change it there, and start the server again. It can be paused here.",
  });
}
