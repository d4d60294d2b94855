// What a file proves of people who were subscribed before: their flag stays, and the ledger gets the proof.
import { note } from "../../consent/consent.ts";
import { sourcesAmong } from "../../consent/queries.ts";
import type { Tx } from "../../../store/store.ts";
import { agreedIn, type UpsertResult } from "../upsert.ts";
import type { ContactInput } from "../wanted.ts";

/** `input`: with what the file proves. */
type Proven = Pick<UpsertResult, "contact" | "isNew" | "before"> & { readonly input: ContactInput };

/** Once for each proof: the same file may come again, and a person twice in it. */
export async function noteProofs(tx: Tx, workspace: number, proven: readonly Proven[]): Promise<void> {
  const were = proven.filter(wasSubscribed);
  if (were.length === 0) return;
  const sources = await sourcesAmong(tx, [...new Set(were.map(({ contact: { seq } }) => seq))]);
  const known = new Set(sources.map(({ contact, source }) => `${contact} ${source.split("; ").at(-1)}`));
  for (const one of proven) {
    const { contact, input } = one;
    const name = `${contact.seq} ${input.evidence?.source}`;
    const isNews = wasSubscribed(one) && !known.has(name);
    if (isNews) note(tx, { workspace, contact, what: "subscribed", act: agreedIn(input) });
    known.add(name);
  }
}

function wasSubscribed({ contact, isNew, before = contact }: Proven): boolean {
  return !isNew && contact.subscribed && before.subscribed;
}
