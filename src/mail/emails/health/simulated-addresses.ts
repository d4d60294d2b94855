// Simulator addresses, at simulator.test (docs/index.md): mail to them never leaves, and does not count for a sender's
// reputation.
import { domainOf } from "../../../base/addresses.ts";
import { sql } from "../../../store/sql.ts";

export const FATES = [
  "delivered",
  "bounced",
  "soft-bounced",
  "complained",
  "deferred",
  "failed",
  "opened",
  "clicked",
  "slow",
] as const;
export type SimulationFate = (typeof FATES)[number];

export const SIMULATED_AT = "simulator.test";

/** Selects mail to other addresses, which counts for a sender's reputation. */
export const IS_REAL = sql`to_address not like ${`%@${SIMULATED_AT}`}`;

/** `bounced@simulator.test`, also with `+anything`; "unknown" = another address there; null = another domain. */
export function fateOf(address: string): SimulationFate | "unknown" | null {
  if (domainOf(address) !== SIMULATED_AT) return null;
  const [name] = address.slice(0, address.lastIndexOf("@")).toLowerCase().split("+");
  return FATES.find((fate) => fate === name) ?? "unknown";
}
