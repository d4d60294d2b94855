// GET /webhooks/attempts: the latest attempts at webhooks.
import { t } from "elysia";
import { findEmail } from "../../../mail/emails/email.ts";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../../http/answer-shapes.ts";
import { idInputShape, parameter, wholeNumber } from "../../../http/schemas.ts";
import { cursorOf, keyInCursor, notOfThisList } from "../../../store/page.ts";
import type { Reader } from "../../../store/store.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { get, routes } from "../../../tenant/access/route-table.ts";
import {
  attemptsAfterMail,
  endOfScan,
  latestAttempts,
  type AttemptPlace,
  type ListedAttempt,
} from "./attempt-queries.ts";

const attemptShape = t.Object(
  {
    webhookId: idShape,
    number: countShape,
    at: timeShape,
    outcome: t.Union([oneOf("delivered", "later", "failed"), t.Null()], {
      description: "`later`: it is tried again. null: under way, or cut off.",
    }),
    status: nullable(t.Number({ multipleOf: 1 })),
    durationMs: nullable(countShape),
    reply: t.Union([t.String(), t.Null()], { description: "The beginning of the answer, or why there is none." }),
    host: t.String(),
    state: t.Union([oneOf("DUE", "CALLING", "DELIVERED", "FAILED", "CANCELLED")], {
      description: "Of the webhook by now.",
    }),
    nextAt: t.Union([timeShape, t.Null()], { description: "When it is tried again." }),
    workflowId: idShape,
    workflowName: t.String(),
    executionId: idShape,
    stepId: idShape,
    stepName: nullable(t.String()),
    contactId: idShape,
  },
  { title: "WebhookAttempt" },
);
type AttemptRecord = typeof attemptShape.static;

const LIST = "webhook-attempts";
const DEFAULT_LIMIT = 50;
/** Hardly any mail causes more. */
const MOST_OF_MAIL = 1_000;
/** The limit of an answer; the trace of the execution has 2,000. */
const MOST_REPLY_CHARS = 300;

const listing = t.Object({
  outcome: parameter(t.Literal("failed"), "Only attempts with which a webhook was given up."),
  emailId: parameter(idInputShape, "Only those that events about this email have caused."),
  workflowId: parameter(idInputShape, "Only those of this workflow."),
  stepId: parameter(idInputShape, "Only those of this step."),
  limit: parameter(wholeNumber(1, 100, DEFAULT_LIMIT), "How many attempts a page has at most."),
  cursor: parameter(t.String({ maxLength: 200 }), "The `cursor` of the page before."),
});

export function webhookAttemptRoutes(access: Access) {
  return routes(access, [
    get(
      "/webhooks/attempts",
      {
        name: "listWebhookAttempts",
        summary: "List attempts to deliver webhooks, newest first",
        answers: {
          200: t.Object(
            { attempts: t.Array(attemptShape), cursor: nullable(t.String()), hasMore: t.Boolean() },
            { title: "WebhookAttemptPage" },
          ),
        },
        permission: "read",
        query: listing,
        refuses: ["EMAIL_NOT_FOUND"],
        description:
          "With `workflowId` or `stepId` a page may have fewer attempts than `limit`, or none, while `hasMore` is true: go on with its `cursor`.",
      },
      (reader, { query, caller }) => pageOf(reader, caller.workspace, query),
      "long",
    ),
  ]);
}

async function pageOf(reader: Reader, workspace: number, query: typeof listing.static) {
  const { limit = DEFAULT_LIMIT, cursor } = query;
  const after = cursor === undefined ? null : placeIn(cursor);
  const { found, end } = await attemptsAsked(reader, { workspace, query }, after, limit + 1);
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : end;
  return {
    attempts: shown.map(attemptRecord),
    cursor: last ? cursorOf(LIST, `${last.at} ${last.delivery} ${last.number}`) : null,
    hasMore: Boolean(last),
  };
}

type AttemptListRequest = { readonly workspace: number; readonly query: typeof listing.static };
/** `end`: where the list goes on, even if no more were found. */
type AttemptPage = { readonly found: readonly ListedAttempt[]; readonly end: AttemptPlace | null };

/** @throws AppError EMAIL_NOT_FOUND */
async function attemptsAsked(
  reader: Reader,
  { workspace, query }: AttemptListRequest,
  after: AttemptPlace | null,
  limit: number,
): Promise<AttemptPage> {
  const [failed, { emailId, workflowId: workflow, stepId: step }] = [query.outcome === "failed", query];
  const list = { workspace, failed, workflow, step };
  if (emailId === undefined)
    return { found: await latestAttempts(reader, list, after, limit), end: await endOfScan(reader, list, after) };
  const { id, contact } = await findEmail(reader, workspace, emailId);
  const all = contact === null ? [] : await attemptsAfterMail(reader, { id, contact }, MOST_OF_MAIL);
  const asked = all.filter(
    (one) =>
      (!failed || one.outcome === "failed") &&
      (workflow === undefined || one.workflowId === workflow) &&
      (step === undefined || one.stepId === step) &&
      (!after || order(one, after) > 0),
  );
  return { found: asked.sort(order).slice(0, limit), end: null };
}

/** Newest first. */
function order(one: AttemptPlace, other: AttemptPlace): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1;
  return other.delivery - one.delivery || other.number - one.number;
}

function placeIn(cursor: string): AttemptPlace {
  const [at = "", delivery, number] = keyInCursor(LIST, "string", cursor).split(" ");
  const place = { at, delivery: Number(delivery), number: Number(number) };
  if (!Number.isSafeInteger(place.delivery) || !(place.number >= 0 && place.number < 1_000)) throw notOfThisList();
  return place;
}

function attemptRecord(attempt: ListedAttempt): AttemptRecord {
  const { delivery: _, origin, dueAt, reply, state, ...same } = attempt;
  return {
    ...same,
    state,
    reply: reply === null ? null : reply.slice(0, MOST_REPLY_CHARS).toWellFormed(),
    host: URL.parse(origin)?.host ?? "",
    nextAt: state === "DUE" ? dueAt : null,
  };
}
