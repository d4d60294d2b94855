// The hosts room: hosts that workspaces have to themselves for links, pixels, pages and images. A workspace holds a
// host once the DNS says so (check.ts); the host then gets its own certificate (certificates.ts) and is known in memory
// to all makers and servers of links (link-bases.ts).
import type { Access } from "../../tenant/access/auth.ts";
import { iso, MINUTE_MS } from "../../base/clock.ts";
import { boundedResolver } from "../../base/dns/bounded.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import { NOTHING_DUE, restUntil, SHORT_REST_MS } from "../../base/jobs/due.ts";
import type { LookUp } from "../../programs/webhooks/sending/target.ts";
import { HostCertification, type Obtain } from "./certificates.ts";
import { conclude, HOSTS, hostFinding, type HostContext } from "./check.ts";
import { namesOfInstallation } from "./host.ts";
import { hostBySeq, linkHosts, nextHostAt, takeDueHosts } from "./queries.ts";
import { hostRoutes, proofRoutes } from "./routes.ts";

const MOST_QUESTIONS = 20;
const HOSTS_A_STEP = 5;
const LEASE_MS = 10 * MINUTE_MS;

type HostsOptions = { readonly lookUp?: LookUp | undefined; readonly obtain: Obtain };

export async function openHosts(ground: Ground, access: Access, { lookUp, obtain }: HostsOptions): Promise<Room> {
  const context: HostContext = { ...ground, resolver: boundedResolver(ground.resolver, MOST_QUESTIONS), lookUp };
  await readHosts(context);
  const certification = new HostCertification(context, obtain);
  return {
    routes: [hostRoutes(access, context), proofRoutes(ground.secrets)],
    loops: [
      { name: "knowing hosts of links", step: () => readHosts(context), wokenBy: HOSTS },
      { name: "checking hosts of links", step: () => checkStep(context), wokenBy: HOSTS },
      { name: "certificates of hosts", step: () => certification.step(), wokenBy: HOSTS, mayTakeLong: true },
    ],
  };
}

/** A host may have become a name of the installation since it was set: everything is there then. */
async function readHosts({ store, bases, config }: HostContext): Promise<number> {
  const own = namesOfInstallation(config);
  bases.replace((await store.read(linkHosts)).filter(({ host }) => !own.includes(host)));
  return NOTHING_DUE;
}

async function checkStep(context: HostContext): Promise<number> {
  const { store } = context;
  const restMs = restUntil(await store.read(nextHostAt), store.clock.nowMs());
  if (restMs > 0) return restMs;
  const taken = await store.write((tx) => takeDueHosts(tx, HOSTS_A_STEP, iso(tx.nowMs + LEASE_MS)));
  await Promise.all(taken.map(({ seq }) => check(context, seq)));
  return taken.length > 0 ? 0 : SHORT_REST_MS;
}

/** The check is due again when its lease ends; the others go on. */
async function check(context: HostContext, seq: number): Promise<void> {
  const { store, log } = context;
  try {
    const host = await store.read((reader) => hostBySeq(reader, seq));
    const begunAt = iso(store.clock.nowMs());
    const found = host && (await hostFinding(context, host));
    if (found) await store.write((tx) => conclude(tx, context, { seq, begunAt, found }));
  } catch (error) {
    log.error("a host of links could not be checked", { host: seq, error });
  }
}
