// /emails/retry: resends all mails that match a filter, as a job.
import { t } from "elysia";
import { countShape, idShape, nullable, oneOf } from "../../../http/answer-shapes.ts";
import { answerOnce, foundBefore } from "../../../http/idempotency.ts";
import { idInputShape, optional, shownAs, timeInputShape } from "../../../http/schemas.ts";
import { tagShape } from "../../../http/label-shapes.ts";
import { LONGEST_VALUE, MOST_TAGS } from "../../../base/labels.ts";
import type { Reader } from "../../../store/store.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { get, post, route, routes } from "../../../tenant/access/route-table.ts";
import { happeningShape, reasonShape, sourceTypeShape } from "../shape.ts";
import { retryErrors, type Retry } from "./queries.ts";
import { cancelRetry, findRetry, mailsToRetry, openRetry } from "./retry.ts";

const retriable = oneOf("FAILED", "BOUNCED");
const input = t.Object(
  {
    // With a misspelt key the filter would match everything.
    filter: t.Object(
      {
        status: optional(
          t.Union([retriable, t.Array(retriable, { minItems: 1, maxItems: 2 })]),
          "`FAILED` unless given. Of BOUNCED emails, those that bounced for now.",
        ),
        sourceType: optional(sourceTypeShape),
        contactId: optional(idInputShape),
        campaignId: optional(idInputShape),
        templateId: optional(shownAs(t.String({ minLength: 1, maxLength: 100 }), idShape)),
        workflowId: optional(idInputShape),
        stepId: optional(idInputShape, "Of that workflow."),
        domain: optional(t.String({ minLength: 1, maxLength: 255 }), "The sender domain."),
        keyId: optional(idInputShape, "Sent by a key of this set."),
        tag: optional(t.Array(tagShape, { minItems: 1, maxItems: MOST_TAGS }), "Each of these."),
        metadata: optional(t.Record(t.String(), t.String({ maxLength: LONGEST_VALUE })), "Each of these values."),
        reason: optional(reasonShape, "Refused for this reason."),
        failedSince: optional(timeInputShape, "FAILED then or later."),
        happened: optional(happeningShape, "As in `GET /emails`."),
        since: optional(timeInputShape, "Accepted, or happened, then or later."),
        until: optional(timeInputShape, "Accepted, or happened, before."),
      },
      { additionalProperties: false },
    ),
  },
  { examples: [{ filter: { status: "FAILED", since: "2026-03-01T00:00:00Z" } }] },
);

const shape = t.Object(
  {
    id: idShape,
    status: oneOf("PENDING", "PROCESSING", "COMPLETED", "CANCELLED", "FAILED"),
    progress: t.Number({ minimum: 0, maximum: 100, multipleOf: 1 }),
    failedReason: nullable(t.String()),
    result: t.Object({
      totalRequested: countShape,
      successCount: countShape,
      failureCount: countShape,
      errors: t.Array(t.Object({ emailId: idShape, error: t.String() })),
    }),
  },
  { title: "RetryJob" },
);

export function retryRoutes(access: Access) {
  const { store } = access;
  return routes(access, [
    route(
      "POST",
      "/emails/retry",
      {
        name: "resendManyEmails",
        summary: "Send many emails again",
        answers: { 202: t.Object({ jobId: idShape }) },
        permission: "mail.send",
        body: input,
        refuses: ["CONFLICT", "CONTACT_NOT_FOUND", "CAMPAIGN_NOT_FOUND"],
        description:
          "Up to 10,000 FAILED or BOUNCED emails that match now, each once: an email that was sent again before is left out. A workspace has one such job at a time.",
      },
      async ({ body, caller, request, set }) => {
        const { status, ...filter } = body.filter;
        const statuses = status == null ? null : [...new Set([status].flat())];
        const found = await foundBefore(() => mailsToRetry(store, caller.workspace, { ...filter, status: statuses }));
        return answerOnce(store, { body, caller, request, set }, (tx) => openRetry(tx, caller, found()), 202);
      },
    ),
    get(
      "/emails/retry/jobs/:jobId",
      {
        name: "getResendJob",
        summary: "Get the progress of sending emails again",
        answers: { 200: shape },
        permission: "read",
        refuses: ["JOB_NOT_FOUND"],
      },
      async (reader, { params, caller }) =>
        retryRecord(reader, await findRetry(reader, caller.workspace, params.jobId)),
    ),
    post(
      "/emails/retry/jobs/:jobId/cancel",
      {
        name: "cancelResendJob",
        summary: "Stop sending emails again",
        answers: { 200: shape },
        permission: "mail.send",
        refuses: ["JOB_NOT_FOUND", "CONFLICT"],
        description: "Emails that were queued stay so.",
      },
      async (tx, { params, caller }) => retryRecord(tx, await cancelRetry(tx, caller.workspace, params.jobId)),
    ),
  ]);
}

async function retryRecord(reader: Reader, retry: Retry): Promise<typeof shape.static> {
  const { id, status, total, processed, resent, failure } = retry;
  return {
    id,
    status,
    progress: status === "COMPLETED" ? 100 : Math.min(99, Math.floor((100 * processed) / total)),
    failedReason: failure,
    result: {
      totalRequested: total,
      successCount: resent,
      failureCount: processed - resent,
      errors: await retryErrors(reader, retry.seq),
    },
  };
}
