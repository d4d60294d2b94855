// Proof in a file about people who were already subscribed: their flag stays, and the ledger gets the proof.
import { note } from "../../../audience/consent/consent.ts";
import { sourcesAmong } from "../../../audience/consent/queries.ts";
import type { Tx } from "../../../store/store.ts";
import { agreedIn, type UpsertResult } from "../../../audience/contacts/upsert.ts";
import type { ContactInput } from "../../../audience/contacts/wanted.ts";

/** `input`: includes the file's proof. */
type ImportProof = Pick<UpsertResult, "contact" | "isNew" | "before"> & { readonly input: ContactInput };

/** Records each proof once: a file may be imported again, and may contain a person twice. */
export async function noteProofs(tx: Tx, workspace: number, proven: readonly ImportProof[]): Promise<void> {
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

function wasSubscribed({ contact, isNew, before = contact }: ImportProof): boolean {
  return !isNew && contact.subscribed && before.subscribed;
}
