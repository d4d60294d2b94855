// What a look at a sender domain decides: whether it is verified, failing, or not verified.
import { iso } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Tx } from "../../store/store.ts";
import { OK, type Finding } from "./dns-check/finding.ts";
import { markVerified, setFailing, takeVerificationBack, type DomainRow } from "./queries.ts";

/** What of a look decides. `isPending`: it may yet be fine, without anybody doing anything. */
type Decision = Finding & { readonly isPending: boolean };

type Told = {
  readonly log: Log;
  /** How long a domain that is not confirmed any more may send. */
  readonly graceMs: number;
};

/** Takes a domain as verified or not (interface-gaps.md §7 "DKIM"). That the DNS gave no answer changes nothing. */
export async function judge(tx: Tx, context: Told, domain: DomainRow, decision: Decision): Promise<void> {
  const { verified_at, failing_since, taken_unseen } = domain;
  if (decision.state === "UNKNOWN") return;
  if (decision.state !== "OK") return lose(tx, context, { domain, decision });
  if (verified_at !== null && failing_since === null && taken_unseen === 0) return;
  await markVerified(tx, domain.seq, false);
  const message = failing_since === null ? "a sender domain is verified" : "a sender domain is confirmed again";
  if (verified_at === null || failing_since !== null)
    tx.afterCommit(() => context.log.info(message, { domain: domain.domain }));
}

type Loss = { readonly domain: DomainRow; readonly decision: Decision };

/** The domain goes on sending during the grace period. One that was taken as verified unseen fails only after its record was found once. */
async function lose(tx: Tx, { log, graceMs }: Told, { domain: row, decision }: Loss): Promise<void> {
  const { seq, domain, verified_at, failing_since, taken_unseen } = row;
  if (verified_at === null || taken_unseen === 1) return;
  if (failing_since === null && decision.isPending) return;
  const reason = decision.problem;
  const since = failing_since ?? tx.now;
  const endsAt = iso(Date.parse(since) + graceMs);
  if (failing_since === null) {
    await setFailing(tx, seq);
    tx.afterCommit(() =>
      log.warn("a verified sender domain is not confirmed any more; its mails go on until the grace period ends", {
        domain,
        reason,
        endsAt,
      }),
    );
  }
  if (tx.now < endsAt || (await takeVerificationBack(tx, seq)) === 0) return;
  tx.afterCommit(() =>
    log.warn("a sender domain was not confirmed in time; its mails are not sent any more", { domain, reason, since }),
  );
}

/** The record and the service must both be fine; whatever is known to be wrong outweighs what is not known. */
export function deciding(record: Finding | null, service: Finding | undefined): Decision {
  const findings = [record, service].filter((finding) => finding !== null && finding !== undefined);
  const bad = findings.find(({ state }) => state === "MISSING" || state === "WRONG");
  const decides = bad ?? findings.find(({ state }) => state !== "OK") ?? OK;
  return { ...decides, isPending: decides === service && decides.state === "MISSING" };
}
