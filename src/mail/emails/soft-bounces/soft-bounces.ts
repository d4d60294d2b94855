// Soft bounces in a row: an address that several mails have not reached for days is suppressed, each time for longer.
import { DAY_MS, iso } from "../../../base/clock.ts";
import type { Tx } from "../../../store/store.ts";
import { suppress } from "../../../audience/suppressions/suppression.ts";
import { addresseeOf } from "./feedback-queries.ts";
import type { Mail } from "../queries.ts";
import { keepTerm, mailsBefore, softBounceRules, termOf, type BounceFate } from "./softness-queries.ts";

/** The first time, the second time; then for good. */
const SUPPRESSED_DAYS = [30, 90] as const;

/** Called at a soft bounce, once it is recorded: only then are bounces counted. */
export async function noteSoftBounce(tx: Tx, { seq, workspace }: Pick<Mail, "seq" | "workspace">): Promise<void> {
  const { softBounces, softBounceDays } = await softBounceRules(tx, workspace);
  const addressee = softBounces === 0 ? null : await addresseeOf(tx, seq);
  if (!addressee) return;
  const { seq: contact, email } = addressee;
  const kept = await termOf(tx, contact);
  const term = kept?.address === email ? kept : { times: 0, at: "" };
  const { row, hasArrived } = rowOf(await mailsBefore(tx, { contact, email, seq }), term.at);
  const first = row.at(-1)?.at ?? tx.now;
  if (row.length < softBounces || tx.nowMs - Date.parse(first) < softBounceDays * DAY_MS) return;
  const times = hasArrived ? 0 : term.times;
  const days = SUPPRESSED_DAYS[times];
  const until = days === undefined ? null : iso(tx.nowMs + days * DAY_MS);
  const suppression = { target: email, reason: "soft-bounces", scope: "all", until } as const;
  await suppress(tx, workspace, suppression, { door: "soft-bounces" });
  await keepTerm(tx, contact, { address: email, times: times + 1 });
}

/** The soft bounces since a mail has arrived, and since the last suppression for them; the last one first. */
function rowOf(
  fates: readonly BounceFate[],
  since: string,
): { readonly row: readonly BounceFate[]; readonly hasArrived: boolean } {
  const young = fates.filter(({ at }) => at > since);
  const end = young.findIndex(({ isSoft }) => !isSoft);
  return end === -1 ? { row: young, hasArrived: false } : { row: young.slice(0, end), hasArrived: true };
}
