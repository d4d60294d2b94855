// The delivery room: the way out of every mail, and the opens and clicks that come back.
import { HOUR_MS, iso } from "../clock.ts";
import type { Config } from "../config.ts";
import { MAIL_QUEUED } from "../emails/queued.ts";
import { endLeases } from "../emails/queue-queries.ts";
import type { Ground, Room } from "../ground.ts";
import type { Access } from "../access/auth.ts";
import { carriersHere, carriersInThread } from "./carrier/carriers.ts";
import { composerOf, type Composer } from "./composed.ts";
import { hopIn, hopName } from "./hop-queries.ts";
import { queueRoutes } from "./queue/routes.ts";
import type { RelayState } from "./reachability.ts";
import { rawMailRoutes } from "./routes.ts";
import { SendLoop } from "./send-loop.ts";
import type { Handover } from "./carrier/handover.ts";
import { takeSlot } from "./claim.ts";
import { handoverOptions, handoversAtOnce, paceOf, transportOptions } from "./sending-options.ts";
import { trackingRoutes } from "./tracking/routes.ts";
import { withSimulator } from "./transport/simulated.ts";
import type { Outcome, Transport } from "./transport/transport.ts";

type DeliveryRoom = Room & {
  readonly isGettingThrough: () => boolean;
  readonly relay: () => RelayState;
  readonly compose: Composer;
  /** Hands over a mail that is in no queue, at the next slot of the rate. */
  readonly sendNow: SendNow;
};

export type SendNow = (mail: Handover) => Promise<Outcome>;

/** In which outcomes of hand-overs are recorded together (jobs/outcomes.ts). */
const GATHER_MS = 20;

/** `transport`: used in this thread; by default the configured one, in a thread of its own. */
export async function openDelivery(ground: Ground, access: Access, transport?: Transport): Promise<DeliveryRoom> {
  const { config, clock, store, log, secrets } = ground;
  const { inHandBytes, ratePerSecond, retryScheduleSeconds } = config.delivery;
  const mail = handoverOptions(config, secrets);
  const carriers = transport ? carriersHere(withSimulator(transport)) : carriersInThread(transportOptions(config));
  const pace = paceOf(config, clock.headStartMs);
  const sending = new SendLoop({
    ...ground,
    ...mail,
    carriers,
    transport: config.delivery.transport,
    relay: nextHopOf(config),
    withAddresses: config.log.addresses,
    concurrency: handoversAtOnce(config),
    inHandBytes,
    followsCrash: await hasLeftMailsInHand(ground),
    pace,
    hop: await hopIn(store, hopName(config)),
    retry: { scheduleSeconds: retryScheduleSeconds, chance: Math.random },
    // On this thread one outcome comes after the other.
    gatherMs: transport ? 0 : GATHER_MS,
  });
  const relay = () => sending.relay;
  const compose = composerOf(store, carriers, mail);
  const sendNow: SendNow = async (letter) => {
    const atMs = await store.write((tx) => takeSlot(tx, { pace, clock }));
    await Bun.sleep(Math.max(0, atMs - clock.steadyNowMs()));
    return (await carriers.send(letter, null)).outcome;
  };
  return {
    compose,
    sendNow,
    isGettingThrough: () => sending.isGettingThrough,
    relay,
    routes: [
      rawMailRoutes(access, compose),
      trackingRoutes(store, secrets, log),
      queueRoutes(access, { configuredRate: ratePerSecond, relay }),
    ],
    loops: [
      { name: "sending", step: () => sending.step(), wokenBy: MAIL_QUEUED, inHand: sending.inHand },
      { name: "renewing leases", step: () => sending.renew() },
    ],
    // At once: otherwise a slow next hop gets mail after mail until the time is over, and the last ones are cut off.
    stop: () => carriers.finish(),
    close: () => void carriers.close(),
  };
}

function nextHopOf({ delivery: { transport }, relay, ses }: Config): string | null {
  if (transport === "smtp") return `${relay.host}:${relay.port}`;
  return transport === "ses" ? ses.region : null;
}

/** No other process works on this store, so every lease was left by one that is gone. */
async function hasLeftMailsInHand({ store }: Ground): Promise<boolean> {
  return store.exclusive && (await store.write((tx) => endLeases(tx, iso(tx.nowMs - HOUR_MS)))) > 0;
}
