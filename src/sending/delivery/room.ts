// The delivery room: the way out of every mail, and the opens and clicks that come back.
import { domainOf } from "../../base/addresses.ts";
import { HOUR_MS, iso } from "../../base/clock.ts";
import { DEFAULT_WAY } from "../../base/config/ways.ts";
import { FeedbackAddresses } from "../../tenant/domains/feedback-address.ts";
import type { MailToSend } from "../../mail/emails/queries.ts";
import { MAIL_QUEUED } from "../../mail/emails/queue/queued.ts";
import { endLeases } from "../../mail/emails/queue/queue-queries.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { Reader } from "../../store/store.ts";
import { composerOf, type Composer } from "./composed.ts";
import { FOLLOW_EVERY_MS, OpenWays, type WayStates, type Transports } from "../open-ways/open-ways.ts";
import { PaceKeeper } from "./pace/pacing.ts";
import { brakesShown } from "./queue/queue.ts";
import type { QueueRecord } from "./queue/record.ts";
import { queueRoutes } from "./queue/routes.ts";
import { rawMailRoutes } from "./routes.ts";
import { SendLoop } from "./send-loop.ts";
import type { Handover } from "../carrier/handover.ts";
import { takeSlot } from "./limits/rate.ts";
import { handoverOptions } from "../open-ways/sending-options.ts";
import { readOpenToken } from "../carrier/tracking/links.ts";
import { trackingRoutes } from "./tracking-routes.ts";
import { beginAtZero } from "./figures.ts";
import { ruleRoutes } from "../open-ways/rule-routes.ts";
import { wayRoutes } from "../open-ways/way-routes.ts";
import { recallRefusals } from "../open-ways/sender-news.ts";
import { isNotTaken } from "../open-ways/refused-by-way.ts";
import type { HandoverOutcome } from "../carrier/transport/transport.ts";
import type { OpenWay } from "../open-ways/open-way.ts";
import type { RelayState, WayChoice } from "../open-ways/way-choice.ts";
import { WAYS_CHANGED } from "../../ground/ways/list.ts";
import { LOOK_OFTEN_MS } from "../../base/jobs/due.ts";

type DeliveryRoom = Room & {
  readonly isGettingThrough: () => boolean;
  readonly relay: () => RelayState;
  /** The name of the mailbox provider of a domain; for any other server, the domain itself. */
  readonly mailboxOf: (domain: string) => Promise<string>;
  /** The highest rates at which a workspace's email leaves. */
  readonly limitsOn: (reader: Reader, workspace: number) => Promise<LimitsNow>;
  /** The ways out that are open in this process. */
  readonly outgoing: WayStates;
  readonly compose: Composer;
  /** The mail of a pixel's token; null = not signed by us, or not for all workspaces. */
  readonly mailOfPixel: (token: string) => string | null;
  /** Hands over a mail that is in no queue, at the next slot of the rate. */
  readonly sendNow: SendNow;
};

export type SendNow = (mail: Handover) => Promise<HandoverOutcome>;

/** Outcomes of hand-overs in this time are recorded together (jobs/outcomes.ts). */
const GATHER_MS = 20;

export async function openDelivery(ground: Ground, access: Access, here: Transports = {}): Promise<DeliveryRoom> {
  const { config, clock, store, secrets } = ground;
  const { delivery } = config;
  const mail = handoverOptions(config, secrets, ground.bases);
  const feedback = new FeedbackAddresses(ground);
  const feedbackAddressFor = async ({ kind, domain, fromAddress }: MailToSend) =>
    kind === "MARKETING" && domain !== null && domain === domainOf(fromAddress) ? feedback.of(domain) : null;
  const ways = await OpenWays.open(ground, here);
  const choice = ways.out;
  beginAtZero(ground.metrics, choice.all);
  await recallRefusals(store, choice.all);
  const pacing = new PaceKeeper({ ...ground, wayOfHop: (hop) => choice.withHop(hop)?.options.name ?? null });
  await pacing.load();
  const sending = new SendLoop({
    ...ground,
    ...mail,
    feedbackAddressFor,
    ways: choice,
    pacing,
    withAddresses: config.log.addresses,
    followsCrash: await hasLeftMailsInHand(ground),
    retry: {
      get scheduleSeconds() {
        return delivery.retryScheduleSeconds;
      },
      chance: Math.random,
    },
    // On this thread outcomes come one by one.
    gatherMs: here[DEFAULT_WAY] ? 0 : GATHER_MS,
  });
  ways.onChange = () => sending.inHand.tellRoom();
  pacing.onChange = () => sending.inHand.tellRoom();
  const relay = () => sending.relay;
  const compose = composerOf(store, () => ({ ...mail, ...choice.all[0].options, feedbackAddressFor }));
  const sendNow: SendNow = (letter) => sendBySome(letter, { choice, store, clock });
  return {
    compose,
    mailOfPixel: (token) => readOpenToken(secrets, token)?.emailId ?? null,
    sendNow,
    isGettingThrough: () => sending.isGettingThrough,
    relay,
    mailboxOf: (domain) => pacing.mailboxOf(domain),
    limitsOn: async (reader, workspace) => ({
      ratePerSecond: delivery.ratePerSecond || null,
      brakes: await brakesShown(reader, workspace, clock.nowMs()),
    }),
    outgoing: ways,
    routes: [
      rawMailRoutes(access, compose),
      trackingRoutes(ground),
      queueRoutes(access, { delivery, relay }),
      wayRoutes(access, ground, ways),
      ruleRoutes(access, ground, ways),
    ],
    loops: [
      { name: "following the ways out", step: () => ways.step(), wokenBy: WAYS_CHANGED, lookEveryMs: FOLLOW_EVERY_MS },
      { name: "renewing access tokens", step: () => ground.tokens.renew(ground.ways.used), wokenBy: WAYS_CHANGED },
      {
        name: "sending",
        step: () => sending.step(),
        wokenBy: MAIL_QUEUED,
        inHand: sending.inHand,
        lookEveryMs: LOOK_OFTEN_MS,
      },
      { name: "renewing leases", step: () => sending.renew(), lookEveryMs: ground.leaseMs / 3 },
      ...pacing.loops,
    ],
    // Immediately: otherwise a slow next hop gets mail after mail until the time is over, and the last ones are cut
    // off.
    stop: () => ways.finish(),
    close: () => ways.close(),
  };
}

type LimitsNow = { readonly ratePerSecond: number | null; readonly brakes: QueueRecord["brakes"] };

type LetterSendOptions = Pick<Ground, "store" | "clock"> & { readonly choice: WayChoice };

/** The interval between attempts to take a slot. */
const SLOT_EVERY_MS = 200;

/** Hands over by the first way that works; each is tried once. */
async function sendBySome(letter: Handover, { choice, store, clock }: LetterSendOptions): Promise<HandoverOutcome> {
  const tried: OpenWay[] = [];
  for (let way = choice.current(clock.monotonicMs()) ?? choice.all[0]; ;) {
    const { pacer, options } = way;
    tried.push(way);
    const take = () => store.write((tx) => takeSlot(tx, { ...options, pacer }));
    let atMs = await take();
    for (; atMs === null; atMs = await take()) await Bun.sleep(SLOT_EVERY_MS);
    await Bun.sleep(Math.max(0, atMs - clock.steadyNowMs()));
    const { outcome } = await way.use(domainOf(letter.recipient), () => options.carriers.send(letter, null));
    const next = choice.next(tried, clock.monotonicMs());
    if (next === null || !isNotTaken(outcome)) return outcome;
    way = next;
  }
}

/** No other process works on this store, so every lease is left over from a process that is gone. */
async function hasLeftMailsInHand({ store }: Ground): Promise<boolean> {
  return store.exclusive && (await store.write((tx) => endLeases(tx, iso(tx.nowMs - HOUR_MS)))) > 0;
}
