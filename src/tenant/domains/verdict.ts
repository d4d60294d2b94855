// The verdict of a check of a sender domain: verified, failing, or not verified.
import { iso } from "../../base/clock.ts";
import { happened } from "../events/happened.ts";
import type { Log } from "../../base/log.ts";
import type { Tx } from "../../store/store.ts";
import { OK, type DnsFinding } from "./dns-check/finding.ts";
import { markVerified, setFailing, takeVerificationBack, type Domain } from "./queries.ts";

/** The finding that decides. `isPending`: it may become fine without any action. */
type Decision = DnsFinding & { readonly isPending: boolean };

type JudgeOptions = {
  readonly log: Log;
  /** How long a domain that is no longer confirmed may send. */
  readonly graceMs: number;
};

/** Takes a domain as verified or not. No answer from the DNS changes nothing. */
export async function judge(tx: Tx, context: JudgeOptions, domain: Domain, decision: Decision): Promise<void> {
  const { verifiedAt, failingSince, takenUnseen } = domain;
  if (decision.state === "UNKNOWN") return;
  if (decision.state !== "OK") return lose(tx, context, { domain, decision });
  if (verifiedAt !== null && failingSince === null && !takenUnseen) return;
  await markVerified(tx, domain.seq, false);
  const message = failingSince === null ? "a sender domain is verified" : "a sender domain is confirmed again";
  if (failingSince !== null) await happened(tx, "domain.recovered", domain, dataOf(domain));
  if (verifiedAt === null || failingSince !== null) {
    await tellVerified(tx, domain);
    tx.afterCommit(() => context.log.info(message, { domain: domain.domain }));
  }
}

/** Notifies endpoints. */
export function tellVerified(tx: Tx, domain: Domain): Promise<void> {
  return happened(tx, "domain.verified", domain, { domainId: domain.id, domain: domain.domain });
}

function dataOf({ id: domainId, domain }: Domain) {
  return { domainId, domain, what: "DKIM" as const };
}

type DomainLoss = { readonly domain: Domain; readonly decision: Decision };

/**
 * The domain goes on sending during the grace period. A domain that was marked as verified without a check fails only
 * after its record was found once.
 */
async function lose(tx: Tx, { log, graceMs }: JudgeOptions, { domain: row, decision }: DomainLoss): Promise<void> {
  const { seq, domain, verifiedAt, failingSince, takenUnseen } = row;
  if (verifiedAt === null || takenUnseen) return;
  if (failingSince === null && decision.isPending) return;
  const reason = decision.problem;
  // The start of the failure may come from a clock that was ahead.
  const isKnown = failingSince !== null && failingSince <= tx.now;
  const since = isKnown ? failingSince : tx.now;
  const endsAt = iso(Date.parse(since) + graceMs);
  if (!isKnown) {
    await setFailing(tx, seq);
    if (failingSince === null) await happened(tx, "domain.failing", row, { ...dataOf(row), problem: reason });
    tx.afterCommit(() =>
      log.warn("a verified sender domain is no longer confirmed; it sends until the grace period ends", {
        domain,
        reason,
        endsAt,
      }),
    );
  }
  if (tx.now < endsAt || (await takeVerificationBack(tx, seq)) === 0) return;
  tx.afterCommit(() =>
    log.warn("a sender domain was not confirmed in time; its emails are no longer sent", { domain, reason, since }),
  );
}

/** The record and the service must both be fine; a known fault outweighs an unknown state. */
export function deciding(record: DnsFinding | null, service: DnsFinding | undefined): Decision {
  const findings = [record, service].filter((finding) => finding !== null && finding !== undefined);
  const bad = findings.find(({ state }) => state === "MISSING" || state === "WRONG");
  const decides = bad ?? findings.find(({ state }) => state !== "OK") ?? OK;
  return { ...decides, isPending: decides === service && decides.state === "MISSING" };
}
