// /contacts/import and /contacts/bulk-….
import { t } from "elysia";
import { iso } from "../../clock.ts";
import { AppError, invalidField } from "../../errors.ts";
import { idShape, oneOf } from "../../http/answer-shapes.ts";
import { answers } from "../../http/answers.ts";
import { answerOnce, foundBefore, idempotencyKey } from "../../http/idempotency.ts";
import { momentIn } from "../../http/moment-in.ts";
import { fileOf } from "../../http/multipart.ts";
import { idInputShape, optional, parameter, timeInputShape } from "../../http/schemas.ts";
import type { Reader } from "../../store/store.ts";
import { secretKeyBodyUnread, type Access } from "../../access/auth.ts";
import type { Caller } from "../../access/caller.ts";
import { get, route, routes } from "../../access/route-table.ts";
import { checkFile } from "./check.ts";
import { countSelected, openBulk, type BulkHooks, type BulkInput } from "./bulk.ts";
import { importedShape, standingShape } from "../record.ts";
import { findJob } from "./job.ts";
import { errorsOf, type BulkOperation, type Job, type JobError, type Operation } from "./queries.ts";
import { bulkRecord, bulkShape, checkShape, importRecord, importShape } from "./record.ts";
import { keyTypes } from "../list/fields.ts";
import { askedIn, choicesIn, termsOf, type Asked } from "./terms.ts";
import { countUndo, openUndo } from "./undo.ts";
import { abandonUpload, acceptUpload, takeUpload } from "./upload.ts";

const file = {
  type: "multipart/form-data",
  schema: t.Object({
    file: t.String({ format: "binary" }),
    marketing: optional(
      oneOf("yes", "no", "confirm"),
      "Whether new people may get marketing mail of whom the file does not say it; `confirm`: they are asked by mail.",
    ),
    consent: optional(
      t.String({ maxLength: 500 }),
      "With `marketing`: where the consent comes from. It is kept with these people, as data `consent`.",
    ),
    resubscribe: optional(t.Boolean(), "As the query parameter."),
    columns: optional(
      t.String(),
      'Before the file: what each column becomes, as a JSON list of `"email"`, `"subscribed"`, `"data.<key>"`, `""` (left out) and null (as its name says).',
    ),
  }),
};
const opened = t.Object({ jobId: idShape });
const input = t.Object(
  {
    contactIds: optional(t.Array(idInputShape, { minItems: 1, maxItems: 1000 })),
    filter: optional(
      // A misspelt key would select everybody.
      t.Object(
        {
          search: optional(t.String({ maxLength: 255 })),
          subscribed: optional(t.Boolean()),
          status: optional(standingShape),
          segmentId: optional(idInputShape),
          since: optional(timeInputShape, "Created then or later."),
          importId: optional(idInputShape, "Added or found by this import."),
          imported: optional(importedShape),
        },
        { additionalProperties: false },
      ),
      "Which contacts; `{}` means all.",
    ),
    excludeIds: optional(t.Array(idInputShape, { maxItems: 10_000 }), "Contacts to leave out."),
  },
  { examples: [{ filter: { search: "@example.com", subscribed: true } }] },
);

const terms = t.Object({
  resubscribe: parameter(
    t.Boolean(),
    "`true`: rows that say so subscribe contacts again who have unsubscribed, bounced or complained. Not with a key that is scoped to domains.",
  ),
});

const imported = answers(
  "importContacts",
  "Import contacts from a CSV file",
  { 202: opened },
  {
    permission: "people.bulk",
    takes: file,
    query: terms,
    refuses: ["INVALID_MULTIPART", "CONFLICT"],
    description:
      "In UTF-8, UTF-16 or Windows-1252, with a header. The column `email` is required, `subscribed` (true or false) is optional; every other column becomes data of the contact. " +
      "Exports of other products say by their own columns who unsubscribed or bounced, and that is taken over.",
  },
);
const checked = answers(
  "checkImport",
  "Try an import without storing anything",
  { 200: checkShape },
  {
    permission: "people.bulk",
    takes: file,
    query: terms,
    harmless: true,
    refuses: ["INVALID_MULTIPART", "CONFLICT"],
    description:
      "Reads the first 200,000 rows as an import would. `created`, `updated`, `unchanged`, `repeated` and `failed` add up to `rows`. Each column says what its cells become and the type of most of them.",
  },
);
const importShown = answers(
  "getImport",
  "Get the progress of an import",
  { 200: importShape },
  { permission: "read", refuses: ["JOB_NOT_FOUND"] },
);
const undone = answers(
  "undoImport",
  "Undo an import",
  { 202: opened },
  {
    permission: "people.bulk",
    proof: true,
    refuses: ["JOB_NOT_FOUND", "CONFLICT"],
    description:
      "Within seven days: contacts that it added are erased, those that it changed get their former data and subscription back. " +
      "Who was changed since stays as is, and so does who was added and has had mail, an event or a workflow; `GET /contacts/bulk/{jobId}` lists them in `errors`.",
  },
);
const bulkShown = answers(
  "getBulkJob",
  "Get the progress of a bulk job",
  { 200: bulkShape },
  { permission: "read", refuses: ["JOB_NOT_FOUND"] },
);

const BULK: readonly Operation[] = ["SUBSCRIBE", "UNSUBSCRIBE", "DELETE", "UNDO"];

export type ImportHooks = {
  /** @throws AppError CONFLICT where no mail can be sent that asks to confirm */
  readonly refuseToAsk: (reader: Reader, workspace: number) => Promise<void>;
};

/** `importBytes`: the largest body of an import. */
export function importRoutes(access: Access, importBytes: number, { refuseToAsk }: ImportHooks) {
  const { store } = access;
  const refuseUnasked = async ({ workspace }: Caller, { marketing }: Asked) => {
    if (marketing === "confirm") await store.read((reader) => refuseToAsk(reader, workspace));
  };
  const upload = route("POST", "/contacts/import", imported, async ({ request, caller, query, set }) => {
    // Refused before a gigabyte is read.
    idempotencyKey(request.headers);
    const form = { request, limitBytes: importBytes, fields: new Map<string, string>() };
    const { workspace } = caller;
    const asksPeople = () => form.fields.get("marketing") === "confirm";
    const choices = () => choicesIn(form.fields);
    const taken = await takeUpload(store, { workspace, choices, asksPeople }, fileOf(form, "file"));
    const accept = async () => {
      const asked = askedOf(caller, form.fields, query);
      await refuseUnasked(caller, asked);
      const terms = termsOf(asked, taken.seen, await keyTypes(store, workspace));
      const body = { file: taken.sha256, ...Object.fromEntries(form.fields), ...query };
      return answerOnce(store, { body, caller, request, set }, (tx) => acceptUpload(tx, taken, terms), 202);
    };
    const { jobId } = await accept().catch((error: unknown) =>
      abandonUpload(store, taken).then(() => Promise.reject(error)),
    );
    // A replay names the job of the first upload.
    if (taken.job?.id !== jobId) await abandonUpload(store, taken);
    return { jobId };
  });
  const check = route("POST", "/contacts/import/check", checked, ({ request, caller, query }) => {
    const form = { request, limitBytes: importBytes, fields: new Map<string, string>() };
    return checkFile(store, {
      ...{ workspace: caller.workspace, file: fileOf(form, "file"), choices: () => choicesIn(form.fields) },
      asked: async () => {
        const asked = askedOf(caller, form.fields, query);
        await refuseUnasked(caller, asked);
        return asked;
      },
    });
  });
  return routes(access, [upload, check], secretKeyBodyUnread);
}

/** @throws AppError VALIDATION_ERROR on a field, FORBIDDEN */
function askedOf(caller: Caller, fields: ReadonlyMap<string, string>, query: typeof terms.static): Asked {
  const asked = askedIn(fields, query);
  if (asked.resubscribe && caller.domains !== null)
    throw new AppError("FORBIDDEN", "A key that is scoped to domains cannot subscribe people again.");
  return asked;
}

export function jobRoutes(access: Access, hooks: BulkHooks) {
  const { store } = access;
  const bulk = (path: `/contacts/${string}`, operation: BulkOperation, [name, summary]: [string, string]) => {
    const declared = answers(
      name,
      summary,
      { 202: opened },
      {
        permission: "people.bulk",
        ...(operation === "DELETE" ? { proof: true as const } : {}),
        body: input,
        refuses: ["CONFLICT", "SEGMENT_NOT_FOUND"],
      },
    );
    return route("POST", path, declared, async ({ body, caller, request, set }) => {
      const { workspace } = caller;
      const input = comparable(body);
      const total = await foundBefore(() => countSelected(store, workspace, input, hooks));
      const job = () => ({ operation, input, total: total() });
      return answerOnce(store, { body, caller, request, set }, (tx) => openBulk(tx, workspace, job()), 202);
    });
  };
  return routes(access, [
    get("/contacts/import/:jobId", importShown, async (reader, { params, caller }) =>
      importRecord(...(await progress(reader, caller.workspace, params.jobId, ["IMPORT"]))),
    ),
    route("POST", "/contacts/import/:jobId/undo", undone, async ({ params, body, caller, request, set }) => {
      const which = { workspace: caller.workspace, id: params.jobId };
      const total = await foundBefore(() => countUndo(store, which));
      return answerOnce(store, { body, caller, request, set }, (tx) => openUndo(tx, which, total()), 202);
    }),
    bulk("/contacts/bulk-subscribe", "SUBSCRIBE", ["bulkSubscribe", "Subscribe many contacts"]),
    bulk("/contacts/bulk-unsubscribe", "UNSUBSCRIBE", ["bulkUnsubscribe", "Unsubscribe many contacts"]),
    bulk("/contacts/bulk-delete", "DELETE", ["bulkDelete", "Erase many contacts"]),
    get("/contacts/bulk/:jobId", bulkShown, async (reader, { params, caller }) =>
      bulkRecord(...(await progress(reader, caller.workspace, params.jobId, BULK))),
    ),
  ]);
}

/** Moments as the store keeps them. */
function comparable(body: typeof input.static): BulkInput {
  const since = body.filter?.since;
  if (since == null) return body;
  return { ...body, filter: { ...body.filter, since: iso(momentIn("filter.since", since, invalidField)) } };
}

async function progress(
  reader: Reader,
  workspace: number,
  id: string,
  kinds: readonly Operation[],
): Promise<[Job, JobError[]]> {
  const job = await findJob(reader, workspace, id, kinds);
  return [job, await errorsOf(reader, job.seq)];
}
