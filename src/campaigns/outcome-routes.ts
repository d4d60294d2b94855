// /campaigns/{id}/…: what became of a campaign, in numbers and one by one (interface-gaps.md §5 "stats").
import { Elysia, t } from "elysia";
import { pageShapeOf, wrapped } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { success } from "../http/replies.ts";
import { idParams, pageShape } from "../http/schemas.ts";
import { asQuery } from "../http/shape.ts";
import { pageFrom } from "../store/page.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { findCampaign } from "./campaign.ts";
import { statisticsShape } from "./record.ts";
import { recipientRecord, recipientShape } from "./recipient-record.ts";
import { countRecipients, recipientsPage } from "./recipient-queries.ts";
import { statisticsOf } from "./statistics.ts";

const paging = t.Object(pageShape);
const statistics = wrapped(statisticsShape);
const named = { refuses: ["CAMPAIGN_NOT_FOUND"] } as const;

export function campaignOutcomeRoutes(access: Access) {
  const { store } = access;
  return new Elysia({ prefix: "/campaigns" })
    .use(secretKey(access))
    .get(
      "/:id/stats",
      ({ params, caller }) =>
        store.read(
          async (reader) =>
            success(await statisticsOf(reader, await findCampaign(reader, caller.workspace, params.id))),
          { longFor: caller.workspace },
        ),
      {
        params: idParams,
        detail: answers(
          "What became of a campaign",
          { 200: statistics },
          { ...named, description: "Rates are per cent of what was sent. Each recipient is in exactly one state." },
        ),
      },
    )
    .get(
      "/:id/recipients",
      ({ params, query, caller }) =>
        store.read(
          async (reader) => {
            const campaign = await findCampaign(reader, caller.workspace, params.id);
            return pageFrom(query, {
              total: async () => (await countRecipients(reader, [campaign.seq]))[0]?.people ?? 0,
              items: async (...piece) =>
                (await recipientsPage(reader, campaign.seq, ...piece)).map((row) => recipientRecord(row, campaign)),
            });
          },
          { longFor: caller.workspace },
        ),
      {
        params: idParams,
        query: asQuery(paging),
        detail: answers(
          "Everybody who gets a campaign, and in which state that is",
          { 200: pageShapeOf(recipientShape) },
          {
            ...named,
            description: "`email` is where the mail goes or went, also if the contact's address is another by now.",
          },
        ),
      },
    );
}
