// /suppressions/imports and /suppressions/export: suppressions as CSV.
import type { Config } from "../../../base/config.ts";
import { t } from "elysia";
import { countShape, oneOf } from "../../../http/answer-shapes.ts";
import { content } from "../../../http/answers.ts";
import { answerOnce, idempotencyKey } from "../../../http/idempotency.ts";
import { fileOf } from "../../../http/body/multipart.ts";
import { streamed } from "../../../http/replies.ts";
import { optional } from "../../../http/schemas.ts";
import type { Store } from "../../../store/store.ts";
import { secretKeyBodyUnread, type Access } from "../../../tenant/access/auth.ts";
import { get, route, routes } from "../../../tenant/access/route-table.ts";
import { suppressionsAfter, type SuppressionFilter } from "../../../audience/suppressions/listing-queries.ts";
import type { SuppressionScope } from "../../../audience/suppressions/queries.ts";
import { scopeShape } from "../../../audience/suppressions/record.ts";
import { filterFields, filterOf } from "../../../audience/suppressions/routes.ts";
import { guarded } from "../../../audience/csv/cell.ts";
import type { FileReason, SuppressionDefaults } from "../../../audience/csv/suppressions.ts";
import { csvLine } from "../../../audience/csv/syntax.ts";
import { progress } from "../jobs/job.ts";
import { openedShape, stateFields, stateOf } from "../jobs/record.ts";
import { abandonSuppressions, acceptSuppressions, takeSuppressions } from "./suppression-import.ts";
import { wordIn } from "../terms.ts";

const REASONS: readonly FileReason[] = ["bounce", "complaint", "soft-bounces", "manual", "import"];
const SCOPES: readonly SuppressionScope[] = ["all", "marketing"];

const file = {
  type: "multipart/form-data",
  schema: t.Object(
    {
      file: t.String({ format: "binary" }),
      reason: optional(oneOf(...REASONS), "Before the file: of rows that do not say why; `import` unless given."),
      scope: optional(
        scopeShape,
        "Before the file: of rows that do not say it. Unless given, `marketing` for complaints and `all` for the rest.",
      ),
    },
    { examples: [{ file: "email,reason\ngone@example.net,HardBounce\nexample.org,manual\n", reason: "import" }] },
  ),
};

const jobShape = t.Object(
  {
    ...stateFields,
    result: t.Object({
      totalRows: countShape,
      addedCount: countShape,
      unchangedCount: { ...countShape, description: "Rows whose address or domain was suppressed already." },
      failureCount: countShape,
      errors: t.Array(t.Object({ row: countShape, target: t.String(), error: t.String() })),
    }),
  },
  { title: "SuppressionImport" },
);

const HEADERS = {
  "content-type": "text/csv; charset=utf-8",
  "content-disposition": 'attachment; filename="suppressions.csv"',
};
const IDLE_TIMEOUT_SECONDS = 255;
const LINES_A_BATCH = 1_000;
const MAX_NAME_CHARS = 255;

/** `importBytes`: the largest body of an import. */
export function suppressionFileRoutes(access: Access, limits: Pick<Config["limits"], "importBytes">) {
  const { store } = access;
  const upload = route(
    "POST",
    "/suppressions/imports",
    {
      name: "importSuppressions",
      summary: "Import suppressions from a CSV file or an Excel workbook",
      answers: { 202: openedShape },
      permission: "people.bulk",
      takes: file,
      refuses: ["INVALID_MULTIPART", "CONFLICT"],
      description:
        "Up to 5,000,000 rows, with a header. A column `email`, `address` or `domain` is required; `reason`, `scope`, `until` and `note` are optional. " +
        "Files of Postmark, Mailgun and SendGrid are taken as they are. No contact is made for them.",
    },
    async ({ request, caller, set }) => {
      idempotencyKey(request.headers);
      let fileName: string | null = null;
      const keepFileName = (name: string) => (fileName = name.slice(0, MAX_NAME_CHARS));
      const form = { request, limitBytes: limits.importBytes, fields: new Map<string, string>(), named: keepFileName };
      const { workspace } = caller;
      const otherwise = (): SuppressionDefaults => ({
        reason: wordIn(form.fields, "reason", REASONS),
        scope: wordIn(form.fields, "scope", SCOPES),
      });
      const taken = await takeSuppressions(store, workspace, fileOf(form, "file"), otherwise);
      const body = { file: taken.sha256, ...Object.fromEntries(form.fields) };
      const accepted = { fileName, madeBy: caller.by };
      const accept = () =>
        answerOnce(
          store,
          { body, caller, request, set },
          (tx) => acceptSuppressions(tx, workspace, taken, accepted),
          202,
        );
      const { jobId } = await accept().catch((error: unknown) =>
        abandonSuppressions(store, taken.job).then(() => Promise.reject(error)),
      );
      // A replay answers the job of the first upload.
      if (taken.job.id !== jobId) await abandonSuppressions(store, taken.job);
      return { jobId };
    },
  );
  const asked = get(
    "/suppressions/imports/:jobId",
    {
      name: "getSuppressionImport",
      summary: "Get how far an import of suppressions is",
      answers: { 200: jobShape },
      permission: "read",
      refuses: ["JOB_NOT_FOUND"],
    },
    async (reader, { params, caller }) => {
      const [job, errors] = await progress(reader, caller.workspace, params.jobId, ["SUPPRESS"]);
      const counts = { totalRows: job.total, addedCount: job.created, unchangedCount: job.updated };
      const told = errors.map(({ place: row, about: target, error }) => ({ row, target, error }));
      return { ...stateOf(job), result: { ...counts, failureCount: job.failed, errors: told } };
    },
  );
  const download = route(
    "GET",
    "/suppressions/export",
    {
      name: "exportSuppressions",
      summary: "Export suppressions as CSV",
      answers: { 200: content("text/csv") },
      permission: "people.bulk",
      proof: true,
      query: t.Object(filterFields),
      description: "Without those of erased people, of whom only hashes are kept. An import takes the file back.",
    },
    async ({ query, caller, request, server }) => {
      if (caller.note) await store.write(async (tx) => caller.note?.(tx, null));
      server?.timeout(request, IDLE_TIMEOUT_SECONDS);
      return new Response(streamed(linesOf(store, filterOf(caller.workspace, query))), { headers: HEADERS });
    },
  );
  return routes(access, [asked, download]).use(routes(access, [upload], secretKeyBodyUnread));
}

async function* linesOf(store: Store, filter: SuppressionFilter): AsyncGenerator<string> {
  yield csvLine(["address", "domain", "reason", "scope", "until", "note", "createdAt"]);
  for (let after = 0; ;) {
    const read = { after, limit: LINES_A_BATCH };
    const rows = await store.read((reader) => suppressionsAfter(reader, filter, read), { longFor: filter.workspace });
    const last = rows.at(-1);
    if (!last) return;
    yield rows
      .map(({ kind, target, reason, scope, until, note, createdAt }) => {
        const named = kind === "address" ? [guarded(target), ""] : ["", guarded(target)];
        return csvLine([...named, reason, scope, until ?? "", guarded(note ?? ""), createdAt]);
      })
      .join("");
    after = last.seq;
  }
}
