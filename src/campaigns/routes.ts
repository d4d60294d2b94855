// /campaigns: what is written and to whom (interface.md "GET /campaigns" and the following, interface-gaps.md §5).
import { Elysia, t } from "elysia";
import { pageShapeOf, wrapped } from "../http/answer-shapes.ts";
import type { CatchUp } from "../events/dispatch.ts";
import { answers } from "../http/answers.ts";
import { answerOnce } from "../http/idempotency.ts";
import { success } from "../http/replies.ts";
import { idParams, pageShape } from "../http/schemas.ts";
import { asBody, asQuery } from "../http/shape.ts";
import { pageFrom } from "../store/page.ts";
import type { Tx } from "../store/store.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { audienceOf, previewAudience, readAudience } from "./audience.ts";
import { campaignsOnPage, changeCampaign, createCampaign, duplicateCampaign, findCampaign } from "./campaign.ts";
import { detailsOf } from "./details.ts";
import { campaignById, countCampaigns } from "./queries.ts";
import { campaignRecord, campaignShape, previewShape } from "./record.ts";
import { removeCampaign } from "./sending.ts";
import { changeShape, creationShape, listingShape, previewWishShape } from "./shape.ts";

const listing = t.Object({ ...pageShape, ...listingShape });
const one = wrapped(campaignShape);
const preview = wrapped(previewShape);
const named = { refuses: ["CAMPAIGN_NOT_FOUND"] } as const;
const audiences = { refuses: ["SEGMENT_NOT_FOUND"] } as const;
const written = { refuses: ["SEGMENT_NOT_FOUND", "DOMAIN_NOT_ALLOWED"] } as const;
const copied = {
  refuses: ["CAMPAIGN_NOT_FOUND", "DOMAIN_NOT_ALLOWED"],
  description:
    "A segment that is gone, or a condition that names one, is left out: the copy's segmentId or audienceCondition is null then, and is to be chosen before it is sent.",
} as const;
const changed = {
  refuses: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_STATE", "DOMAIN_NOT_VERIFIED", "DOMAIN_NOT_ALLOWED", "SEGMENT_NOT_FOUND"],
} as const;

export function campaignRoutes(access: Access & { readonly catchUp: CatchUp }) {
  const { store, clock, catchUp } = access;
  return new Elysia({ prefix: "/campaigns" })
    .use(secretKey(access))
    .get(
      "",
      async ({ query, caller }) => {
        const filter = { workspace: caller.workspace, status: query.status ?? null };
        return pageFrom(query, {
          total: () => store.read((reader) => countCampaigns(reader, filter)),
          items: async (...piece) => {
            const rows = await store.read((reader) => campaignsOnPage(reader, filter, ...piece));
            const details = await detailsOf(access, caller, rows);
            return rows.map((row) => campaignRecord(row, details));
          },
        });
      },
      {
        query: asQuery(listing),
        detail: answers("List campaigns, newest first", { 200: pageShapeOf(campaignShape) }),
      },
    )
    .post(
      "",
      async ({ body, caller, request, set }) => {
        const details = await detailsOf(access, caller, [
          { audience_type: body.audienceType, segment_id: body.segmentId ?? null },
        ]);
        const work = async (tx: Tx) => success(campaignRecord(await createCampaign(tx, caller, body), details));
        return answerOnce(store, { body, caller, request, set }, work, 201);
      },
      { body: asBody(creationShape), detail: answers("Write a campaign", { 201: one }, written) },
    )
    .post(
      "/audience-preview",
      async ({ body, caller }) => {
        await catchUp(caller.workspace);
        return success(
          await store.read(
            async (reader) => {
              const audience = await readAudience(reader, caller.workspace, body);
              return previewAudience(reader, await audienceOf(reader, caller.workspace, audience, clock.nowMs()));
            },
            { longFor: caller.workspace },
          ),
        );
      },
      {
        body: asBody(previewWishShape),
        detail: answers("Whom an audience would reach", { 200: preview }, { ...audiences, harmless: true }),
      },
    )
    .get(
      "/:id",
      async ({ params, caller }) => {
        const row = await store.read((reader) => findCampaign(reader, caller.workspace, params.id));
        return success(campaignRecord(row, await detailsOf(access, caller, [row])));
      },
      { params: idParams, detail: answers("Look at a campaign", { 200: one }, named) },
    )
    .put(
      "/:id",
      async ({ params, body, caller }) => {
        const row = await store.write((tx) => changeCampaign(tx, caller, params.id, body));
        return success(campaignRecord(row, await detailsOf(access, caller, [row])));
      },
      {
        params: idParams,
        body: asBody(changeShape),
        detail: answers("Change fields of a campaign that has not started", { 200: one }, changed),
      },
    )
    .delete(
      "/:id",
      async ({ params, caller, set }) => {
        await store.write((tx) => removeCampaign(tx, caller, params.id));
        set.status = 204;
      },
      {
        params: idParams,
        detail: answers(
          "Delete a campaign that is a draft or cancelled",
          { 204: null },
          { refuses: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_STATE", "DOMAIN_NOT_ALLOWED"] },
        ),
      },
    )
    .post(
      "/:id/duplicate",
      async ({ params: { id }, body, caller, request, set }) => {
        const original = await store.read((reader) => campaignById(reader, caller.workspace, id));
        const details = await detailsOf(access, caller, original ? [original] : []);
        const work = async (tx: Tx) => success(campaignRecord(await duplicateCampaign(tx, caller, id), details));
        return answerOnce(store, { body, caller, request, set }, work, 201);
      },
      { params: idParams, detail: answers("Copy a campaign into a new draft", { 201: one }, copied) },
    );
}
