// The list of campaigns, newest first, by page or by cursor: all of them, or those whose name, subject or description
// contains a text.
import { cursorOf, keyInCursor, refuseLargePage } from "../../store/page.ts";
import { folded } from "../../store/folded.ts";
import type { Reader } from "../../store/store.ts";
import { campaignsNumbered, type Campaign } from "./queries.ts";
import {
  campaignsPage,
  titlesAfter,
  titlesBefore,
  type CampaignFilter,
  type CampaignTitle,
} from "./listing-queries.ts";

const LIST = "campaigns";
/** The limit of campaigns that a request reads. */
const MOST_TITLES = 2_000;

type CampaignSearchQuery = { readonly search: string; readonly limit: number; readonly cursor: string | null };
type CampaignPage = {
  readonly campaigns: readonly Campaign[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
};

/**
 * One page of campaigns, newest first. @throws AppError INVALID_PARAMETERS on `pageSize` if they are more than one
 * answer can hold
 */
export async function campaignsOnPage(
  reader: Reader,
  filter: CampaignFilter,
  limit: number,
  offset: number,
): Promise<Campaign[]> {
  const page = await campaignsPage(reader, filter, limit, offset);
  if (page.length === 0) return [];
  refuseLargePage(page);
  return campaignsNumbered(
    reader,
    page.map(({ seq }) => seq),
  );
}

/**
 * A page of a search may have fewer than `limit`, or none, while there are more. @throws AppError INVALID_PARAMETERS
 * for a cursor of another list
 */
export async function listCampaigns(
  reader: Reader,
  filter: CampaignFilter,
  terms: CampaignSearchQuery,
): Promise<CampaignPage> {
  const { search, limit, cursor } = terms;
  const before = cursor === null ? Number.MAX_SAFE_INTEGER : keyInCursor(LIST, "number", cursor);
  const looked = search === "" ? limit + 1 : MOST_TITLES;
  const titles = await titlesBefore(reader, filter, before, looked);
  const found = titles.filter((one) => search === "" || wordsOf(one).includes(folded(search)));
  const shown = found.slice(0, limit);
  refuseLargePage(shown);
  const end = found.length > limit ? shown.at(-1) : titles.length === looked ? titles.at(-1) : undefined;
  const campaigns =
    shown.length === 0
      ? []
      : await campaignsNumbered(
          reader,
          shown.map(({ seq }) => seq),
        );
  return { campaigns, cursor: end ? cursorOf(LIST, end.seq) : null, hasMore: end !== undefined };
}

/** The next campaigns after one, or before it, of all of a workspace; newest first. @throws as campaignsOnPage */
export async function campaignsBeside(
  reader: Reader,
  workspace: number,
  place: { readonly than: number | null; readonly isNewer: boolean },
  limit: number,
): Promise<readonly Campaign[]> {
  const filter = { workspace, status: null };
  const { than, isNewer } = place;
  const titles = isNewer
    ? await titlesAfter(reader, filter, than ?? 0, limit)
    : await titlesBefore(reader, filter, than ?? Number.MAX_SAFE_INTEGER, limit);
  if (titles.length === 0) return [];
  refuseLargePage(titles);
  return campaignsNumbered(
    reader,
    titles.map(({ seq }) => seq),
  );
}

function wordsOf({ name, subject, description }: CampaignTitle): string {
  return folded([name, subject, description ?? ""].join("\n"));
}
