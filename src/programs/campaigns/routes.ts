// /campaigns: content, audience and results.
import { t } from "elysia";
import { contactRecord, contactShape } from "../../audience/contacts/record.ts";
import type { CatchUp } from "../../tenant/events/dispatch.ts";
import { cursorShapeOf, pageShapeOf, wrapped } from "../../http/answer-shapes.ts";
import { success } from "../../http/replies.ts";
import { pageShape } from "../../http/schemas.ts";
import { refuseUnknownTopic } from "../../audience/topics/mail.ts";
import { previewRecord, previewShape } from "../../audience/segments/preview-record.ts";
import { pageFrom } from "../../store/page.ts";
import type { Tx } from "../../store/store.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { warnWithoutAddress } from "../../tenant/access/postal-address.ts";
import { get, remove, route, routes } from "../../tenant/access/route-table.ts";
import { acceptAudience, audienceOf, previewAudience } from "./audience.ts";
import { peopleOf } from "./audience-people.ts";
import * as campaigns from "./campaign.ts";
import { answerChange, detailsOf } from "./details.ts";
import { checkedAudience, type CampaignInput } from "./fields.ts";
import { campaignsOnPage, listCampaigns } from "./listing.ts";
import { campaignById, type Campaign } from "./queries.ts";
import { countCampaigns, type CampaignFilter } from "./listing-queries.ts";
import { campaignAnswerShape, campaignRecord, campaignShape, statisticsShape } from "./record.ts";
import {
  previewInputShape,
  audiencePeopleShape,
  changeShape,
  creationShape,
  cursorTerms,
  DEFAULT_LIMIT,
  listingShape,
} from "./shape.ts";
import { statisticsOf } from "./statistics.ts";
import { noted } from "../../content/templates/written.ts";

const found = ["CAMPAIGN_NOT_FOUND"] as const;

const listing = t.Object({ ...pageShape, ...listingShape });
type CampaignListQuery = typeof listing.static;

export function campaignRoutes(access: Access & { readonly catchUp: CatchUp }) {
  const { store, clock, catchUp } = access;
  const recordsOf = async (found: readonly Campaign[], caller: Caller) => {
    const details = await detailsOf(access, caller, found);
    return found.map((campaign) => campaignRecord(campaign, details));
  };
  const byCursor = async (query: CampaignListQuery, filter: CampaignFilter, caller: Caller) => {
    const terms = { ...cursorTerms(query), search: (query.search ?? "").trim() };
    const { campaigns: found, ...rest } = await store.read((reader) => listCampaigns(reader, filter, terms), {
      inTurn: true,
    });
    return { data: await recordsOf(found, caller), ...rest };
  };
  const audienceIn = async ({ workspace }: Caller, input: CampaignInput) => {
    await catchUp(workspace);
    return store.read(async (reader) => {
      const { topic = null, ...asked } = checkedAudience(input);
      await refuseUnknownTopic(reader, workspace, topic);
      const { audience } = await acceptAudience(reader, workspace, asked);
      return audienceOf(reader, workspace, { ...audience, topic }, clock.nowMs());
    });
  };
  return routes(access, [
    route(
      "GET",
      "/campaigns",
      {
        name: "listCampaigns",
        summary: "List campaigns, newest first",
        answers: { 200: t.Union([pageShapeOf(campaignShape), cursorShapeOf(campaignShape, "CampaignList")]) },
        permission: "read",
        query: listing,
        description:
          "With `limit`, `cursor` or `search` the list is read by cursor; else the answer is a page with a total. A page of a search may have fewer campaigns than `limit`, or none, while `hasMore` is true: go on with its `cursor`.",
      },
      ({ query, caller }) => {
        const filter = { workspace: caller.workspace, status: query.status ?? null };
        if (!isPaged(query)) return byCursor(query, filter, caller);
        return pageFrom(query, {
          total: () => store.read((reader) => countCampaigns(reader, filter)),
          items: async (...piece) =>
            recordsOf(await store.read((reader) => campaignsOnPage(reader, filter, ...piece)), caller),
        });
      },
    ),
    route(
      "POST",
      "/campaigns",
      {
        name: "createCampaign",
        summary: "Create a campaign",
        answers: { 201: campaignAnswerShape },
        permission: "campaigns.write",
        body: creationShape,
        refuses: ["SEGMENT_NOT_FOUND", "DOMAIN_NOT_ALLOWED"],
      },
      ({ body, caller, request, set }) => {
        const described = [
          { ...body, segmentId: body.segmentId ?? null, audienceCondition: body.audienceCondition ?? null },
        ];
        const change = (tx: Tx) => campaigns.createCampaign(tx, caller, noted(body));
        warnWithoutAddress(caller, body);
        return answerChange(access, { body, caller, request, set }, described, { change, status: 201 });
      },
    ),
    route(
      "POST",
      "/campaigns/audience-preview",
      {
        name: "previewAudience",
        summary: "Count the contacts that an audience would reach",
        answers: { 200: wrapped(previewShape) },
        permission: "read",
        body: previewInputShape,
        refuses: ["SEGMENT_NOT_FOUND"],
        harmless: true,
      },
      async ({ body, caller }) => {
        await catchUp(caller.workspace);
        const { sample, perFilter, missing } = body;
        const input = { ...checkedAudience(body), sample, perFilter, missing };
        return success(previewRecord(await previewAudience(store, caller.workspace, input), caller));
      },
    ),
    route(
      "POST",
      "/campaigns/audience-people",
      {
        name: "listAudience",
        summary: "List the contacts that an audience would reach, or that it leaves out",
        answers: { 200: cursorShapeOf(contactShape, "AudiencePeople") },
        permission: "read",
        body: audiencePeopleShape,
        refuses: ["SEGMENT_NOT_FOUND", "NO_RECIPIENTS"],
        harmless: true,
        description:
          "One list for each number of the preview, the oldest contacts first. A page may have fewer than `limit`, or none, while `hasMore` is true: go on with its `cursor`.",
      },
      async ({ body, caller }) => {
        const { part, limit, cursor } = body;
        const terms = { part, limit: limit ?? DEFAULT_LIMIT, cursor: cursor ?? null };
        const { contacts, ...rest } = await peopleOf(store, await audienceIn(caller, body), terms);
        return { data: contacts.map((contact) => contactRecord(contact, caller)), ...rest };
      },
    ),
    route(
      "GET",
      "/campaigns/:id",
      {
        name: "getCampaign",
        summary: "Get a campaign",
        answers: { 200: campaignAnswerShape },
        permission: "read",
        refuses: found,
      },
      async ({ params, caller }) => {
        const campaign = await store.read((reader) => campaigns.findCampaign(reader, caller.workspace, params.id));
        return success(campaignRecord(campaign, await detailsOf(access, caller, [campaign])));
      },
    ),
    route(
      "PUT",
      "/campaigns/:id",
      {
        name: "updateCampaign",
        summary: "Update a campaign before its start",
        answers: { 200: campaignAnswerShape },
        permission: "campaigns.write",
        body: changeShape,
        refuses: [
          ...found,
          "CAMPAIGN_STATE",
          "DOMAIN_NOT_VERIFIED",
          "DOMAIN_NOT_ALLOWED",
          "SEGMENT_NOT_FOUND",
          "CONFLICT",
        ],
        description:
          "A SCHEDULED campaign will be sent as it is then, so a person also needs `campaigns.send` to change it.",
      },
      async ({ params, body, caller }) => {
        warnWithoutAddress(caller, body);
        const campaign = await store.write(async (tx) => {
          const after = await campaigns.changeCampaign(tx, caller, params.id, noted(body));
          await caller.note?.(tx, after);
          return after;
        });
        return success(campaignRecord(campaign, await detailsOf(access, caller, [campaign])));
      },
    ),
    route(
      "POST",
      "/campaigns/:id/duplicate",
      {
        name: "duplicateCampaign",
        summary: "Copy a campaign into a new draft",
        answers: { 201: campaignAnswerShape },
        permission: "campaigns.write",
        refuses: [...found, "DOMAIN_NOT_ALLOWED"],
        description:
          "A deleted segment, or a condition that names one, is left out: the copy's segmentId or audienceCondition is null, and must be chosen before it is sent.",
      },
      async ({ params: { id }, body, caller, request, set }) => {
        const original = await store.read((reader) => campaignById(reader, caller.workspace, id));
        const change = (tx: Tx) => campaigns.duplicateCampaign(tx, caller, id);
        const described = original ? [{ ...original, status: "DRAFT" as const }] : [];
        return answerChange(access, { body, caller, request, set }, described, { change, status: 201 });
      },
    ),
    ...plainRoutes,
  ]);
}

/** The form that the list had before its cursor. */
function isPaged({ search, limit, cursor }: CampaignListQuery): boolean {
  return search === undefined && limit === undefined && cursor === undefined;
}

/** Routes that need only the store. */
const plainRoutes = [
  remove(
    "/campaigns/:id",
    {
      name: "deleteCampaign",
      summary: "Delete a campaign that is a draft or cancelled",
      answers: { 204: null },
      permission: "campaigns.write",
      refuses: [...found, "CAMPAIGN_STATE", "DOMAIN_NOT_ALLOWED"],
    },
    (tx, { params, caller }) => campaigns.removeCampaign(tx, caller, params.id),
  ),
  get(
    "/campaigns/:id/stats",
    {
      name: "getCampaignStatistics",
      summary: "Get the figures of a campaign",
      answers: { 200: wrapped(statisticsShape) },
      permission: "read",
      refuses: found,
      description: "Rates are per cent of what was sent. Each recipient is in exactly one state.",
    },
    async (reader, { params, caller }) =>
      success(await statisticsOf(reader, await campaigns.findCampaign(reader, caller.workspace, params.id))),
    "long",
  ),
];
