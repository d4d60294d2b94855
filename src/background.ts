// Every loop and every periodic task of the process, on one page.
import { CampaignLoop } from "./campaigns/run.ts";
import { CAMPAIGN_WORK } from "./campaigns/sending.ts";
import type { Clock } from "./clock.ts";
import type { Above } from "./contacts/jobs/bulk.ts";
import { CONTACT_JOB } from "./contacts/jobs/job.ts";
import { ContactJobs } from "./contacts/jobs/work.ts";
import type { SendLoop } from "./delivery/send-loop.ts";
import { MAIL_QUEUED } from "./emails/accept.ts";
import { removeExpired } from "./emails/confirmation.ts";
import type { Consumer, Dispatcher } from "./events/dispatch.ts";
import { HAPPENED } from "./events/outbox.ts";
import { forgetOldKeys } from "./http/idempotency.ts";
import { loop, type Loop } from "./jobs/loop.ts";
import type { Log } from "./log.ts";
import { segmentMembership } from "./segments/membership.ts";
import { SEGMENT_CHANGED, sweepStep } from "./segments/sweep.ts";
import type { Store } from "./store/store.ts";

export interface Background {
  start(): void;
  /** Runs every loop until nothing is due now. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export type Workshop = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly sendLoop: SendLoop;
  readonly dispatcher: Dispatcher;
  /** What work on many contacts takes from above their room. */
  readonly above: Above;
};

const HOUR_MS = 60 * 60 * 1000;
const KEYS_A_BATCH = 1_000;
const SIGN_UPS_A_BATCH = 50;

/** Who acts on events and changes, in this order. */
export const CONSUMERS: readonly Consumer[] = [segmentMembership];

export function background({ store, clock, log, sendLoop, dispatcher, above }: Workshop): Background {
  const sending = loop("sending", () => sendLoop.step(), log);
  const dispatching = loop("dispatching events", () => dispatcher.step(), log);
  const sweeping = loop("sweeping segments", () => sweepStep(store, clock), log);
  const contactJobs = new ContactJobs({ store, clock, log, above });
  const working = loop("working at imports and bulk jobs", () => contactJobs.step(), log);
  const campaignLoop = new CampaignLoop({ store, clock, isGettingThrough: () => sendLoop.isGettingThrough });
  const campaigning = loop("campaigns", () => campaignLoop.step(), log);
  const loops: readonly Loop[] = [
    dispatching,
    sweeping,
    campaigning,
    sending,
    working,
    loop("renewing leases", () => sendLoop.renew(), log),
    loop(
      "removing sign-ups that nobody confirmed",
      async () => ((await removeExpired(store, SIGN_UPS_A_BATCH)) < SIGN_UPS_A_BATCH ? HOUR_MS : 0),
      log,
    ),
    loop(
      "forgetting idempotency keys",
      async () => ((await forgetOldKeys(store, KEYS_A_BATCH)) < KEYS_A_BATCH ? HOUR_MS : 0),
      log,
    ),
  ];
  const waiting: Readonly<Record<string, Loop>> = {
    [MAIL_QUEUED]: sending,
    [HAPPENED]: dispatching,
    [CONTACT_JOB]: working,
    [SEGMENT_CHANGED]: sweeping,
    [CAMPAIGN_WORK]: campaigning,
  };
  store.onSignal((what) => (what === null ? loops.forEach((one) => one.kick()) : waiting[what]?.kick()));
  sendLoop.onRoom = () => sending.kick();
  return {
    start: () => loops.forEach((one) => one.start()),
    settle: async () => {
      while (await oneRound(loops, sendLoop));
    },
    stop: async () => {
      await Promise.all(loops.map((one) => one.stop()));
      await sendLoop.idle();
    },
  };
}

/** A step that answers 0 has done something or knows of more; what it did may be another loop's work. */
async function oneRound(loops: readonly Loop[], sendLoop: SendLoop): Promise<boolean> {
  let isBusy = false;
  for (const one of loops) {
    isBusy = (await one.step()) === 0 || isBusy;
    isBusy = (await sendLoop.idle()) || isBusy;
  }
  return isBusy;
}
