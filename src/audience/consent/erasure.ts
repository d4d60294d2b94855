// Erases a person's content from the ledger. The chain stays whole: numbers, digests and hashes remain, and a new row
// records the erasure, with a keyed hash of the address and the numbers of the person's rows.
import type { Tx } from "../../store/store.ts";
import { writeNotes } from "./chain.ts";
import type { ConsentAct, LedgerEntry } from "./consent.ts";
import type { LedgerContent } from "./content.ts";
import { contentsOf, deleteUnchained, takeContents } from "./queries.ts";

type ConsentErasure = Pick<LedgerEntry, "workspace" | "contact"> & {
  readonly what: "erased" | "expired";
  readonly act: Pick<ConsentAct, "cause" | "door">;
};

/** Runs in the transaction that removes the contact. A person without rows in the ledger leaves no trace in it. */
export async function forgetConsent(tx: Tx, { workspace, contact, what, act }: ConsentErasure): Promise<void> {
  const { seq, email } = contact;
  const changes = (await contentsOf(tx, seq)).map((content) => JSON.parse(content) as LedgerContent);
  if (changes.length === 0) return;
  // Waits for a transaction that chains some of them now; the second statement then finds these rows.
  await deleteUnchained(tx, seq);
  const numbers = await takeContents(tx, seq);
  const left = changes.findLast((change) => change.what === "unsubscribed");
  const { cause, door } = act;
  const content = {
    ...{ what, at: tx.now, person: tx.keyedHash(email), rows: rangesOf(numbers) },
    ...(left ? { unsubscribedAt: left.at } : {}),
    ...(cause ? { cause } : {}),
    ...(door ? { door } : {}),
  };
  await writeNotes(tx, [{ workspace, contact: null, content }]);
}

/** Takes numbers in ascending order: `1-3,7`. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(",");
}
