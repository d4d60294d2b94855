// POST /v1/send/batch (docs/sending.md).
import { AppError } from "../../../base/errors.ts";
import { wrapped } from "../../../http/answer-shapes.ts";
import { noteWarning, notedWarnings } from "../../../http/body/body-notes.ts";
import { answerOnce } from "../../../http/idempotency.ts";
import { errorBody, success } from "../../../http/replies.ts";
import type { Tx } from "../../../store/store.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { route } from "../../../tenant/access/route-table.ts";
import { readBatch, sendBatch } from "./batch.ts";
import { batchedShape, batchShape } from "./batch-shape.ts";
import { notingIgnored } from "./ignored.ts";
import type { AcceptanceBody } from "./answer-shape.ts";

export function batchRoute(access: Access) {
  return route(
    "POST",
    "/v1/send/batch",
    {
      name: "sendBatch",
      summary: "Send up to 100 emails with one request",
      answers: { 200: wrapped(batchedShape) },
      permission: "mail.send",
      forSenders: true,
      body: batchShape,
      description:
        "All are stored in one transaction, and the Idempotency-Key counts for all of them. With `mode` `all`, a refusal names the field, such as `emails.3.to`.",
      refuses: [
        "DOMAIN_NOT_VERIFIED",
        "DOMAIN_NOT_ALLOWED",
        "TEMPLATE_NOT_FOUND",
        "CONTACT_UNSUBSCRIBED",
        "RECIPIENT_SUPPRESSED",
        "MARKETING_STOPPED",
      ],
    },
    async ({ body, caller, request, set }) => {
      const mode = body.mode ?? "all";
      const items = readBatch(body.emails, { nowMs: access.clock.nowMs(), storesData: caller.storesSendData });
      const requestId = String(set.headers["x-request-id"]);
      const noteIgnored = notingIgnored(access, { caller, request, requestId });
      const leftOut = new Set<string>();
      const noteLeftOut = (contact: string) => void leftOut.add(contact);
      const batch = { caller, mode, items, origin: { requestId, by: caller.by }, noteIgnored, noteLeftOut };
      const about = ({ data }: BatchAnswer) => [
        ...data.results.flatMap((result) => ("emails" in result ? result.emails.map(({ contact }) => contact.id) : [])),
        ...leftOut,
      ];
      const sendAll = async (tx: Tx) => answerOf(tx, requestId, await sendBatch(tx, batch));
      const answer = await answerOnce(access.store, { body, caller, request, set, about }, sendAll, 200);
      for (const [at, item] of items.entries())
        for (const { field, message } of item instanceof AppError ? [] : notedWarnings(item.body))
          noteWarning(body, { field: `emails.${at}.${field}`, message });
      return answer;
    },
  );
}

type BatchAnswer = ReturnType<typeof answerOf>;

function answerOf(tx: Tx, requestId: string, sent: readonly (AcceptanceBody | AppError)[]) {
  const results = sent.map((one) =>
    one instanceof AppError ? errorResult(one, requestId, tx.now) : { ok: true, ...one },
  );
  return success({ results, timestamp: tx.now });
}

function errorResult(refusal: AppError, requestId: string, now: string) {
  return { ok: false, error: errorBody(refusal, requestId, now).error };
}
