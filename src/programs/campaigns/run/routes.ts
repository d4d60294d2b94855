// /campaigns/{id}/…: the transitions of a campaign's state, and its test copy.
import { t } from "elysia";
import { isLongPast, longPast, sendTime } from "../../../mail/emails/send-time.ts";
import { sendTestCopies } from "../../../mail/emails/send/test-copies.ts";
import { testedShape, testShape } from "../../../mail/emails/send/test-shape.ts";
import { AppError, invalidField } from "../../../base/errors.ts";
import type { CatchUp } from "../../../tenant/events/dispatch.ts";
import { noteWarning } from "../../../http/body/body-notes.ts";
import { foundBefore, type PostRequest } from "../../../http/idempotency.ts";
import { success } from "../../../http/replies.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { warnWithoutAddress } from "../../../tenant/access/postal-address.ts";
import { post, route, routes } from "../../../tenant/access/route-table.ts";
import { audienceOf } from "../audience.ts";
import { findCampaign, repeatCampaign } from "../campaign.ts";
import { refuseWithoutRecipients } from "../gone-queries.ts";
import { answerChange, type CampaignChange } from "../details.ts";
import { campaignById, type Campaign, type Repeats } from "../queries.ts";
import { hasAudience } from "../audience-queries.ts";
import { campaignAnswerShape } from "../record.ts";
import { againShape, sendingShape } from "../shape.ts";
import { findPeople, NOBODY, type RecipientList } from "./found.ts";
import {
  cancelCampaign,
  campaignContent,
  pauseCampaign,
  resumeCampaign,
  sendCampaign,
  unscheduleCampaign,
} from "./run.ts";

export const cancelledCampaignShape = t.Object({ ...campaignAnswerShape.properties, message: t.String() });
const moves = { refuses: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_STATE", "DOMAIN_NOT_ALLOWED"] } as const;
const SECOND_MS = 1_000;
const CANCELLED = { message: "The campaign is cancelled: what had not been handed over is not sent." };

type RunRequest = PostRequest & { readonly caller: Caller; readonly params: { readonly id: string } };
type RunVerb = (tx: Tx, caller: Caller, id: string) => Promise<Campaign>;

export function campaignRunRoutes(access: Access & { readonly catchUp: CatchUp }) {
  const { store, clock, catchUp } = access;
  const moved = async (verb: RunVerb, { params: { id }, ...asked }: RunRequest, more: Partial<CampaignChange> = {}) => {
    const before = await store.read((reader) => campaignById(reader, asked.caller.workspace, id));
    const change = (tx: Tx) => verb(tx, asked.caller, id);
    return answerChange(access, asked, before ? [before] : [], { change, status: 200, ...more });
  };
  return routes(access, [
    route(
      "POST",
      "/campaigns/:id/send",
      {
        name: "sendCampaign",
        summary: "Send a campaign, now or later",
        answers: { 200: campaignAnswerShape },
        permission: "campaigns.send",
        body: sendingShape,
        refuses: [...moves.refuses, "NO_RECIPIENTS", "SEGMENT_NOT_FOUND", "DOMAIN_NOT_VERIFIED"],
      },
      async ({ params, body, caller, request, set }) => {
        const scheduledForMs = scheduledTime(body, clock.nowMs());
        await catchUp(caller.workspace);
        const reached = (reader: Reader) => peopleOf(reader, caller.workspace, params.id, clock.nowMs());
        const found = await foundBefore(() => store.read(reached, { longFor: caller.workspace }));
        const send: RunVerb = (tx) => sendCampaign(tx, caller, params.id, { scheduledForMs, found });
        const total = async (_: Tx, campaign: Campaign) => totalOf(campaign, found);
        warnWithoutAddress(caller, body);
        return moved(send, { params, body, caller, request, set }, { total });
      },
    ),
    route(
      "POST",
      "/campaigns/:id/cancel",
      {
        name: "cancelCampaign",
        summary: "Cancel a campaign",
        answers: { 200: cancelledCampaignShape },
        ...moves,
        permission: "campaigns.send",
      },
      ({ params, body, caller, request, set }) =>
        moved(cancelCampaign, { params, body, caller, request, set }, { extra: CANCELLED }),
    ),
    route(
      "POST",
      "/campaigns/:id/pause",
      {
        name: "pauseCampaign",
        summary: "Pause a campaign",
        answers: { 200: campaignAnswerShape },
        ...moves,
        permission: "campaigns.send",
      },
      ({ params, body, caller, request, set }) => moved(pauseCampaign, { params, body, caller, request, set }),
    ),
    route(
      "POST",
      "/campaigns/:id/resume",
      {
        name: "resumeCampaign",
        summary: "Resume a paused campaign",
        answers: { 200: campaignAnswerShape },
        ...moves,
        permission: "campaigns.send",
      },
      ({ params, body, caller, request, set }) => moved(resumeCampaign, { params, body, caller, request, set }),
    ),
    route(
      "POST",
      "/campaigns/:id/unschedule",
      {
        name: "unscheduleCampaign",
        summary: "Make a draft of a scheduled campaign again",
        answers: { 200: campaignAnswerShape },
        ...moves,
        permission: "campaigns.send",
        description: "Nothing of it has been sent. Scheduling it seconds ahead leaves time to take it back.",
      },
      ({ params, body, caller, request, set }) => moved(unscheduleCampaign, { params, body, caller, request, set }),
    ),
    route(
      "POST",
      "/campaigns/:id/again",
      {
        name: "repeatCampaign",
        summary: "Make a draft for those whom a campaign did not reach",
        answers: { 201: campaignAnswerShape },
        permission: "campaigns.write",
        body: againShape,
        refuses: [...moves.refuses, "NO_RECIPIENTS", "RECIPIENTS_GONE"],
        description:
          "Its people are frozen at once, and nobody is added later. Unsubscribed and suppressed people are left out, at once and when it is sent.",
      },
      async ({ params: { id }, body, caller, request, set }) => {
        const repeats = { campaignId: id, states: body.states ?? ["FAILED" as const] };
        const reaches = async (reader: Reader) => {
          await refuseWithoutRecipients(reader, caller.workspace, id);
          return repeatReachesAnybody(reader, caller.workspace, repeats, clock.nowMs());
        };
        const hasRecipients = await foundBefore(() => store.read(reaches, { longFor: caller.workspace }));
        const change = async (tx: Tx) => {
          const campaign = await repeatCampaign(tx, caller, repeats, body.name ?? null);
          if (!hasRecipients()) throw new AppError("NO_RECIPIENTS", "Nobody in these states would get it again.");
          return campaign;
        };
        return answerChange(access, { body, caller, request, set }, [], { change, status: 201 });
      },
    ),
    post(
      "/campaigns/:id/test",
      {
        name: "testCampaign",
        summary: "Send a test copy of a campaign",
        answers: { 200: testedShape },
        permission: "campaigns.write",
        body: testShape,
        description: "People without the permission `mail.send` send copies to members of the workspace only.",
        refuses: ["CAMPAIGN_NOT_FOUND", "CONTACT_NOT_FOUND", "DOMAIN_NOT_VERIFIED", "DOMAIN_NOT_ALLOWED"],
      },
      async (tx, { params, body, caller }) => {
        const content = campaignContent(await findCampaign(tx, caller.workspace, params.id));
        const tested = { sourceType: "CAMPAIGN", content } as const;
        return success(await sendTestCopies(tx, { caller, people: access.people }, tested, body));
      },
    ),
  ]);
}

type ScheduleBody = { readonly scheduledFor?: string | null; readonly delaySeconds?: number | null };

/** @throws AppError VALIDATION_ERROR on `scheduledFor` or `delaySeconds` */
function scheduledTime(when: ScheduleBody, nowMs: number): number | null {
  const { scheduledFor, delaySeconds } = when;
  const [text, seconds] = [scheduledFor ?? null, delaySeconds ?? null];
  if (text !== null && seconds !== null)
    throw invalidField("delaySeconds", "Give scheduledFor or delaySeconds, not both.", "conflict");
  if (seconds !== null) return nowMs + seconds * SECOND_MS;
  if (text === null) return null;
  const ms = sendTime("scheduledFor", text, nowMs);
  if (isLongPast(text, nowMs)) noteWarning(when, { field: "scheduledFor", message: longPast("the campaign") });
  return ms;
}

/** Before the transaction, because finding an audience may take long. */
async function peopleOf(reader: Reader, workspace: number, id: string, nowMs: number): Promise<RecipientList> {
  const campaign = await campaignById(reader, workspace, id);
  return campaign === null ? NOBODY : findPeople(reader, await audienceOf(reader, workspace, campaign, nowMs));
}

/** The total of a campaign that has just begun; null = it is in the record. */
function totalOf({ status, repeats }: Campaign, found: () => RecipientList): number | null {
  return status === "SENDING" && repeats === null ? found().people : null;
}

function repeatReachesAnybody(reader: Reader, workspace: number, repeats: Repeats, nowMs: number): Promise<boolean> {
  const none = { audienceType: "FILTERED", segmentId: null, audienceCondition: null } as const;
  return audienceOf(reader, workspace, { ...none, repeats }, nowMs).then((audience) => hasAudience(reader, audience));
}
