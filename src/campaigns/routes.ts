// /campaigns: what is written and to whom, and what became of it.
import { t } from "elysia";
import type { CatchUp } from "../events/dispatch.ts";
import { pageShapeOf, wrapped } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { success } from "../http/replies.ts";
import { pageShape } from "../http/schemas.ts";
import { pageFrom } from "../store/page.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { Access } from "../workspaces/auth.ts";
import { get, page, remove, route, routes } from "../workspaces/route-table.ts";
import { acceptAudience, audienceOf, previewAudience } from "./audience.ts";
import * as campaigns from "./campaign.ts";
import { answerChange, detailsOf } from "./details.ts";
import { checkedAudience, type CampaignInput } from "./fields.ts";
import { campaignById, countCampaigns } from "./queries.ts";
import { countRecipients, recipientsPage } from "./recipient-queries.ts";
import { recipientRecord, recipientShape } from "./recipient-record.ts";
import { campaignRecord, campaignShape, previewShape, statisticsShape } from "./record.ts";
import { audienceInputShape, changeShape, creationShape, listingShape } from "./shape.ts";
import { statisticsOf } from "./statistics.ts";

const one = wrapped(campaignShape);
const found = ["CAMPAIGN_NOT_FOUND"] as const;

const listed = answers(
  "listCampaigns",
  "List campaigns, newest first",
  { 200: pageShapeOf(campaignShape) },
  { permission: "read", query: t.Object({ ...pageShape, ...listingShape }) },
);
const created = answers(
  "createCampaign",
  "Create a campaign",
  { 201: one },
  { permission: "campaigns.write", body: creationShape, refuses: ["SEGMENT_NOT_FOUND", "DOMAIN_NOT_ALLOWED"] },
);
const previewed = answers(
  "previewAudience",
  "Count the contacts that an audience would reach",
  { 200: wrapped(previewShape) },
  { permission: "read", body: audienceInputShape, refuses: ["SEGMENT_NOT_FOUND"], harmless: true },
);
const shown = answers("getCampaign", "Get a campaign", { 200: one }, { permission: "read", refuses: found });
const changed = answers(
  "updateCampaign",
  "Update a campaign before its start",
  { 200: one },
  {
    permission: "campaigns.write",
    body: changeShape,
    refuses: [...found, "CAMPAIGN_STATE", "DOMAIN_NOT_VERIFIED", "DOMAIN_NOT_ALLOWED", "SEGMENT_NOT_FOUND"],
    description:
      "A SCHEDULED campaign will be sent as it is then, so a person also needs `campaigns.send` to change it.",
  },
);
const removed = answers(
  "deleteCampaign",
  "Delete a campaign that is a draft or cancelled",
  { 204: null },
  { permission: "campaigns.write", refuses: [...found, "CAMPAIGN_STATE", "DOMAIN_NOT_ALLOWED"] },
);
const copied = answers(
  "duplicateCampaign",
  "Copy a campaign into a new draft",
  { 201: one },
  {
    permission: "campaigns.write",
    refuses: [...found, "DOMAIN_NOT_ALLOWED"],
    description:
      "A deleted segment, or a condition that names one, is left out: the copy's segmentId or audienceCondition is null, and must be chosen before it is sent.",
  },
);
const counted = answers(
  "getCampaignStatistics",
  "Get the figures of a campaign",
  { 200: wrapped(statisticsShape) },
  {
    permission: "read",
    refuses: found,
    description: "Rates are per cent of what was sent. Each recipient is in exactly one state.",
  },
);
const recipientsListed = answers(
  "listCampaignRecipients",
  "List the recipients of a campaign",
  { 200: pageShapeOf(recipientShape) },
  {
    permission: "read",
    query: t.Object(pageShape),
    refuses: found,
    description: "`email` is where the mail goes or went, even if the contact's address has changed.",
  },
);

export function campaignRoutes(access: Access & { readonly catchUp: CatchUp }) {
  const { store, clock, catchUp } = access;
  return routes(access, [
    route("GET", "/campaigns", listed, ({ query, caller }) => {
      const filter = { workspace: caller.workspace, status: query.status ?? null };
      return pageFrom(query, {
        total: () => store.read((reader) => countCampaigns(reader, filter)),
        items: async (...piece) => {
          const onPage = await store.read((reader) => campaigns.campaignsOnPage(reader, filter, ...piece));
          const details = await detailsOf(access, caller, onPage);
          return onPage.map((campaign) => campaignRecord(campaign, details));
        },
      });
    }),
    route("POST", "/campaigns", created, ({ body, caller, request, set }) => {
      const described = [{ ...body, segmentId: body.segmentId ?? null }];
      const change = (tx: Tx) => campaigns.createCampaign(tx, caller, body);
      return answerChange(access, { body, caller, request, set }, described, { change, status: 201 });
    }),
    route("POST", "/campaigns/audience-preview", previewed, async ({ body, caller: { workspace } }) => {
      await catchUp(workspace);
      return success(await store.read(previewOf(workspace, body, clock.nowMs()), { longFor: workspace }));
    }),
    route("GET", "/campaigns/:id", shown, async ({ params, caller }) => {
      const campaign = await store.read((reader) => campaigns.findCampaign(reader, caller.workspace, params.id));
      return success(campaignRecord(campaign, await detailsOf(access, caller, [campaign])));
    }),
    route("PUT", "/campaigns/:id", changed, async ({ params, body, caller }) => {
      const campaign = await store.write(async (tx) => {
        const after = await campaigns.changeCampaign(tx, caller, params.id, body);
        await caller.note?.(tx, after);
        return after;
      });
      return success(campaignRecord(campaign, await detailsOf(access, caller, [campaign])));
    }),
    route("POST", "/campaigns/:id/duplicate", copied, async ({ params: { id }, body, caller, request, set }) => {
      const original = await store.read((reader) => campaignById(reader, caller.workspace, id));
      const change = (tx: Tx) => campaigns.duplicateCampaign(tx, caller, id);
      return answerChange(access, { body, caller, request, set }, original ? [original] : [], { change, status: 201 });
    }),
    ...plainRoutes,
  ]);
}

function previewOf(workspace: number, input: CampaignInput, nowMs: number) {
  return async (reader: Reader) => {
    const { audience } = await acceptAudience(reader, workspace, checkedAudience(input));
    return previewAudience(reader, await audienceOf(reader, workspace, audience, nowMs));
  };
}

/** They need nothing but the store. */
const plainRoutes = [
  remove("/campaigns/:id", removed, (tx, { params, caller }) => campaigns.removeCampaign(tx, caller, params.id)),
  get(
    "/campaigns/:id/stats",
    counted,
    async (reader, { params, caller }) =>
      success(await statisticsOf(reader, await campaigns.findCampaign(reader, caller.workspace, params.id))),
    "long",
  ),
  page(
    "/campaigns/:id/recipients",
    recipientsListed,
    async (reader, { params, caller }) => {
      const campaign = await campaigns.findCampaign(reader, caller.workspace, params.id);
      return {
        total: async () => (await countRecipients(reader, [campaign.seq]))[0]?.people ?? 0,
        items: async (...piece) =>
          (await recipientsPage(reader, campaign.seq, ...piece)).map((one) => recipientRecord(one, campaign)),
      };
    },
    "long",
  ),
];
