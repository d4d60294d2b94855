// /emails/{id}: the record of each mail. The list is in list/routes.ts.
import { t } from "elysia";
import { eventsOfEmail } from "../../tenant/events/queries.ts";
import { idShape } from "../../http/answer-shapes.ts";
import { timeInputShape } from "../../http/schemas.ts";
import { alsoSpelt, SPELLINGS } from "../../http/body/spellings.ts";
import { type Declaration } from "../../http/answers.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { get, patch, post, remove, routes } from "../../tenant/access/route-table.ts";
import { settleByHand } from "./actions/by-hand.ts";
import { cancelEmail } from "./actions/cancel.ts";
import { findEmail, noEmail } from "./email.ts";
import { moveEmail } from "./actions/move.ts";
import { sendTime } from "./send-time.ts";
import { machineVisits } from "./visit-queries.ts";
import { attemptsOf, membersOf, pacedBy, recordedOf, repeatsOf } from "./past-queries.ts";
import { emailRecord, timeline } from "./record.ts";
import { resend } from "./actions/resend.ts";
import { returnPathOf, type ReturnPathOptions } from "./return-path.ts";
import { emailShape, memberShape, timelineShape } from "./shape.ts";

const openedShape = t.Object({
  ...emailShape.properties,
  recipients: t.Array(memberShape, {
    description: "All emails of its group, in the order `to`, `cc`, `bcc`; empty if it has none.",
  }),
  resentAs: t.Array(idShape),
  heldFor: t.Union([t.String(), t.Null()], {
    description: "If `held` is `PROVIDER_PACE`: the `mailbox` of the brake in `GET /queue`.",
  }),
  timeline: timelineShape,
});

const moveShape = t.Object(
  {
    sendAt: alsoSpelt(
      t.Union([timeInputShape, t.Null()], {
        description: "A date-time with a time zone, up to 366 days ahead. `null`, or a time in the past: now.",
      }),
      SPELLINGS.sendAt,
    ),
  },
  { examples: [{ sendAt: null }] },
);

const settlement = (name: string, summary: string, becomes: string) =>
  ({
    name,
    summary,
    answers: { 200: emailShape },
    permission: "mail.send",
    refuses: ["EMAIL_NOT_FOUND", "EMAIL_STATE"],
    description: `Of a PERHAPS_DELIVERED email alone, which becomes ${becomes}. If another copy was to be sent, it is not sent any more.`,
  }) satisfies Declaration;
const arrived = settlement("settleArrived", "Say that an email has arrived", "DELIVERED");
const notArrived = settlement("settleNotArrived", "Say that an email has not arrived", "FAILED and can be sent again");

export function emailRoutes(access: Access, returnPath: ReturnPathOptions) {
  const settle = async (...settled: Parameters<typeof settleByHand>) => {
    const mail = await settleByHand(...settled);
    return emailRecord(mail, returnPathOf(returnPath, mail));
  };
  return routes(access, [
    get(
      "/emails/:id",
      {
        name: "getEmail",
        summary: "Get an email and its timeline",
        answers: { 200: openedShape },
        permission: "read",
        forSenders: true,
        refuses: ["EMAIL_NOT_FOUND"],
        description: "A key with the permission `send` gets the emails that were sent with it.",
      },
      async (reader, { params, caller }) => {
        const mail = await findEmail(reader, caller.workspace, params.id);
        const recorded = await recordedOf(reader, mail.seq);
        if (caller.limits?.permissions === "send" && recorded?.by?.id !== caller.by.id) throw noEmail(params.id);
        const repeats = await repeatsOf(reader, mail.seq);
        const past = {
          repeats,
          recorded,
          attempts: await attemptsOf(reader, mail.seq),
          events: await eventsOfEmail(reader, mail.seq),
          machineVisits: await machineVisits(reader, mail.seq),
        };
        const resentAs = repeats.map(({ id }) => id);
        const recipients = mail.group === null ? [] : await membersOf(reader, mail.content);
        const record = emailRecord(mail, returnPathOf(returnPath, mail));
        const heldFor = mail.held === "PROVIDER_PACE" ? await pacedBy(reader, mail.seq) : null;
        return { ...record, recipients, resentAs, heldFor, timeline: timeline(mail, past) };
      },
    ),
    post(
      "/emails/:id/resend",
      {
        name: "resendEmail",
        summary: "Send an email again",
        answers: { 201: emailShape },
        permission: "mail.send",
        refuses: [
          "EMAIL_NOT_FOUND",
          "EMAIL_STATE",
          "DOMAIN_NOT_VERIFIED",
          "DOMAIN_NOT_ALLOWED",
          "CONTACT_UNSUBSCRIBED",
          "RECIPIENT_SUPPRESSED",
          "MARKETING_STOPPED",
          "CONTENT_GONE",
        ],
        description:
          "Queues another email with the same content for the same address; it belongs to no campaign. An email that has not left, is PERHAPS_DELIVERED, came from outside or is a test copy is refused, and so is one that names a person who was erased.",
      },
      async (tx, { params, caller }) => {
        const mail = await resend(tx, caller, params.id);
        return emailRecord(mail, returnPathOf(returnPath, mail));
      },
      { about: ({ contactId }) => (contactId === null ? [] : [contactId]) },
    ),
    post("/emails/:id/arrived", arrived, (tx, { params, caller }) => settle(tx, caller.workspace, params.id, true)),
    post("/emails/:id/not-arrived", notArrived, (tx, { params, caller }) =>
      settle(tx, caller.workspace, params.id, false),
    ),
    patch(
      "/emails/:id",
      {
        name: "moveEmail",
        summary: "Send a queued email at another time",
        answers: { 200: emailShape },
        permission: "mail.send",
        body: moveShape,
        refuses: ["EMAIL_NOT_FOUND", "EMAIL_STATE"],
        description:
          "The emails of a group move together. An email that is no longer QUEUED, or belongs to a campaign, cannot be moved.",
      },
      async (tx, { params, body, caller }) => {
        const sendAtMs = body.sendAt ? sendTime("sendAt", body.sendAt, tx.nowMs) : null;
        const mail = await moveEmail(tx, caller.workspace, params.id, sendAtMs);
        return emailRecord(mail, returnPathOf(returnPath, mail));
      },
    ),
    remove(
      "/emails/:id",
      {
        name: "cancelEmail",
        summary: "Cancel a queued email",
        answers: { 204: null },
        permission: "mail.send",
        refuses: ["EMAIL_NOT_FOUND", "EMAIL_STATE"],
        description:
          "It stays as CANCELLED, with who did so and when. An email that is no longer QUEUED cannot be cancelled.",
      },
      (tx, { params, caller }) => cancelEmail(tx, caller, params.id),
    ),
  ]);
}
