// Resend's calls about broadcasts.
import { audienceOf } from "../../campaigns/audience.ts";
import { createCampaign, findCampaign } from "../../campaigns/campaign.ts";
import { campaignsBeside } from "../../campaigns/listing.ts";
import { findPeople } from "../../campaigns/run/found.ts";
import { warnWithoutAddress } from "../../../tenant/access/postal-address.ts";
import { sendCampaign } from "../../campaigns/run/run.ts";
import { sendTime } from "../../../mail/emails/send-time.ts";
import { invalidField } from "../../../base/errors.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import { topicWithKey } from "../../../audience/topics/queries.ts";
import { notedWarnings } from "../../../http/body/body-notes.ts";
import { answerOnce, foundBefore } from "../../../http/idempotency.ts";
import { noted } from "../../../content/templates/written.ts";
import { nameWarnings, objectIn, textIn, type JsonFields } from "../fields.ts";
import type { CompatCall, CompatRequest } from "../own-calls.ts";
import { campaignFrom, newCampaignFrom, broadcastRecord, summaryOf } from "./broadcast-fields.ts";
import type { CallDeps } from "./call.ts";
import { listOf, pieceBeside, pieceIn } from "./lists.ts";
import { topicKeyIn, topicsNamed } from "./topic-fields.ts";

export function broadcastCalls(deps: CallDeps): readonly CompatCall[] {
  const { ours, store } = deps;
  const requestedCampaign = ({ caller, params }: CompatRequest) =>
    store.read((reader) => findCampaign(reader, caller.workspace, params["id"] ?? ""));
  const topicIn = async ({ body, caller }: CompatRequest) =>
    topicKeyIn(await topicsNamed(store, caller.workspace, [body]), objectIn("request", body));
  const done = (own: "cancelCampaign" | "unscheduleCampaign" | "duplicateCampaign") => async (asked: CompatRequest) => {
    const { data } = await ours.ask(own, asked, { params: asked.params });
    return { object: "broadcast", id: data.id };
  };
  return [
    {
      method: "POST",
      path: "/broadcasts",
      own: "createCampaign",
      work: async (asked) => {
        const body = newCampaignFrom(asked, await topicIn(asked));
        const { send, scheduled_at: time } = objectIn("request", asked.body);
        if (send != null && typeof send !== "boolean")
          throw invalidField("send", "This must be true or false.", "invalid");
        if (send === true) return sentAtOnce(deps, asked, body);
        if (time != null) throw invalidField("scheduled_at", "This is for a broadcast with send: true.", "invalid");
        const { data } = await ours.ask("createCampaign", asked, { body });
        return { id: data.id };
      },
    },
    {
      method: "GET",
      path: "/broadcasts",
      own: "listCampaigns",
      work: async ({ caller: { workspace }, request }) => {
        const seqOf = (id: string) => store.read(async (reader) => (await findCampaign(reader, workspace, id)).seq);
        const { items, hasMore } = await pieceBeside(pieceIn(request), seqOf, (than, isNewer, limit) =>
          store.read((reader) => campaignsBeside(reader, workspace, { than, isNewer }, limit)),
        );
        return listOf(items.map(summaryOf), hasMore);
      },
    },
    {
      method: "GET",
      path: "/broadcasts/:id",
      own: "getCampaign",
      work: async (asked) => {
        const campaign = await requestedCampaign(asked);
        const { topic } = campaign;
        const { workspace } = asked.caller;
        const named = topic === null ? null : await store.read((reader) => topicWithKey(reader, workspace, topic));
        return { object: "broadcast", ...broadcastRecord(campaign, named?.id ?? null) };
      },
    },
    {
      method: "PATCH",
      path: "/broadcasts/:id",
      own: "updateCampaign",
      work: async (asked) => {
        const { data } = await ours.ask("updateCampaign", asked, {
          params: asked.params,
          body: campaignFrom(asked, await topicIn(asked)),
        });
        return { id: data.id };
      },
    },
    {
      method: "POST",
      path: "/broadcasts/:id/send",
      own: "sendCampaign",
      work: async (asked) => {
        const body = { scheduledFor: timeIn(asked) ?? undefined };
        const { data } = await ours.ask("sendCampaign", asked, { params: asked.params, body });
        return { id: data.id };
      },
    },
    {
      method: "POST",
      path: "/broadcasts/:id/cancel",
      own: "cancelCampaign",
      // A scheduled one becomes a draft again.
      work: async (asked) =>
        done((await requestedCampaign(asked)).status === "SCHEDULED" ? "unscheduleCampaign" : "cancelCampaign")(asked),
    },
    { method: "POST", path: "/broadcasts/:id/duplicate", own: "duplicateCampaign", work: done("duplicateCampaign") },
    {
      method: "DELETE",
      path: "/broadcasts/:id",
      own: "deleteCampaign",
      work: async (asked) => {
        const { id, status } = await requestedCampaign(asked);
        if (status === "SCHEDULED") await ours.also("unscheduleCampaign", asked, { params: { id } });
        await ours.ask("deleteCampaign", asked, { params: { id } });
        return { object: "broadcast", id, deleted: true };
      },
    },
  ];
}

function timeIn({ body }: CompatRequest): string | null {
  const { scheduled_at: time } = body == null ? {} : objectIn("request", body);
  return time == null ? null : textIn("scheduled_at", time);
}

/** Made and sent in one transaction: a broadcast that cannot be sent is not made. */
async function sentAtOnce({ ours, store, clock, catchUp }: CallDeps, asked: CompatRequest, body: JsonFields) {
  const { caller, request, set } = asked;
  const { workspace } = caller;
  const input = ours.checked("createCampaign", body);
  const time = timeIn(asked);
  const scheduledForMs = time === null ? null : sendTime("scheduled_at", time, clock.nowMs());
  await catchUp(workspace);
  const meant = {
    audienceType: "SEGMENT",
    segmentId: input.segmentId ?? null,
    audienceCondition: null,
    repeats: null,
  } as const;
  const people = await foundBefore(() =>
    store.read(async (reader) => findPeople(reader, await audienceOf(reader, workspace, meant, clock.nowMs())), {
      longFor: workspace,
    }),
  );
  ours.refuseWithout("sendCampaign", asked);
  warnWithoutAddress(caller, input);
  nameWarnings(set.headers, notedWarnings(input));
  return answerOnce(
    store,
    { body: asked.body, caller, request, set },
    async (tx) => {
      const { id } = await createCampaign(tx, caller, noted(input));
      await sendCampaign(tx, caller, id, { scheduledForMs, found: people });
      notifyChange(tx, "campaigns", workspace);
      return { id };
    },
    200,
  );
}
