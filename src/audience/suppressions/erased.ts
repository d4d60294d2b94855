// Suppressions of erased people: only a keyed hash of the address is kept, and an address that returns is suppressed
// again.
import type { Tx } from "../../store/store.ts";
import { deleteSuppressions, hasErased, setTarget, suppressionsAt } from "./queries.ts";
import { isInForce, kindOf } from "./standing.ts";

/** Part of erasing a person: only a keyed hash of the address is kept. */
export async function hashErased(tx: Tx, workspace: number, email: string): Promise<void> {
  const target = tx.keyedHash(email);
  const found = await suppressionsAt(tx, workspace, [email, target]);
  const addresses = found.filter((one) => one.kind === "address");
  if (addresses.length === 0) return;
  const own = addresses.filter((one) => isInForce(one, tx.now));
  const others = found.filter((one) => !own.includes(one));
  if (others.length > 0)
    await deleteSuppressions(
      tx,
      others.map(({ seq }) => seq),
    );
  for (const { seq, reason } of own)
    await setTarget(tx, seq, { kind: "hash", target, reason: "erased", former: reason });
}

/** When erased people's addresses return, their hashes become addresses again, with their former reasons. */
export async function takeOver(tx: Tx, workspace: number, targets: readonly string[]): Promise<void> {
  const emails = targets.filter((target) => kindOf(target) === "address");
  if (emails.length === 0 || !(await hasErased(tx, workspace))) return;
  const byHash = new Map(emails.map((email) => [tx.keyedHash(email), email]));
  for (const { seq, target, former } of await suppressionsAt(tx, workspace, [...byHash.keys()])) {
    const back = { kind: "address", target: byHash.get(target) as string, former: null } as const;
    await setTarget(tx, seq, { ...back, reason: former ?? "bounce" });
  }
}
