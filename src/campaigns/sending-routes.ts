// /campaigns/{id}/…: what moves a campaign from state to state, and the copy to look at (interface-gaps.md §5).
import { Elysia, t } from "elysia";
import { acceptTest } from "../emails/accept.ts";
import { sendTime } from "../emails/send-time.ts";
import { requiredAddress } from "../http/address-field.ts";
import { idShape, wrapped } from "../http/answer-shapes.ts";
import type { CatchUp } from "../events/dispatch.ts";
import { answers } from "../http/answers.ts";
import { answerOnce, foundBefore, type Post } from "../http/idempotency.ts";
import { success } from "../http/replies.ts";
import { idParams } from "../http/schemas.ts";
import { asBody } from "../http/shape.ts";
import type { Reader, Tx } from "../store/store.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import type { Caller } from "../workspaces/key-set.ts";
import { audienceOf } from "./audience.ts";
import { findCampaign } from "./campaign.ts";
import { detailsOf } from "./details.ts";
import { campaignById, type CampaignRow } from "./queries.ts";
import { campaignRecord, campaignShape } from "./record.ts";
import { hasAudience } from "./recipient-queries.ts";
import { cancelCampaign, contentOf, pauseCampaign, resumeCampaign, sendCampaign } from "./sending.ts";
import { MAX_DAYS_AHEAD, sendingShape, testShape } from "./shape.ts";

const CANCELLED_MESSAGE = "The campaign is cancelled: what had not been handed over is not sent.";

const one = wrapped(campaignShape);
const cancelled = t.Object({ ...one.properties, message: t.String() });
const tested = wrapped(t.Object({ email: idShape }));
const moves = { refuses: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_STATE", "DOMAIN_NOT_ALLOWED"] } as const;
const sends = {
  refuses: [...moves.refuses, "NO_RECIPIENTS", "SEGMENT_NOT_FOUND", "DOMAIN_NOT_VERIFIED"],
} as const;
const tests = { refuses: ["CAMPAIGN_NOT_FOUND", "DOMAIN_NOT_VERIFIED", "DOMAIN_NOT_ALLOWED"] } as const;

type Asked = Post & { readonly caller: Caller };
type Verb = (tx: Tx, caller: Caller, id: string) => Promise<CampaignRow>;

export function campaignSendingRoutes(access: Access & { readonly catchUp: CatchUp }) {
  const { store, clock, catchUp } = access;
  /** Counted before the change is made: it may take long, and changes no count. */
  const moved = async <Said extends object>(verb: Verb, id: string, post: Asked, said: Said) => {
    const { workspace } = post.caller;
    const before = await store.read((reader) => campaignById(reader, workspace, id));
    const details = await detailsOf(access, post.caller, before ? [before] : []);
    const work = async (tx: Tx) => campaignRecord(await verb(tx, post.caller, id), details);
    return answerOnce(store, post, async (tx) => ({ ...success(await work(tx)), ...said }), 200);
  };
  return new Elysia({ prefix: "/campaigns" })
    .use(secretKey(access))
    .post(
      "/:id/send",
      async ({ params: { id }, body, caller, request, set }) => {
        const scheduledForMs = scheduledTime(body.scheduledFor ?? null, clock.nowMs());
        await catchUp(caller.workspace);
        const reaches = (reader: Reader) => reachesAnybody(reader, caller.workspace, id, clock.nowMs());
        const hasRecipients = await foundBefore(() => store.read(reaches, { longFor: caller.workspace }));
        const send: Verb = (tx) => sendCampaign(tx, caller, id, { scheduledForMs, hasRecipients });
        return moved(send, id, { body, caller, request, set }, {});
      },
      {
        params: idParams,
        body: asBody(sendingShape(clock.nowMs())),
        detail: answers("Send a campaign, now or later", { 200: one }, sends),
      },
    )
    .post(
      "/:id/cancel",
      ({ params: { id }, body, caller, request, set }) =>
        moved(cancelCampaign, id, { body, caller, request, set }, { message: CANCELLED_MESSAGE }),
      { params: idParams, detail: answers("Cancel a campaign", { 200: cancelled }, moves) },
    )
    .post(
      "/:id/pause",
      ({ params: { id }, body, caller, request, set }) => moved(pauseCampaign, id, { body, caller, request, set }, {}),
      { params: idParams, detail: answers("Let nothing more leave for the time being", { 200: one }, moves) },
    )
    .post(
      "/:id/resume",
      ({ params: { id }, body, caller, request, set }) => moved(resumeCampaign, id, { body, caller, request, set }, {}),
      { params: idParams, detail: answers("Go on with a paused campaign", { 200: one }, moves) },
    )
    .post(
      "/:id/test",
      ({ params: { id }, body, caller, request, set }) => {
        const address = requiredAddress("email", body.email);
        const work = async (tx: Tx) => success({ email: await sendTest(tx, caller, id, address) });
        return answerOnce(store, { body, caller, request, set }, work, 200);
      },
      {
        params: idParams,
        body: asBody(testShape),
        detail: answers("Send one copy of a campaign, to look at", { 200: tested }, tests),
      },
    );
}

/** @throws AppError VALIDATION_ERROR on `scheduledFor` */
function scheduledTime(text: string | null, nowMs: number): number | null {
  return text === null ? null : sendTime({ field: "scheduledFor", text, daysAhead: MAX_DAYS_AHEAD }, nowMs);
}

/** Looked at before the change is made, as an audience may take long to find. */
async function reachesAnybody(reader: Reader, workspace: number, id: string, nowMs: number): Promise<boolean> {
  const campaign = await campaignById(reader, workspace, id);
  return campaign !== null && hasAudience(reader, await audienceOf(reader, workspace, campaign, nowMs));
}

/** @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED */
async function sendTest(tx: Tx, caller: Caller, id: string, address: string): Promise<string> {
  const content = contentOf(await findCampaign(tx, caller.workspace, id));
  return acceptTest(tx, caller, { ...content, subject: `[TEST] ${content.subject}` }, address);
}
