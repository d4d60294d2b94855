// What a file proves of people who were subscribed before: their flag stays, and the ledger gets the proof.
import { note, type Act } from "../../consent/consent.ts";
import { sourcesAmong } from "../../consent/queries.ts";
import type { Tx } from "../../store/store.ts";
import type { Upserted } from "../upsert.ts";

type Proven = {
  readonly done: readonly Upserted[];
  /** Of each: how it came about, and what the file proves; null = nothing. */
  readonly acts: readonly Act[];
  readonly proofs: readonly (string | null)[];
};

/** Once for each proof: the same file may come again, and a person twice in it. */
export async function noteProofs(tx: Tx, workspace: number, { done, acts, proofs }: Proven): Promise<void> {
  const proven = done.flatMap((one, index) => {
    const proof = proofs[index] ?? null;
    return proof === null ? [] : [{ ...one, act: acts[index] ?? {}, name: `${one.contact.seq} ${proof}` }];
  });
  const were = proven.filter(wasSubscribed);
  if (were.length === 0) return;
  const sources = await sourcesAmong(tx, [...new Set(were.map(({ contact: { seq } }) => seq))]);
  const known = new Set(sources.map(({ contact, source }) => `${contact} ${source.split("; ").at(-1)}`));
  for (const one of proven) {
    const { contact, act, name } = one;
    if (wasSubscribed(one) && !known.has(name)) note(tx, { workspace, contact, what: "subscribed", act });
    known.add(name);
  }
}

function wasSubscribed({ contact, isNew, before = contact }: Upserted): boolean {
  return !isNew && contact.subscribed && before.subscribed;
}
