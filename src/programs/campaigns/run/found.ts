// The people of a campaign, found when it begins. From then on each stays on its list: people who leave before the mail
// is queued are skipped, with the reason, and so are erased ones.
import { lastContact, nthContact } from "../../../audience/contacts/search/selection-queries.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { reachedIn, type Audience } from "../audience-queries.ts";
import { holdSegments, type Campaign } from "../queries.ts";
import { insertPieces, insertRecipients } from "../recipients/recipient-queries.ts";

/** `pieces`: people, with commas between. */
export type RecipientList = { readonly people: number; readonly pieces: readonly string[] };
export const NOBODY: RecipientList = { people: 0, pieces: [] };

/** Checked in one statement; the matching ones become recipients in one transaction, in some ten milliseconds. */
const CONTACTS_A_PIECE = 2_000;
/** So many become recipients in the first transaction; the loop adds the rest piece by piece. */
const MOST_AT_ONCE = 5_000;

/** Runs before the transaction: for many contacts it takes long. */
export async function findPeople(reader: Reader, audience: Audience): Promise<RecipientList> {
  const { workspace } = audience;
  const last = await lastContact(reader, workspace);
  const pieces: string[] = [];
  let found = 0;
  for (let after = 0; after < last;) {
    const upTo = (await nthContact(reader, workspace, { after, upTo: last }, CONTACTS_A_PIECE)) ?? last;
    const { people, count } = await reachedIn(reader, audience, { after, upTo });
    if (people !== null) pieces.push(people);
    found += count;
    after = upTo;
  }
  return { people: found, pieces };
}

/**
 * Answers since when all of them are recipients; null = the loop has still to make them. The segments that found them
 * are not needed any more.
 */
export async function keepPeople(tx: Tx, { seq }: Pick<Campaign, "seq">, found: RecipientList): Promise<string | null> {
  await holdSegments(tx, seq, []);
  if (found.people > MOST_AT_ONCE) {
    await insertPieces(tx, seq, found.pieces);
    return null;
  }
  for (const piece of found.pieces) await insertRecipients(tx, seq, piece);
  return tx.now;
}
