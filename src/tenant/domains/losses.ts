// Lost records: those that were in order and no longer are, and do not decide whether a domain may send. A loss is
// reported once, and so is its end.
import { happened } from "../events/happened.ts";
import type { Log } from "../../base/log.ts";
import type { Tx } from "../../store/store.ts";
import type { Checks } from "./dns-check/look.ts";
import type { DnsFinding } from "./dns-check/finding.ts";
import type { Domain } from "./queries.ts";

/** The records of a domain that are watched for losses. */
const WATCHED = /^(SPF|DMARC|RETURN_PATH|INBOUND) (.+)$/;
type Purpose = "SPF" | "DMARC" | "RETURN_PATH" | "INBOUND";

export type RecordLoss = {
  readonly what: Purpose;
  readonly since: string;
  readonly problem: string | null;
};

/**
 * The findings of a check at `at`, with the facts of earlier checks: whether the record stood at the last answer,
 * and since when it does not. A record that never stood is not a loss, and no answer changes nothing.
 */
export function withLosses(checks: Checks, before: Checks, at: string): Checks {
  const marked = Object.entries(checks).map(([place, finding]) => [place, marksOf(finding, before[place], at)]);
  return Object.fromEntries(marked) as Checks;
}

function marksOf(finding: DnsFinding, before: DnsFinding | undefined, at: string): DnsFinding {
  const stood = before?.stood ?? before?.state === "OK";
  if (finding.state === "OK") return { ...finding, stood: true };
  const lostSince = before?.lostSince ?? (stood && finding.state !== "UNKNOWN" ? at : undefined);
  return { ...finding, stood: stood && finding.state === "UNKNOWN", ...(lostSince === undefined ? {} : { lostSince }) };
}

/** The losses among the records below the domain's own name: the others are the installation's. */
export function lossesOf({ domain, checks }: Pick<Domain, "domain" | "checks">): readonly RecordLoss[] {
  return Object.entries(checks).flatMap(([place, { lostSince: since, problem }]) => {
    const [, what, name = ""] = WATCHED.exec(place) ?? [];
    if (since === undefined || !(name === domain || name.endsWith(`.${domain}`))) return [];
    return [{ what: what as Purpose, since, problem }];
  });
}

/** Reports the losses and recoveries of a check, in its transaction. */
export async function tellLosses(tx: Tx, log: Log, domain: Domain, now: readonly RecordLoss[]): Promise<void> {
  if (domain.verifiedAt === null) return;
  const before = new Set(lossesOf(domain).map(({ what }) => what));
  const data = { domainId: domain.id, domain: domain.domain };
  for (const { what, problem } of now) {
    if (before.delete(what)) continue;
    await happened(tx, "domain.failing", domain, { ...data, what, problem });
    tx.afterCommit(() => log.warn("a record of a sender domain is not as it was", { ...data, what, problem }));
  }
  for (const what of before) {
    await happened(tx, "domain.recovered", domain, { ...data, what });
    tx.afterCommit(() => log.info("a record of a sender domain is in order again", { ...data, what }));
  }
}
