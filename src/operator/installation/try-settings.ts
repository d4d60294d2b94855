// Tries settings before they are kept: writes to a place for backups, asks a provider for its addresses,
// logs in to a relay.
import { randomBytes } from "node:crypto";
import { ConfigError, type Config, type ConfigProblem } from "../../base/config.ts";
import { DEFAULT_PROVIDER } from "../../base/config/oidc.ts";
import type { WaySettings } from "../../base/config/ways.ts";
import { usesTokens } from "../../ground/way-tokens/way-tokens.ts";
import { defaultWay } from "../../ground/ways/way.ts";
import { LOGIN_REFUSED } from "../../sending/carrier/smtp/opening.ts";
import type { WayStates } from "../../sending/open-ways/open-ways.ts";
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

/** A way with access tokens gets them only once it is kept, and is tried then. */
export function tryingWay(outgoing: Pick<WayStates, "lookAhead">): TrySettings {
  return async (now, next) => {
    const [was, is] = [defaultWay(now), defaultWay(next)];
    if (is.kind === "capture" || usesTokens(is) || placeOf(was) === placeOf(is)) return [];
    try {
      const fault = await outgoing.lookAhead(next);
      return fault === null ? [] : [{ key: faultyKey(is, fault), message: `does not work: ${fault}` }];
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  };
}

function placeOf({ kind, relay, ses }: WaySettings): string {
  return JSON.stringify([kind, kind === "ses" ? ses : relay]);
}

function faultyKey({ kind, relay, ses }: WaySettings, fault: string): string {
  if (kind === "ses") return ses.accessKeyId === null ? "ses.region" : "ses.access_key_id";
  return relay.user !== null && fault.startsWith(LOGIN_REFUSED) ? "relay.password" : "relay.host";
}

/** For a server with a test clock: email of a test must not leave. */
export const stayingCaptured: TrySettings = async (_, { delivery }) => {
  const message = 'must be "capture" while the server has a test clock';
  return delivery.transport === "capture" ? [] : [{ key: "delivery.transport", message }];
};
