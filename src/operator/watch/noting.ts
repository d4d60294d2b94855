// Stores the findings of a look. Each change is reported once: to the log, and changes of a sender domain to the
// endpoints of its workspace.
import { DAY_MS, iso } from "../../base/clock.ts";
import { happened } from "../../tenant/events/happened.ts";
import type { Log } from "../../base/log.ts";
import type { Tx } from "../../store/store.ts";
import { ownerOfDomain, putWatched, touchWatched, watchedRow } from "./queries.ts";
import { keyOf, sentenceOf, type WatchObservation } from "./seen.ts";

/** A fault that has not been confirmed for so long is not known any more. */
const BELIEVED_FOR_MS = 7 * DAY_MS;

/** In the transaction of the look. Silence changes nothing. */
export async function note(tx: Tx, log: Log, look: string, seen: WatchObservation): Promise<void> {
  const key = keyOf(seen);
  const before = await watchedRow(tx, key);
  const isSilence = seen.state === "UNKNOWN" && before !== null && before.state !== "UNKNOWN";
  if (isSilence && before.answeredAt > iso(tx.nowMs - BELIEVED_FOR_MS)) return void (await touchWatched(tx, key));
  const since = before?.state === seen.state ? before.since : tx.now;
  await putWatched(tx, { ...seen, key, look, since, answeredAt: tx.now });
  const [was, is] = [before?.state === "WRONG", seen.state === "WRONG"];
  if (was === is) return;
  const text = sentenceOf(seen);
  tx.afterCommit(() => (is ? log.warn(text) : log.info("a fault that was found from outside is over", { what: key })));
  if (seen.domain !== null) await tellOwner(tx, seen.domain, is ? text : null);
}

/** `problem`: null = it is over. */
async function tellOwner(tx: Tx, seq: number, problem: string | null): Promise<void> {
  const owner = await ownerOfDomain(tx, seq);
  if (owner === null) return;
  const data = { domainId: owner.id, domain: owner.domain, what: "BLOCKLIST" } as const;
  if (problem === null) await happened(tx, "domain.recovered", owner, data);
  else await happened(tx, "domain.failing", owner, { ...data, problem });
}
