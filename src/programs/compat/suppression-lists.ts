// Suppressed addresses by the lists that other services have: bounces, complaints and unsubscribes.
import { parseAddress } from "../../base/addresses.ts";
import { iso } from "../../base/clock.ts";
import { suppressionsAt, type SuppressionReason, type Suppression } from "../../audience/suppressions/queries.ts";
import { isInForce } from "../../audience/suppressions/standing.ts";
import { bounceOfEach } from "../../mail/emails/feedback/returned-queries.ts";
import type { Reader } from "../../store/store.ts";

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

type ListedAddress = { readonly workspace: number; readonly address: string; readonly nowMs: number };

/** The suppressions in force of one address; none = it is not on the list. */
export async function onListAt(
  reader: Reader,
  list: SuppressionListName,
  { workspace, address, nowMs }: ListedAddress,
): Promise<readonly Suppression[]> {
  const found = await suppressionsAt(reader, workspace, [parseAddress(address) ?? ""]);
  return found.filter((one) => isOnList(list, one) && isInForce(one, iso(nowMs)));
}

/** The newest `most` of a list. `of`: those of one reason. */
export async function newestOnList(
  list: SuppressionListName,
  most: number,
  of: (reason: SuppressionReason) => Promise<readonly Suppression[]>,
): Promise<readonly Suppression[]> {
  const found = await Promise.all(LIST_REASONS[list].map(of));
  return found
    .flat()
    .toSorted((one, other) => other.seq - one.seq)
    .slice(0, most);
}

/** The reply of each address's server when it bounced last. */
export async function bounceErrors(
  reader: Reader,
  workspace: number,
  those: readonly Suppression[],
): Promise<ReadonlyMap<string, string | null>> {
  if (those.length === 0) return new Map();
  const targets = those.map(({ target }) => target);
  return new Map((await bounceOfEach(reader, workspace, targets)).map(({ email, error }) => [email, error]));
}
