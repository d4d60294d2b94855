// The acceptance of each verified sender domain by each way: as hand-overs and checks have found, and as the way says
// now.
import type { Config } from "../../../base/config.ts";
import { SenderChecks } from "../../../sending/open-ways/sender-checks.ts";
import { domainsOf } from "../../../tenant/domains/queries.ts";
import type { Store } from "../../../store/store.ts";
import { refusedDomains, whyOf } from "../../../ground/ways/domain-queries.ts";
import type { WayTokens } from "../../../ground/way-tokens/way-tokens.ts";
import type { Way } from "../../../ground/ways/list.ts";
import { ok, wrong, type DoctorFinding } from "./finding.ts";

type SenderCheck = {
  readonly store: Store;
  readonly config: Config;
  readonly ways: readonly Way[];
  readonly tokens?: WayTokens | null;
};
type SenderRefusal = { readonly way: string; readonly domain: string; readonly problem: string | null };

const MOST_ASKED = 20;
const MOST_KEPT = 500;
const ADVICE =
  "Make the domain known there, as docs/operate/ways.md says; its email leaves by the other routes, or waits, until then.";

export async function lookAtSenders(asking: SenderCheck): Promise<DoctorFinding[]> {
  const names = namesOf(asking);
  if (names.length === 0) return [];
  const refused = await refusedNow(asking);
  if (refused.length === 0) return [ok("senders", `nothing is known against them at ${names.join(", ")}`)];
  return refused.map(({ way, domain, problem }) =>
    wrong(`way ${way}`, `It does not take email of ${domain}. ${problem ?? ""}`.trim(), ADVICE),
  );
}

function namesOf({ config, ways }: SenderCheck): readonly string[] {
  return new SenderChecks({ config, ways: () => ways }).names;
}

/** The refusals of these ways now; nothing is recorded. */
export async function refusedNow({
  store,
  config,
  ways,
  tokens = null,
}: SenderCheck): Promise<readonly SenderRefusal[]> {
  const [kept, all] = await store.read(async (reader) => [
    await refusedDomains(reader, MOST_KEPT),
    await domainsOf(reader, null),
  ]);
  const verified = all.filter(({ verifiedAt }) => verifiedAt !== null).slice(0, MOST_ASKED);
  const asked = new SenderChecks({ config, tokens, ways: () => ways });
  const seen = await Promise.all(verified.map(async ({ domain }) => ({ domain, at: await asked.see(domain) })));
  await asked.close();
  const isAsked = (way: string) => ways.some(({ name }) => name === way);
  const found = new Map<string, SenderRefusal>();
  for (const { way, name: domain, known } of kept)
    if (isAsked(way)) found.set(`${way} ${domain}`, { way, domain, problem: whyOf(known) });
  for (const { domain, at } of seen) {
    for (const { way, known } of at) {
      if (known.state === "OK") found.delete(`${way} ${domain}`);
      else if (known.state !== "UNKNOWN") found.set(`${way} ${domain}`, { way, domain, problem: whyOf(known) });
    }
  }
  return [...found.values()];
}
