// /contacts/import and /contacts/bulk-… (interface-gaps.md §3).
import { Elysia, t } from "elysia";
import { idShape } from "../../http/answer-shapes.ts";
import { answers } from "../../http/answers.ts";
import { answerOnce, foundBefore, idempotencyKey, type Post } from "../../http/idempotency.ts";
import { fileOf } from "../../http/multipart.ts";
import { optional } from "../../http/schemas.ts";
import { asBody } from "../../http/shape.ts";
import type { Tx } from "../../store/store.ts";
import { secretKey, secretKeyBodyUnread, type Access } from "../../workspaces/auth.ts";
import { countSelected, openBulk, type Above, type BulkOperation, type BulkWish } from "./bulk.ts";
import { findJob } from "./job.ts";
import { errorsOf, type JobError, type JobRow, type Operation } from "./queries.ts";
import { bulkRecord, bulkShape, importRecord, importShape } from "./record.ts";
import { abandonUpload, acceptUpload, takeUpload } from "./upload.ts";

const file = { type: "multipart/form-data", schema: t.Object({ file: t.String({ format: "binary" }) }) };
const jobParams = t.Object({ jobId: t.String() });
const opened = t.Object({ jobId: idShape });
const notFound = { refuses: ["JOB_NOT_FOUND"] } as const;

const wish = t.Object(
  {
    contactIds: optional(t.Array(t.String({ maxLength: 100 }), { minItems: 1, maxItems: 1000 })),
    filter: optional(
      // One that was meant to narrow it and did not would make it everybody.
      t.Object(
        {
          search: optional(t.String({ maxLength: 255 })),
          subscribed: optional(t.Boolean()),
          segmentId: optional(t.String({ maxLength: 100 })),
        },
        { additionalProperties: false },
      ),
      "Which contacts; `{}` = all.",
    ),
    excludeIds: optional(t.Array(t.String({ maxLength: 100 }), { maxItems: 10_000 }), "Contacts that are left out."),
  },
  { examples: [{ filter: { search: "@example.com", subscribed: true } }] },
);

const BULK: readonly BulkOperation[] = ["SUBSCRIBE", "UNSUBSCRIBE", "DELETE"];

type BulkPost = Post & { readonly body: BulkWish };

/** `importBytes`: the largest body of an import. */
export function importRoutes(access: Access, importBytes: number) {
  const { store } = access;
  return new Elysia({ prefix: "/contacts" }).use(secretKeyBodyUnread(access)).post(
    "/import",
    async ({ request, caller, set }) => {
      // Refused before a gigabyte is read.
      idempotencyKey(request.headers);
      const upload = await takeUpload(store, caller.workspace, fileOf(request, "file", importBytes));
      const post = { body: { file: upload.sha256 }, caller, request, set };
      const accepted = answerOnce(store, post, (tx) => acceptUpload(tx, upload), 202);
      const { jobId } = await accepted.catch((error: unknown) =>
        abandonUpload(store, upload).then(() => Promise.reject(error)),
      );
      // Another one was accepted under the same Idempotency-Key before.
      if (upload.job?.id !== jobId) await abandonUpload(store, upload);
      return { jobId };
    },
    {
      detail: answers(
        "Import contacts from a CSV file",
        { 202: opened },
        {
          takes: file,
          refuses: ["INVALID_MULTIPART", "CONFLICT"],
          description:
            "In UTF-8, with a header. The column `email` is needed, `subscribed` (true or false) may be there; every other column becomes data of the contact.",
        },
      ),
    },
  );
}

export function jobRoutes(access: Access, above: Above) {
  const { store } = access;
  const found = (workspace: number, id: string, kinds: readonly Operation[]) =>
    store.read(async (reader): Promise<[JobRow, JobError[]]> => {
      const job = await findJob(reader, workspace, id, kinds);
      return [job, await errorsOf(reader, job.seq)];
    });
  const bulk = (operation: BulkOperation) => async (post: BulkPost) => {
    const { workspace } = post.caller;
    const total = await foundBefore(() => countSelected(store, workspace, post.body, above));
    const open = (tx: Tx) => openBulk(tx, workspace, { operation, wish: post.body, total: total() });
    return answerOnce(store, post, open, 202);
  };
  const hook = (summary: string) => ({
    body: asBody(wish),
    detail: answers(summary, { 202: opened }, { refuses: ["CONFLICT", "SEGMENT_NOT_FOUND"] }),
  });
  return new Elysia({ prefix: "/contacts" })
    .use(secretKey(access))
    .get(
      "/import/:jobId",
      async ({ params, caller }) => importRecord(...(await found(caller.workspace, params.jobId, ["IMPORT"]))),
      { params: jobParams, detail: answers("Look at an import", { 200: importShape }, notFound) },
    )
    .post("/bulk-subscribe", bulk("SUBSCRIBE"), hook("Subscribe many contacts"))
    .post("/bulk-unsubscribe", bulk("UNSUBSCRIBE"), hook("Unsubscribe many contacts"))
    .post("/bulk-delete", bulk("DELETE"), hook("Delete many contacts, with all that is kept of them"))
    .get(
      "/bulk/:jobId",
      async ({ params, caller }) => bulkRecord(...(await found(caller.workspace, params.jobId, BULK))),
      { params: jobParams, detail: answers("Look at bulk work", { 200: bulkShape }, notFound) },
    );
}
