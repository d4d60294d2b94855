// Checks once a day how this server looks from outside: its names, its certificates, blocklists. Each look has a row
// with its due time, so that only one of several servers looks, and a start does not.
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from "../../base/clock.ts";
import { boundedResolver } from "../../base/dns/bounded.ts";
import type { Ground } from "../../ground/ground.ts";
import { SETTINGS_FOLLOWED } from "../../ground/settings/settings.ts";
import { NOTHING_DUE, restUntil } from "../../base/jobs/due.ts";
import type { LoopSpec } from "../../base/jobs/loops.ts";
import type { Reader } from "../../store/store.ts";
import { lookAtRelease } from "./release.ts";
import { lookAtLists } from "./blocklists.ts";
import { askForCertificate, lookAtCertificates, type AskForCertificate } from "./certificates.ts";
import { lookAtNames, sendingAddresses } from "./names.ts";
import { note } from "./noting.ts";
import { addLook, domainsToWatch, forgetWatched, nextLookAt, setLook, takeLook } from "./queries.ts";
import type { WatchObservation } from "./seen.ts";

type WatchServices = Pick<Ground, "store" | "config" | "log" | "resolver" | "bases" | "ways"> & {
  readonly ask: AskForCertificate;
};

/** `next`: the position where the look goes on after a while; 0 = it is complete. */
type WatchResult = { readonly seen: readonly WatchObservation[]; readonly next: number };
type LookAt = (watching: WatchServices, position: number) => Promise<WatchResult>;

const MOST_QUESTIONS = 20;
/** The limit of sender domains in one step. */
const MOST_DOMAINS = 50;
const NEXT_PIECE_MS = MINUTE_MS;
const LEASE_MS = 10 * MINUTE_MS;
/** No look begins with a start of the server, nor do the looks of many servers begin together. */
const FIRST_WITHIN_MS = HOUR_MS;

const LOOKS: Readonly<Record<string, LookAt>> = {
  names: async (watching) => whole(await lookAtNames(withWays(watching))),
  certificates: async (watching) => whole(await lookAtCertificates(withWays(watching), watching.store.clock.nowMs())),
  addresses: async (watching) => whole(await listsOfAddresses(watching)),
  domains: listsOfDomains,
  release: async ({ config }) => whole(await lookAtRelease(config.updates.url)),
};

/** The ways by which email may leave at present. */
function withWays({ ways, ...watching }: WatchServices) {
  return { ...watching, ways: ways.used.filter(({ pausedAt, problem }) => pausedAt === null && problem === null) };
}

function whole(seen: readonly WatchObservation[]): WatchResult {
  return { seen, next: 0 };
}

async function listsOfAddresses(watching: WatchServices): Promise<readonly WatchObservation[]> {
  const { config, resolver } = watching;
  if (!config.watch.blocklists) return [];
  const subjects = (await sendingAddresses(withWays(watching))).map((name) => ({ name, domain: null }));
  return lookAtLists({ config, resolver }, "address", subjects);
}

async function listsOfDomains({ store, config, resolver }: WatchServices, position: number): Promise<WatchResult> {
  if (!config.watch.blocklists) return whole([]);
  const domains = await store.read((reader: Reader) => domainsToWatch(reader, position, MOST_DOMAINS));
  const subjects = domains.map(({ seq, domain }) => ({ name: domain, domain: seq }));
  const next = domains.length < MOST_DOMAINS ? 0 : (domains.at(-1)?.seq ?? 0);
  return { seen: await lookAtLists({ config, resolver }, "domain", subjects), next };
}

/** They look at nothing while no email leaves. */
export function watchLoops(ground: Omit<WatchServices, "ask">, ask = askForCertificate): readonly LoopSpec[] {
  const { config, ways } = ground;
  const watching = {
    ...ground,
    ask,
    resolver: boundedResolver(ground.resolver, MOST_QUESTIONS),
    // With the ways that owners have added by then.
    get config() {
      return { ...config, ways: ways.used.slice(1) };
    },
  };
  let hasRows = false;
  const first = async (): Promise<number> => {
    if (config.delivery.transport === "capture") return NOTHING_DUE;
    if (!hasRows) await ensureRows(watching);
    hasRows = true;
    return step(watching);
  };
  return [{ name: "watching from outside", step: first, wokenBy: SETTINGS_FOLLOWED, mayTakeLong: true }];
}

async function step(watching: WatchServices): Promise<number> {
  const { store, log } = watching;
  const restMs = restUntil(await store.read(nextLookAt), store.clock.nowMs());
  if (restMs > 0) return restMs;
  const look = await store.write((tx) => takeLook(tx, iso(tx.nowMs + LEASE_MS)));
  if (look === null) return NOTHING_DUE;
  const at = LOOKS[look.name];
  // A look that a later version had added.
  const found = at === undefined ? whole([]) : await at(watching, look.position);
  await store.write(async (tx) => {
    for (const seen of found.seen) await note(tx, log, look.name, seen);
    if (found.next === 0) await forgetWatched(tx, look.name, look.begunAt);
    await setLook(tx, look.name, { position: found.next, dueAt: iso(tx.nowMs + waitMs(found)) });
  });
  return 0;
}

async function ensureRows({ store }: WatchServices): Promise<void> {
  await store.write(async (tx) => {
    for (const name of Object.keys(LOOKS))
      await addLook(tx, name, iso(tx.nowMs + MINUTE_MS + Math.random() * FIRST_WITHIN_MS));
  });
}

/** A day, or an hour while something is wrong; up to a tenth less. */
function waitMs({ seen, next }: WatchResult): number {
  if (next !== 0) return NEXT_PIECE_MS;
  return (seen.some(({ state }) => state === "WRONG") ? HOUR_MS : DAY_MS) * (0.9 + 0.1 * Math.random());
}
