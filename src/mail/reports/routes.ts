// /domains/{id}/reports: the reports of receivers on the mail of a sender domain.
import { t } from "elysia";
import type { Access } from "../../tenant/access/auth.ts";
import { get, page, routes } from "../../tenant/access/route-table.ts";
import type { RecordSettings } from "../../tenant/domains/dns-records.ts";
import { ownDomain } from "../../tenant/domains/domain.ts";
import { pageShapeOf } from "../../http/answer-shapes.ts";
import { pageShape, parameter, wholeNumber } from "../../http/schemas.ts";
import { countReceived, receivedPage } from "./figures-queries.ts";
import { DEFAULT_DAYS, MOST_DAYS, reportsOf } from "./figures.ts";
import { receivedRecord, receivedShape, reportsShape } from "./record.ts";

export function reportRoutes(access: Access, settings: () => RecordSettings) {
  return routes(access, [
    get(
      "/domains/:id/reports",
      {
        name: "getDomainReports",
        summary: "Get what receivers report on the email of a domain",
        answers: { 200: reportsShape },
        permission: "read",
        managers: true,
        refuses: ["DOMAIN_NOT_FOUND"],
        query: t.Object({
          days: parameter(wholeNumber(1, MOST_DAYS, DEFAULT_DAYS), `Up to today. ${DEFAULT_DAYS} unless given.`),
        }),
        description:
          "DMARC reports by day and by source, TLS reports by day and by kind of failure, and whether a stricter policy is safe. Days without reports are left out.",
      },
      async (reader, { params, query, caller }) => {
        const domain = await ownDomain(reader, caller.workspace, params.id);
        return reportsOf(reader, {
          domain,
          settings: settings(),
          days: query.days ?? DEFAULT_DAYS,
          nowMs: access.clock.nowMs(),
        });
      },
      "long",
    ),
    page(
      "/domains/:id/reports/received",
      {
        name: "listReceivedReports",
        summary: "List the reports that came to a domain",
        answers: { 200: pageShapeOf(receivedShape) },
        permission: "read",
        managers: true,
        refuses: ["DOMAIN_NOT_FOUND"],
        query: t.Object(pageShape),
        description: "The newest first, with those that were not counted and why.",
      },
      async (reader, { params, caller: { workspace } }) => {
        const { seq } = await ownDomain(reader, workspace, params.id);
        return {
          total: () => countReceived(reader, seq),
          items: async (...piece) => (await receivedPage(reader, seq, ...piece)).map(receivedRecord),
        };
      },
    ),
  ]);
}
