// The status of a domain.
import type { StatusIconName, Tone } from "../../parts/icons/icon.tsx";
import type { DnsRecord, Domain } from "./calls.ts";

export type DomainCondition = "verified" | "forced" | "failing" | "waiting";

export function conditionOf({ verified, forced, failingSince }: Domain): DomainCondition {
  if (failingSince !== null) return "failing";
  if (forced) return "forced";
  return verified ? "verified" : "waiting";
}

type ConditionLook = { readonly icon: StatusIconName; readonly tone: Tone };

export const CONDITIONS: Readonly<Record<DomainCondition, ConditionLook>> = {
  verified: { icon: "delivered", tone: "ok" },
  forced: { icon: "delivered", tone: "warn" },
  failing: { icon: "failed", tone: "bad" },
  waiting: { icon: "waiting", tone: "dim" },
};

export const RECORD_STATES: Readonly<Record<DnsRecord["state"], ConditionLook>> = {
  OK: { icon: "delivered", tone: "ok" },
  WRONG: { icon: "failed", tone: "bad" },
  MISSING: { icon: "waiting", tone: "dim" },
  UNKNOWN: { icon: "waiting", tone: "dim" },
};

export function countFound(domain: Domain): number {
  return needsChange(domain).filter(({ state }) => state === "OK").length;
}

/** The records to set: without optional ones, and without those that serve another server. */
export function needsChange({ records }: Domain): readonly DnsRecord[] {
  return records.filter((record) => !isOptional(record) && !isElsewhere(record));
}

/** Records for inbound mail and for reports: the domain's owner decides about them. */
export function isOptional({ purpose }: DnsRecord): boolean {
  return purpose === "INBOUND" || purpose === "REPORT_PERMISSION" || purpose === "TLS_REPORTS";
}

/** Another server receives mail for this domain, perhaps with mailboxes: do not replace it. */
export function isElsewhere({ problemCode }: DnsRecord): boolean {
  return problemCode === "mx_elsewhere_inbound" || problemCode === "mx_elsewhere_bounces";
}

/** The expected DNS value. With a placeholder it cannot be copied as it is. */
export function valueOf({ suggestion, value }: DnsRecord): string {
  return suggestion ?? value;
}

export function hasPlaceholder(record: DnsRecord): boolean {
  return valueOf(record).includes("<");
}

/** A broken SPF record that only its owner can fix: ours would drop its content. */
export function isToCorrect({ problemCode }: DnsRecord): boolean {
  return /^spf_(bad_term|include_none|include_several|lookups)$/.test(problemCode ?? "");
}
