// The delivery room: the way out of every mail, and the opens and clicks that come back.
import { domainOf } from "../addresses.ts";
import { HOUR_MS, iso } from "../clock.ts";
import { DEFAULT_WAY } from "../config/ways.ts";
import { MAIL_QUEUED } from "../emails/queued.ts";
import { endLeases } from "../emails/queue-queries.ts";
import type { Ground, Room } from "../ground.ts";
import type { Access } from "../access/auth.ts";
import { carriersHere, carriersInThread } from "./carrier/carriers.ts";
import { composerOf, type Composer } from "./composed.ts";
import { memoryOf } from "./connections.ts";
import { hopIn, hopName } from "./hop-queries.ts";
import { Pacing } from "./pace/pacing.ts";
import { pacerIn, pacerOf } from "./queries.ts";
import { queueRoutes } from "./queue/routes.ts";
import { rawMailRoutes } from "./routes.ts";
import { SendLoop } from "./send-loop.ts";
import type { Handover } from "./carrier/handover.ts";
import { takeSlot } from "./slots.ts";
import { handoverOptions, handoversAtOnce, headerTermsOf, paceOf, transportOptions } from "./sending-options.ts";
import { trackingRoutes } from "./tracking/routes.ts";
import { withSimulator } from "./transport/simulated.ts";
import { isNotTaken } from "./refused-by-way.ts";
import type { Outcome, Transport } from "./transport/transport.ts";
import { WayOut } from "./way-out.ts";
import { WaysOut, type RelayState } from "./ways-out.ts";
import { defaultWay, placeOf, waysOf, type Way } from "./ways.ts";

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

/** By the name of the way: used in this thread. Any other way has the configured one, in a thread of its own. */
type Transports = Readonly<Record<string, Transport>>;

export async function openDelivery(ground: Ground, access: Access, here: Transports = {}): Promise<DeliveryRoom> {
  const { config, clock, store, log, secrets } = ground;
  const { ratePerSecond, retryScheduleSeconds } = config.delivery;
  const mail = handoverOptions(config, secrets);
  const ways = await openWays(ground, here);
  const [first] = ways;
  const { carriers } = first.options;
  const waysOut = new WaysOut(ways);
  const pacing = new Pacing({ ...ground, wayOfHop: (hop) => waysOut.withHop(hop)?.options.name ?? null });
  await pacing.load();
  const sending = new SendLoop({
    ...ground,
    ...mail,
    ways: waysOut,
    pacing,
    withAddresses: config.log.addresses,
    followsCrash: await hasLeftMailsInHand(ground),
    retry: { scheduleSeconds: retryScheduleSeconds, chance: Math.random },
    // On this thread one outcome comes after the other.
    gatherMs: here[DEFAULT_WAY] ? 0 : GATHER_MS,
  });
  const relay = () => sending.relay;
  const compose = composerOf(store, carriers, { ...mail, ...headerTermsOf(defaultWay(config)) });
  const sendNow: SendNow = (letter) => sendBySome(letter, { waysOut, store, clock });
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
      ...pacing.loops,
    ],
    // At once: otherwise a slow next hop gets mail after mail until the time is over, and the last ones are cut off.
    stop: async () => void (await Promise.all(ways.map(({ options: { carriers } }) => carriers.finish()))),
    close: () => ways.forEach(({ options: { carriers } }) => void carriers.close()),
  };
}

type Sending = Pick<Ground, "store" | "clock"> & { readonly waysOut: WaysOut };

/** How often a slot is looked for. */
const SLOT_EVERY_MS = 200;

/** By the first way that works; each is tried once. */
async function sendBySome(letter: Handover, { waysOut, store, clock }: Sending): Promise<Outcome> {
  const tried: WayOut[] = [];
  for (let way = waysOut.current(clock.monotonicMs()) ?? waysOut.all[0]; ;) {
    const { pacer, options } = way;
    tried.push(way);
    const take = () => store.write((tx) => takeSlot(tx, { ...options, pacer }));
    let atMs = await take();
    for (; atMs === null; atMs = await take()) await Bun.sleep(SLOT_EVERY_MS);
    await Bun.sleep(Math.max(0, atMs - clock.steadyNowMs()));
    const { outcome } = await way.use(domainOf(letter.recipient), () => options.carriers.send(letter, null));
    const next = waysOut.next(tried, clock.monotonicMs());
    if (next === null || !isNotTaken(outcome)) return outcome;
    way = next;
  }
}

type Ways = readonly [WayOut, ...WayOut[]];

async function openWays(ground: Ground, here: Transports): Promise<Ways> {
  const { config, store, clock } = ground;
  const named = waysOf(config);
  const memory = memoryOf(config.delivery.inHandBytes);
  const open = async (way: Way): Promise<WayOut> => {
    const pace = paceOf(way, clock.headStartMs);
    const transport = here[way.name];
    await pacerIn(store, pacerOf(way.name));
    return new WayOut({
      ...ground,
      ...headerTermsOf(way),
      name: way.name,
      transport: way.kind,
      relay: placeOf(way),
      carriers: transport ? carriersHere(withSimulator(transport)) : carriersInThread(transportOptions(config, way)),
      concurrency: handoversAtOnce(way),
      pace,
      hop: await hopIn(store, hopName(way)),
      isOneOfSeveral: named.length > 1,
      // What waits for a connection leaves in a burst, which each process spaces by itself (transport/spacing.ts).
      isStrict: pace !== null && !store.exclusive,
      memory,
    });
  };
  const ways: WayOut[] = [];
  for (const way of named) ways.push(await open(way));
  return ways as unknown as Ways;
}

/** No other process works on this store, so every lease was left by one that is gone. */
async function hasLeftMailsInHand({ store }: Ground): Promise<boolean> {
  return store.exclusive && (await store.write((tx) => endLeases(tx, iso(tx.nowMs - HOUR_MS)))) > 0;
}
