// GET /contacts/leaving-answers: people's reasons for leaving.
import { t } from "elysia";
import type { Access } from "../../tenant/access/auth.ts";
import { get, routes } from "../../tenant/access/route-table.ts";
import { cursorShapeOf } from "../../http/answer-shapes.ts";
import { idInputShape, parameter, wholeNumber } from "../../http/schemas.ts";
import { cursorOf, keyInCursor } from "../../store/page.ts";
import { answersPage } from "../../audience/contacts/past/leaving-queries.ts";
import { answerRecord, answerShape, leavingReasonShape } from "./leaving-record.ts";

const DEFAULT_LIMIT = 20;
const LIST = "leaving answers";

const listing = t.Object({
  campaignId: parameter(idInputShape, "Only answers to emails of this campaign."),
  reason: parameter(leavingReasonShape, "Only those who gave this reason."),
  limit: parameter(wholeNumber(1, 100, DEFAULT_LIMIT), "How many answers a page has at most."),
  cursor: parameter(t.String({ maxLength: 1000 }), "The `cursor` of the page before."),
});

export function leavingRoutes(access: Access) {
  return routes(access, [
    get(
      "/contacts/leaving-answers",
      {
        name: "listLeavingAnswers",
        summary: "List why people left, newest first",
        answers: { 200: cursorShapeOf(answerShape, "LeavingAnswerPage") },
        permission: "read",
        query: listing,
        description:
          "Who has just unsubscribed or left a topic on a page of yours may say why, once for each email. The answer of somebody who was erased keeps its reason, for the counts of its campaign, and nothing else.",
      },
      async (reader, { query, caller: { workspace } }) => {
        const { campaignId: campaign = null, reason = null, limit = DEFAULT_LIMIT, cursor } = query;
        const before = cursor === undefined ? null : keyInCursor(LIST, "number", cursor);
        const rows = await answersPage(reader, { workspace, campaign, reason }, { before, limit: limit + 1 });
        const data = rows.slice(0, limit);
        const last = rows.length > limit ? data.at(-1) : undefined;
        return {
          data: data.map(answerRecord),
          cursor: last ? cursorOf(LIST, last.seq) : null,
          hasMore: last !== undefined,
        };
      },
    ),
  ]);
}
