// Whether each way out takes email of each verified sender domain: what hand-overs and looks have found, and what the way
// says now.
import { WaysAsked } from "../../delivery/at-ways.ts";
import { domainsOf } from "../../domains/queries.ts";
import { refusedDomains } from "../../ways/domain-queries.ts";
import { ok, wrong, type Finding } from "./finding.ts";
import type { Looked } from "./store.ts";

const MOST_ASKED = 20;
const MOST_KEPT = 200;
const TODO =
  "Make the domain known there, as docs/operate/ways.md says; email of it leaves by the other ways until then.";

export async function lookAtSenders({ store, config, ways }: Looked): Promise<Finding[]> {
  const kept = await store.read((reader) => refusedDomains(reader, MOST_KEPT));
  const verified = (await store.read((reader) => domainsOf(reader, null))).filter(
    ({ verifiedAt }) => verifiedAt !== null,
  );
  const asked = new WaysAsked({ config, ways: () => ways });
  const names = asked.names;
  if (names.length === 0 || verified.length === 0) return [];
  const seen = await Promise.all(
    verified.slice(0, MOST_ASKED).map(async ({ domain }) => ({ domain, at: await asked.see(domain) })),
  );
  await asked.close();
  const found = new Map(kept.map(({ way, name, known }) => [`${way} ${name}`, { way, domain: name, ...known }]));
  for (const { domain, at } of seen)
    for (const { way, known } of at)
      if (known.state === "OK") found.delete(`${way} ${domain}`);
      else if (known.state === "WRONG" || known.state === "MISSING")
        found.set(`${way} ${domain}`, { way, domain, ...known });
  if (found.size === 0) return [ok("senders", `nothing is known against them at ${names.join(", ")}`)];
  return [...found.values()].map(({ way, domain, problem }) =>
    wrong(`way ${way}`, `It does not take email of ${domain}. ${problem ?? ""}`.trim(), TODO),
  );
}
