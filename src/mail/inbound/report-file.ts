// GET /domains/{id}/reports/received/{reportId}/raw: an unreadable report, as it came.
import type { Access } from "../../tenant/access/auth.ts";
import { route, routes } from "../../tenant/access/route-table.ts";
import { ownDomain } from "../../tenant/domains/domain.ts";
import { AppError } from "../../base/errors.ts";
import { content } from "../../http/answers.ts";
import { receivedById } from "../reports/figures-queries.ts";
import type { Store } from "../../store/store.ts";
import { bytesOf, firstSlice } from "./message.ts";

const TYPE = "message/rfc822";

export function reportFileRoutes(access: Access) {
  const { store } = access;
  return routes(access, [
    route(
      "GET",
      "/domains/:id/reports/received/:reportId/raw",
      {
        name: "getReceivedReport",
        summary: "Download a report that could not be read",
        answers: { 200: content(TYPE) },
        permission: "read",
        managers: true,
        refuses: ["DOMAIN_NOT_FOUND", "REPORT_NOT_FOUND"],
        description: "The email as it came. Of reports that were read, what they say is kept alone.",
      },
      async ({ params, caller }) => fileOf(store, { workspace: caller.workspace, ...params }),
    ),
  ]);
}

type ReportFileRef = { readonly workspace: number; readonly id: string; readonly reportId: string };

/** @throws AppError DOMAIN_NOT_FOUND, REPORT_NOT_FOUND */
async function fileOf(store: Store, { workspace, id, reportId }: ReportFileRef): Promise<Response> {
  const report = await store.read(async (reader) =>
    receivedById(reader, (await ownDomain(reader, workspace, id)).seq, reportId),
  );
  const message = report?.message ?? null;
  const first = message === null ? null : await store.read((reader) => firstSlice(reader, message));
  if (message === null || !first)
    throw new AppError("REPORT_NOT_FOUND", `There is no report ${reportId} that is kept as it came.`);
  const bytes = await bytesOf(store, message, first);
  const disposition = `attachment; filename="report-${reportId}.eml"`;
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: { "content-type": TYPE, "content-disposition": disposition },
  });
}
