// Looking at every sender domain again, day by day.
import { iso, MINUTE_MS, type Clock } from "../../clock.ts";
import { restUntil, SHORT_REST_MS } from "../../jobs/due.ts";
import { checkDomain, type DomainContext } from "./check.ts";
import { domainBySeq, nextCheckAt, takeDueDomains } from "./queries.ts";

/** Each asks a handful of questions at once. */
const DOMAINS_A_STEP = 5;
const LONGEST_REST_MS = 60_000;
/** A look takes seconds; who has not finished by then is gone. */
const LEASE_MS = 10 * MINUTE_MS;

/** Looks at a few domains whose turn it is; answers for how long there is none. */
export async function watchStep(context: DomainContext, clock: Clock): Promise<number> {
  const { store } = context;
  const dueAt = await store.read(nextCheckAt);
  const restMs = restUntil(dueAt, clock.nowMs(), LONGEST_REST_MS);
  if (restMs > 0) return restMs;
  const taken = await store.write((tx) => takeDueDomains(tx, DOMAINS_A_STEP, iso(tx.nowMs + LEASE_MS)));
  await Promise.all(taken.map(({ seq }) => look(context, seq).catch((error: unknown) => tell(context, seq, error))));
  return taken.length > 0 ? 0 : SHORT_REST_MS;
}

async function look(context: DomainContext, seq: number): Promise<void> {
  const domain = await context.store.read((reader) => domainBySeq(reader, seq));
  if (domain) await checkDomain(context, domain);
}

/** Its turn comes again when the lease ends; the others are none the worse for it. */
function tell({ log }: DomainContext, seq: number, error: unknown): void {
  log.error("a sender domain could not be looked at", { domain: seq, error });
}
