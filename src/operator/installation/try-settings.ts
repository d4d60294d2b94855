// What can be tried of settings before they are kept: a place for backups is written to, a provider is asked where it is.
import { randomBytes } from "node:crypto";
import type { Config, ConfigProblem } from "../../base/config.ts";
import { DEFAULT_PROVIDER } from "../../base/config/oidc.ts";
import { openPlace } from "../backup/place.ts";

/** The faults of `next` that show when it is tried, where it differs from `now`. */
export type TrySettings = (now: Config, next: Config) => Promise<readonly ConfigProblem[]>;

export const tryBackup: TrySettings = async ({ backup: now }, { backup }) => {
  if (backup.to === null || backup.to === now.to) return [];
  const name = `.posthorn-test-${randomBytes(8).toString("hex")}`;
  try {
    const place = openPlace(backup);
    await place.putBytes(name, new Uint8Array(1));
    await place.remove(name);
    return [];
  } catch (error) {
    return [{ key: "backup.to", message: `cannot be written to: ${(error as Error).message}` }];
  }
};

export const tryProviders: TrySettings = async ({ oidc: now }, { oidc }) => {
  // Further providers are in the file.
  const one = oidc.find(({ name }) => name === DEFAULT_PROVIDER);
  if (!one || now.some(({ issuer }) => issuer === one.issuer)) return [];
  const { placesOf } = await import("../team/oidc/provider.ts");
  const places = await placesOf(one);
  return "isAway" in places ? [{ key: "team.oidc.issuer", message: `does not work: ${String(places["fault"])}` }] : [];
};
