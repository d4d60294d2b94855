// Suppressed addresses by the lists that other services have: bounces, complaints and unsubscribes.
import type { SuppressionReason, Suppression } from "../../audience/suppressions/queries.ts";

/** Why the addresses of each list are suppressed. */
export const LIST_REASONS = {
  bounces: ["bounce", "soft-bounces"],
  complaints: ["complaint"],
  unsubscribes: ["manual", "import"],
} as const satisfies Readonly<Record<string, readonly SuppressionReason[]>>;
export type SuppressionListName = keyof typeof LIST_REASONS;

export function isOnList(list: SuppressionListName, { kind, reason }: Suppression): boolean {
  return kind === "address" && (LIST_REASONS[list] as readonly SuppressionReason[]).includes(reason);
}
