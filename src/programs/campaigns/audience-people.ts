// The people of an audience that is not frozen, by cursor: the ones reached, or the ones left out for a reason.
import type { Contact } from "../../audience/contacts/queries.ts";
import { lastContact, nthContact } from "../../audience/contacts/search/selection-queries.ts";
import { cursorOf, keyInCursor } from "../../store/page.ts";
import type { Store } from "../../store/store.ts";
import { contactsNumbered, peopleIn, type Audience, type AudiencePart } from "./audience-queries.ts";
import { gather } from "./recipients/stretches.ts";

type AudiencePageQuery = { readonly part: AudiencePart; readonly limit: number; readonly cursor: string | null };
type AudiencePage = {
  readonly contacts: readonly Contact[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
};

/** The earliest contacts first. @throws AppError INVALID_PARAMETERS for a cursor of another list */
export async function peopleOf(
  store: Store,
  audience: Audience,
  { part, limit, cursor }: AudiencePageQuery,
): Promise<AudiencePage> {
  const { workspace } = audience;
  const list = `audience.${part}`;
  const after = cursor === null ? 0 : keyInCursor(list, "number", cursor);
  const last = await store.read((reader) => lastContact(reader, workspace));
  const { found, next } = await gather(store, { workspace, after, limit }, async (reader, stretch) => {
    const range = { after: stretch.after, upTo: last };
    const end = await nthContact(reader, workspace, range, stretch.rows);
    const piece = { after: stretch.after, upTo: end ?? last };
    return { found: await peopleIn(reader, { ...audience, part }, piece, stretch.wanted), end };
  });
  const contacts = await store.read((reader) => contactsNumbered(reader, found), { inTurn: true });
  return { contacts, cursor: next === null ? null : cursorOf(list, next), hasMore: next !== null };
}
