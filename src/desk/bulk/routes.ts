// /contacts/bulk-…, and the status of jobs.
import { t } from "elysia";
import { iso } from "../../base/clock.ts";
import { invalidField } from "../../base/errors.ts";
import { answerOnce, foundBefore } from "../../http/idempotency.ts";
import { oneOf, pageShapeOf } from "../../http/answer-shapes.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { momentIn } from "../../http/body/moment-in.ts";
import { idInputShape, optional, pageShape, timeInputShape } from "../../http/schemas.ts";
import type { CatchUp } from "../../tenant/events/dispatch.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { get, page, route, routes } from "../../tenant/access/route-table.ts";
import { countSelected, openBulkJob, type BulkInput } from "./bulk.ts";
import { importedShape, standingShape } from "../../audience/contacts/record.ts";
import { progress } from "./jobs/job.ts";
import { countImports, importsPage, statusesOf } from "./jobs/list-queries.ts";
import type { BulkOperation, ContactJob, JobStatus, JobOperation } from "./jobs/queries.ts";
import {
  bulkRecord,
  bulkShape,
  importRecord,
  importShape,
  listedImportRecord,
  listedImportShape,
  openedShape,
} from "./jobs/record.ts";
import { readChoices, type ChoiceChanges } from "../../audience/topics/choice.ts";
import { choicesInputShape, sayingShape, topicKeyShape } from "../../audience/topics/record.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { keptCount } from "../../audience/contacts/count-queries.ts";
import { usesOfKey } from "../search/key-queries.ts";
import { openRenaming, renamingIn } from "./rename.ts";
import { countUndo, openUndo } from "./imports/undo.ts";

export const matchingShape = {
  filter: optional(
    // Refuses unknown keys: a filter with a misspelt key would select all contacts.
    t.Object(
      {
        search: optional(t.String({ maxLength: 255 })),
        subscribed: optional(t.Boolean()),
        status: optional(standingShape),
        segmentId: optional(idInputShape),
        since: optional(timeInputShape, "Created then or later."),
        importId: optional(idInputShape, "Added or found by this import."),
        imported: optional(importedShape),
        topic: optional(topicKeyShape, "With `choice`: those who say so of this topic."),
        choice: optional(sayingShape),
      },
      { additionalProperties: false },
    ),
    "Which contacts; `{}` means all.",
  ),
  excludeIds: optional(t.Array(idInputShape, { maxItems: 10_000 }), "Contacts to leave out."),
};
const those = { contactIds: optional(t.Array(idInputShape, { minItems: 1, maxItems: 1000 })), ...matchingShape };
const input = t.Object(those, { examples: [{ filter: { search: "@example.com", subscribed: true } }] });
const saying = t.Object(
  { ...those, topics: choicesInputShape },
  { examples: [{ filter: { subscribed: true }, topics: { news: "in" } }] },
);

const BULK: readonly JobOperation[] = [
  "SUBSCRIBE",
  "UNSUBSCRIBE",
  "TOPICS",
  "JOIN",
  "LEAVE",
  "DELETE",
  "UNDO",
  "RENAME",
  "MERGE",
];

const renaming = t.Object(
  {
    from: t.String({
      minLength: 1,
      maxLength: 1000,
      description: "A key of data that is not plain, such as `Kundennr.`.",
    }),
    to: optional(t.String({ maxLength: 200 }), "A plain key; `kundennr` unless you say another."),
  },
  { examples: [{ from: "Phone Number", to: "phone" }] },
);
const renamingShape = t.Object({
  jobId: openedShape.properties.jobId,
  to: t.String(),
  uses: t.Array(
    t.Object({ kind: oneOf("segment", "campaign", "template", "workflow", "form"), id: t.String(), name: t.String() }),
    { description: "What may name the key as it was: change it there. At most a hundred." },
  ),
});

export function jobRoutes(access: Access, catchUp: CatchUp) {
  const { store } = access;
  const bulk = (path: `/contacts/${string}`, operation: BulkOperation, [name, summary]: [string, string]) => {
    return route(
      "POST",
      path,
      {
        name,
        summary,
        answers: { 202: openedShape },
        permission: "people.bulk",
        ...(operation === "DELETE" ? { proof: true } : {}),
        body: operation === "TOPICS" ? saying : input,
        refuses: ["CONFLICT", "SEGMENT_NOT_FOUND"],
      },
      async ({ body, caller, request, set }) => {
        const { workspace } = caller;
        const input = comparable(body);
        const total = await foundBefore(() => countSelected({ ...access, catchUp }, workspace, input));
        const topics = () => (operation === "TOPICS" ? { topics: choicesAsked(body, caller) } : {});
        const job = () => ({ operation, input: { ...input, ...topics() }, total: total(), madeBy: caller.by });
        return answerOnce(store, { body, caller, request, set }, (tx) => openBulkJob(tx, workspace, job()), 202);
      },
    );
  };
  return routes(access, [
    page(
      "/contacts/import",
      {
        name: "listImports",
        summary: "List imports, newest first",
        answers: { 200: pageShapeOf(listedImportShape) },
        permission: "read",
        query: t.Object(pageShape),
        description: "An import stays in the list for thirty days.",
      },
      async (reader, { caller: { workspace } }) => ({
        total: () => countImports(reader, workspace),
        items: async (...piece) => {
          const jobs = await importsPage(reader, workspace, ...piece);
          const statuses = await undoing(reader, jobs);
          return jobs.map((job) => listedImportRecord(job, statuses));
        },
      }),
    ),
    get(
      "/contacts/import/:jobId",
      {
        name: "getImport",
        summary: "Get the progress of an import",
        answers: { 200: importShape },
        permission: "read",
        refuses: ["JOB_NOT_FOUND"],
      },
      async (reader, { params, caller }) => {
        const [job, errors] = await progress(reader, caller.workspace, params.jobId, ["IMPORT"]);
        return importRecord(job, errors, await undoing(reader, [job]));
      },
    ),
    route(
      "POST",
      "/contacts/import/:jobId/undo",
      {
        name: "undoImport",
        summary: "Undo an import",
        answers: { 202: openedShape },
        permission: "people.bulk",
        proof: true,
        refuses: ["JOB_NOT_FOUND", "CONFLICT"],
        description:
          "Within seven days: contacts that it added are erased, those that it changed get their former data and subscription back. " +
          "Who was changed since stays as is, and so does who was added and has had email, an event or a workflow; `GET /contacts/bulk/{jobId}` lists them in `errors`.",
      },
      async ({ params, body, caller, request, set }) => {
        const which = { workspace: caller.workspace, id: params.jobId };
        const total = await foundBefore(() => countUndo(store, which));
        const job = () => ({ total: total(), madeBy: caller.by });
        return answerOnce(store, { body, caller, request, set }, (tx) => openUndo(tx, which, job()), 202);
      },
    ),
    bulk("/contacts/bulk-subscribe", "SUBSCRIBE", ["bulkSubscribe", "Subscribe many contacts"]),
    bulk("/contacts/bulk-unsubscribe", "UNSUBSCRIBE", ["bulkUnsubscribe", "Unsubscribe many contacts"]),
    bulk("/contacts/bulk-topics", "TOPICS", ["bulkTopics", "Set what many contacts say of topics"]),
    bulk("/contacts/bulk-delete", "DELETE", ["bulkDelete", "Erase many contacts"]),
    route(
      "POST",
      "/contacts/fields/rename",
      {
        name: "renameContactField",
        summary: "Rename a key of data that is not plain",
        answers: { 202: renamingShape },
        permission: "people.bulk",
        body: renaming,
        refuses: ["CONFLICT"],
        description:
          "With all contacts. Who has another value under the new key keeps both, and is listed in `errors` of `GET /contacts/bulk/{jobId}`, whose `totalRequested` counts those who are looked at.",
      },
      async ({ body, caller, request, set }) => {
        const { workspace } = caller;
        const keys = renamingIn(body.from, body.to ?? null);
        const found = await foundBefore(async () => ({
          total: await store.read((reader) => keptCount(reader, workspace, null)),
          uses: await store.read((reader) => usesOfKey(reader, workspace, body.from), { longFor: workspace }),
        }));
        const open = async (tx: Tx) => {
          const { total, uses } = found();
          return { jobId: await openRenaming(tx, workspace, { ...keys, total, madeBy: caller.by }), to: keys.to, uses };
        };
        return answerOnce(store, { body, caller, request, set }, open, 202);
      },
    ),
    get(
      "/contacts/bulk/:jobId",
      {
        name: "getBulkJob",
        summary: "Get the progress of a bulk job",
        answers: { 200: bulkShape },
        permission: "read",
        refuses: ["JOB_NOT_FOUND"],
      },
      async (reader, { params, caller }) =>
        bulkRecord(...(await progress(reader, caller.workspace, params.jobId, BULK))),
    ),
  ]);
}

/** The statuses of the jobs that undo imports. */
function undoing(reader: Reader, imports: readonly ContactJob[]): Promise<ReadonlyMap<string, JobStatus>> {
  return statusesOf(
    reader,
    imports.flatMap(({ undoneBy }) => undoneBy ?? []),
  );
}

/** @throws AppError VALIDATION_ERROR without any topic, or for a topic that does not exist */
function choicesAsked(body: object, caller: Caller): ChoiceChanges {
  const choices = readChoices((body as Partial<typeof saying.static>).topics, caller.topics);
  if (Object.keys(choices).length === 0) throw invalidField("topics", "Name at least one topic.", "too_small");
  return choices;
}

/** Converts moments to the store's format. @throws AppError VALIDATION_ERROR */
export function comparable<Body extends Pick<BulkInput, "filter">>(body: Body): Body {
  const since = body.filter?.since;
  if (since == null) return body;
  return { ...body, filter: { ...body.filter, since: iso(momentIn("filter.since", since, invalidField)) } };
}
