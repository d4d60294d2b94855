// Whether a newer release is out, where the operator has said where releases are (docs/operate/upgrade.md).
import { releaseKeyOf } from "../../base/service/minisign.ts";
import { releaseAt } from "../../base/service/release.ts";
import { build, releaseFacts } from "../../base/version.ts";
import type { WatchObservation } from "./seen.ts";

const OF_RELEASES = { aspect: "RELEASE", subject: "Posthorn", by: "", domain: null } as const;

/** `place`: a folder or a URL; null = nothing is asked. `key`: the public key of releases. */
export async function lookAtRelease(
  place: string | null,
  key = releaseFacts().key,
): Promise<readonly WatchObservation[]> {
  if (place === null) return [];
  if (key === null) return [{ ...OF_RELEASES, state: "UNKNOWN", detail: "this executable knows no key of releases" }];
  try {
    const { version } = await releaseAt(place, releaseKeyOf(key));
    const isNewer = Bun.semver.order(version, build().version) > 0;
    return [{ ...OF_RELEASES, state: isNewer ? "WRONG" : "OK", detail: isNewer ? version : null }];
  } catch (error) {
    return [{ ...OF_RELEASES, state: "UNKNOWN", detail: (error as Error).message }];
  }
}
