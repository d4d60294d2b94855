// GET /statistics/mails and /statistics/tags
import { t } from "elysia";
import { DAY_MS } from "../../base/clock.ts";
import { parameter, timeInputShape } from "../../http/schemas.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { get, routes } from "../../tenant/access/route-table.ts";
import { byShape, statisticsShape, stepShape, tagsShape } from "./record.ts";
import { DEFAULT_DAYS, mailStatistics, type StatisticsQuery } from "./statistics.ts";
import { momentIn } from "../../http/body/moment-in.ts";
import { countedOf } from "./tag-queries.ts";

const asked = t.Object({
  from: parameter(
    timeInputShape,
    `The beginning is moved back to that of its step. ${DEFAULT_DAYS} days before the end, unless given.`,
  ),
  to: parameter(timeInputShape, "The end; now, unless given."),
  step: parameter(stepShape, "What a point covers: an hour, a day (unless given) or a week from Monday on."),
  by: parameter(
    byShape,
    "A series for each source type, sender domain, template, campaign (by id; emails without one are left out) provider of the recipient's mailbox, tag (an email counts for each of its tags), or sending route (of emails that one took or refused); the smallest are summed up as `group` null.",
  ),
  timeZone: parameter(
    t.String({ minLength: 1, maxLength: 100 }),
    "Of days and weeks, such as Europe/Berlin; UTC unless given.",
  ),
});

export function statisticsRoutes(access: Access) {
  const { clock } = access;
  return routes(access, [
    get(
      "/statistics/mails",
      {
        name: "countEmailsOverTime",
        summary: "Count emails by hour, day or week",
        answers: { 200: statisticsShape },
        permission: "read",
        query: asked,
        description:
          "Numbers are up to two seconds late. Each belongs to the time at which it happened: an open today of an email of last week counts today. Of opens and clicks the first of each email counts, by people. Cancelled emails count when they were accepted. At most 1,000 points.",
      },
      (reader, { query, caller }) => mailStatistics(reader, caller.workspace, askedOf(query, clock.nowMs())),
      "long",
    ),
    get(
      "/statistics/tags",
      {
        name: "listTags",
        summary: "List the tags of emails",
        answers: { 200: tagsShape },
        permission: "read",
        description: "Those that statistics count, up to 1,000, by name.",
      },
      async (reader, { caller }) => ({
        tags: (await countedOf(reader, caller.workspace)).map(({ name, usedOn }) => ({ name, usedOn })),
      }),
    ),
  ]);
}

function askedOf(
  { from, to, step = "day", by, timeZone = "UTC" }: typeof asked.static,
  nowMs: number,
): StatisticsQuery {
  const toMs = to === undefined ? nowMs : momentIn("to", to);
  const fromMs = from === undefined ? toMs - DEFAULT_DAYS * DAY_MS : momentIn("from", from);
  return { fromMs, toMs, step, timeZone, by: by ?? null };
}
