// /campaigns/{id}/…: the account of a campaign. Its recipients, their states, the links they followed, and when.
import { t } from "elysia";
import { countShape, cursorShapeOf, oneOf, pageShapeOf, timeShape, wrapped } from "../../../http/answer-shapes.ts";
import { content } from "../../../http/answers.ts";
import { streamed, success } from "../../../http/replies.ts";
import { pageShape, parameter, wholeNumber } from "../../../http/schemas.ts";
import { pageFrom } from "../../../store/page.ts";
import type { Reader } from "../../../store/store.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { get, route, routes } from "../../../tenant/access/route-table.ts";
import { findCampaign } from "../campaign.ts";
import { refuseWithoutRecipients } from "../gone-queries.ts";
import type { Campaign } from "../queries.ts";
import { countRecipients, recipientsPage } from "../recipients/recipient-queries.ts";
import { MOST_STATES, recipientRecord, recipientShape, recipientStateShape } from "../recipients/recipient-record.ts";
import { cursorTerms } from "../shape.ts";
import { exportedRecipients } from "./export.ts";
import { hasMoreClicked, linksOf } from "./link-queries.ts";
import { ACTIONS, type RecipientFilter } from "./queries.ts";
import { listRecipients } from "./recipients.ts";
import { seriesOf } from "./series.ts";

const found = ["CAMPAIGN_NOT_FOUND"] as const;
const listed = [...found, "RECIPIENTS_GONE"] as const;

const filters = {
  state: parameter(
    t.Array(recipientStateShape, { minItems: 1, maxItems: MOST_STATES }),
    "Only recipients in one of these states: repeated, or with commas.",
  ),
  action: parameter(
    oneOf(...ACTIONS),
    "Only those who have opened the email, clicked in it, unsubscribed by it, or left its topic by it.",
  ),
  refused: parameter(
    t.Boolean(),
    "`true`: only those to whom the email was refused at once, because of the recipient. `false`: without them.",
  ),
  link: parameter(
    t.String({ minLength: 1, maxLength: 2_000 }),
    "Only those who have followed this link, as long as the log of events has it.",
  ),
  search: parameter(t.String({ minLength: 1, maxLength: 255 }), "The beginning of the address."),
};
const listing = t.Object({
  ...pageShape,
  limit: parameter(
    wholeNumber(1, 100),
    "Reads the list by cursor, with so many recipients on a page at most; 20 unless given.",
  ),
  cursor: parameter(t.String({ maxLength: 100 }), "The `cursor` of the page before."),
  ...filters,
});
type Filters = Partial<Pick<typeof listing.static, keyof typeof filters>>;
const happened = { sent: countShape, delivered: countShape, opened: countShape, clicked: countShape };
const stepShape = oneOf("hour", "day");

/** The first line may come late: few of many recipients may match. */
const IDLE_TIMEOUT_SECONDS = 255;
const CSV = { "content-type": "text/csv; charset=utf-8" };
const MOST = { mails: 10_000, clicks: 50_000, links: 100 };

export function campaignAccountRoutes(access: Access) {
  const { store } = access;
  const list = route(
    "GET",
    "/campaigns/:id/recipients",
    {
      name: "listCampaignRecipients",
      summary: "List the recipients of a campaign",
      answers: { 200: t.Union([pageShapeOf(recipientShape), cursorShapeOf(recipientShape, "CampaignRecipientList")]) },
      permission: "read",
      query: listing,
      refuses: listed,
      description:
        "`email` is where the email goes or went, even if the contact's address has changed. With `limit`, `cursor` or a filter the list is read by cursor; else the answer is a page with a total. A page by cursor may have fewer recipients than `limit`, or none, while `hasMore` is true: go on with its `cursor`.",
    },
    async ({ params, query, caller }) => {
      const campaign = await store.read((reader) => campaignWithRecipients(reader, caller.workspace, params.id));
      const recordInCampaign = (one: Parameters<typeof recipientRecord>[0]) => recipientRecord(one, campaign);
      if (isPaged(query)) return pageFrom(query, pagesOf(access, campaign, recordInCampaign));
      const terms = { ...cursorTerms(query), search: query.search ?? "" };
      const { recipients, ...rest } = await listRecipients(store, campaign, filterOf(query), terms);
      return { data: recipients.map(recordInCampaign), ...rest };
    },
  );
  const download = route(
    "GET",
    "/campaigns/:id/recipients/export",
    {
      name: "exportCampaignRecipients",
      summary: "Export the recipients of a campaign as CSV",
      answers: { 200: content("text/csv") },
      permission: "people.bulk",
      proof: true,
      query: t.Object(filters),
      refuses: listed,
      description: "With the filters of the list. Somebody who was erased has a line without an address.",
    },
    async ({ params, query, caller, request, server }) => {
      const campaign = await store.read((reader) => campaignWithRecipients(reader, caller.workspace, params.id));
      if (caller.note) await store.write(async (tx) => caller.note?.(tx, null));
      const lines = exportedRecipients(store, campaign, filterOf(query), query.search ?? "");
      server?.timeout(request, IDLE_TIMEOUT_SECONDS);
      const headers = { ...CSV, "content-disposition": 'attachment; filename="recipients.csv"' };
      return new Response(streamed(lines), { headers });
    },
  );
  return routes(access, [list, download, ...longRoutes]);
}

const longRoutes = [
  get(
    "/campaigns/:id/links",
    {
      name: "listCampaignLinks",
      summary: "List the links of a campaign that people followed",
      answers: {
        200: wrapped(
          t.Object(
            {
              links: t.Array(t.Object({ url: t.String(), clicks: countShape, people: countShape })),
              isLowerBound: t.Boolean({
                description: "There are more than the 10,000 people and 50,000 clicks that were counted.",
              }),
            },
            { title: "CampaignLinks" },
          ),
        ),
      },
      permission: "read",
      refuses: found,
      description:
        "The 100 that most people followed, as the campaign has them: with placeholders, not with the values of each person. Counted from the log of events, as long as it is kept.",
    },
    async (reader, { params, caller }) => {
      const campaign = await findCampaign(reader, caller.workspace, params.id);
      const { links, looked } = await linksOf(reader, campaign, MOST);
      const isLowerBound = looked === MOST.clicks || (await hasMoreClicked(reader, campaign.seq, MOST.mails));
      return success({ links: [...links], isLowerBound });
    },
    "long",
  ),
  get(
    "/campaigns/:id/series",
    {
      name: "getCampaignSeries",
      summary: "Count what a campaign came to, hour by hour or day by day",
      answers: {
        200: wrapped(
          t.Object(
            {
              step: stepShape,
              timeZone: t.String(),
              isEstimate: t.Boolean({ description: "Estimated from a part of more than 10,000 recipients." }),
              points: t.Array(
                t.Object({
                  ...{
                    at: timeShape,
                    ...happened,
                    bounced: countShape,
                    unsubscribed: countShape,
                    leftTopic: countShape,
                  },
                }),
              ),
            },
            { title: "CampaignSeries" },
          ),
        ),
      },
      permission: "read",
      query: t.Object({
        step: parameter(
          stepShape,
          "What a point covers. Unless given, an hour for the first three days, and a day if it lasted longer.",
        ),
        timeZone: parameter(
          t.String({ minLength: 1, maxLength: 100 }),
          "Of days, such as Europe/Berlin; UTC unless given.",
        ),
      }),
      refuses: found,
      description:
        "Of each email the first of each kind counts, at its time; from the start to the last that happened, at most 31 days. A campaign that has not started has no points, nor has one whose recipients were deleted after their retention period.",
    },
    async (reader, { params, query, caller }) => {
      const campaign = await findCampaign(reader, caller.workspace, params.id);
      return success(await seriesOf(reader, campaign, { step: query.step ?? null, timeZone: query.timeZone ?? "UTC" }));
    },
    "long",
  ),
];

/** @throws AppError CAMPAIGN_NOT_FOUND, RECIPIENTS_GONE */
async function campaignWithRecipients(reader: Reader, workspace: number, id: string): Promise<Campaign> {
  const campaign = await findCampaign(reader, workspace, id);
  await refuseWithoutRecipients(reader, workspace, id);
  return campaign;
}

/** The form that the list had before its filters. */
function isPaged({ page: _, pageSize: __, ...others }: typeof listing.static): boolean {
  return Object.values(others).every((value) => value === undefined);
}

function pagesOf<Item>(
  { store }: Access,
  { seq, workspace }: Campaign,
  record: (one: Awaited<ReturnType<typeof recipientsPage>>[number]) => Item,
) {
  return {
    total: async () =>
      (await store.read((reader) => countRecipients(reader, [seq]), { longFor: workspace }))[0]?.people ?? 0,
    items: async (limit: number, offset: number) =>
      (await store.read((reader) => recipientsPage(reader, seq, limit, offset), { longFor: workspace })).map(record),
  };
}

function filterOf({ state, action, refused, link }: Filters): RecipientFilter {
  return { states: state ?? null, action: action ?? null, refused: refused ?? null, link: link ?? null };
}
