// The recipients of a campaign by their state, by cursor, in the order of the contacts.
import { soughtInAddresses } from "../../../base/addresses.ts";
import { formerStarting } from "../../../audience/contacts/past/former-queries.ts";
import { contactsStarting } from "../../../mail/emails/list/queries.ts";
import { cursorOf, keyInCursor } from "../../../store/page.ts";
import type { Sql } from "../../../store/sql.ts";
import type { Reader, Store } from "../../../store/store.ts";
import type { Campaign } from "../queries.ts";
import { recipientsNumbered } from "../recipients/recipient-queries.ts";
import type { CampaignRecipient } from "../recipients/recipient-record.ts";
import { gather } from "../recipients/stretches.ts";
import {
  checksOf,
  contactsInStates,
  endOfStretch,
  hasPruned,
  isTo,
  passing,
  passingAmong,
  type RecipientFilter,
} from "./queries.ts";

const LIST = "recipients";
/** So few are looked up one by one; more are found by a scan of all recipients. */
const MOST_FEW = 2_000;
const MOST_NAMED = 100;
/** Settled for good by a mail, and rare: found by the index of mails. */
const RARE = ["FAILED", "BOUNCED", "COMPLAINED"] as const;

export type RecipientQuery = { readonly limit: number; readonly cursor: string | null; readonly search: string };
export type RecipientPage = {
  readonly recipients: readonly CampaignRecipient[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
};

/**
 * A page may have fewer than `limit` while there are more. @throws AppError INVALID_PARAMETERS for a cursor of another
 * list
 */
export async function listRecipients(
  store: Store,
  campaign: Campaign,
  filter: RecipientFilter,
  { limit, cursor, search }: RecipientQuery,
): Promise<RecipientPage> {
  const after = cursor === null ? 0 : keyInCursor(LIST, "number", cursor);
  const address = soughtInAddresses(search);
  const { seq, workspace } = campaign;
  const sought = await store.read((reader) => soughtOf(reader, campaign, filter, address), { longFor: workspace });
  const { found, next } = await gather(store, { workspace, after, limit }, async (reader, stretch) => {
    const terms = { checks: sought.checks, after: stretch.after, most: stretch.wanted };
    if (sought.few !== null) return { found: await amongFew(reader, seq, terms, sought.few), end: null };
    const end = await endOfStretch(reader, seq, stretch.after, stretch.rows);
    return { found: await passing(reader, seq, terms, end), end };
  });
  const recipients = await store.read((reader) => recipientsNumbered(reader, seq, found), { inTurn: true });
  return { recipients, cursor: next === null ? null : cursorOf(LIST, next), hasMore: next !== null };
}

/** `few`: the only contacts to consider; null = they must be searched for. */
type RecipientSearch = { readonly checks: readonly Sql[]; readonly few: readonly number[] | null };

async function soughtOf(
  reader: Reader,
  campaign: Campaign,
  filter: RecipientFilter,
  address: string,
): Promise<RecipientSearch> {
  const checks = checksOf(reader.dialect, filter, campaign);
  if (address === "") return { checks, few: await inRareStates(reader, campaign, filter) };
  const { workspace } = campaign;
  const named = [
    ...(await contactsStarting(reader, workspace, address, MOST_NAMED + 1)),
    ...(await formerStarting(reader, workspace, address, MOST_NAMED + 1)).map(({ contact }) => contact),
  ];
  const few = named.length > MOST_NAMED ? null : [...new Set(named)];
  return { checks: [...checks, isTo(reader, address)], few };
}

/** Null if they are many, or if the index of mails lacks some: erased people, and pruned mails. */
async function inRareStates(reader: Reader, { seq }: Campaign, { states }: RecipientFilter): Promise<number[] | null> {
  const isRare = states?.every((state) => (RARE as readonly string[]).includes(state)) ?? false;
  if (states === null || !isRare || (await hasPruned(reader, seq))) return null;
  const contacts = await contactsInStates(reader, seq, states, MOST_FEW + 1);
  const known = contacts.filter((contact) => contact !== null);
  return contacts.length > MOST_FEW || known.length < contacts.length ? null : known;
}

type RecipientWindow = { readonly checks: readonly Sql[]; readonly after: number; readonly most: number };

function amongFew(reader: Reader, campaign: number, piece: RecipientWindow, few: readonly number[]): Promise<number[]> {
  return few.length === 0 ? Promise.resolve([]) : passingAmong(reader, campaign, piece, few);
}
