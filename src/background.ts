// Every loop and every periodic task of the process, on one page.
import { CampaignLoop } from "./campaigns/run.ts";
import { CAMPAIGN_WORK } from "./campaigns/sending.ts";
import { HOUR_MS, type Clock } from "./clock.ts";
import type { Above } from "./contacts/jobs/bulk.ts";
import { CONTACT_JOB } from "./contacts/jobs/job.ts";
import { ContactJobs } from "./contacts/jobs/work.ts";
import type { SendLoop } from "./delivery/send-loop.ts";
import type { HealthLimits } from "./emails/health/health.ts";
import { HealthWatch } from "./emails/health/watch.ts";
import { MAIL_RETURNED } from "./emails/email.ts";
import { MAIL_QUEUED } from "./emails/accept.ts";
import { removeExpired } from "./emails/confirmation.ts";
import { ERASING, Eraser } from "./emails/erasure.ts";
import type { Dispatcher } from "./events/dispatch.ts";
import { OUTBOX_FILLED } from "./events/outbox.ts";
import { forgetOldKeys } from "./http/idempotency.ts";
import type { Inbound } from "./inbound/inbound.ts";
import { MAIL_RECEIVED } from "./inbound/message.ts";
import { forgetOldNotices } from "./inbound/ses/notices.ts";
import type { InHand } from "./jobs/in-hand.ts";
import { gathered, loop, type Loop } from "./jobs/loop.ts";
import type { Log } from "./log.ts";
import type { Ports } from "./smtp-listener/ports.ts";
import { SEGMENT_CHANGED, sweepStep } from "./segments/sweep.ts";
import { ClockWatch } from "./store/clock-watch.ts";
import type { Store } from "./store/store.ts";
import { EXECUTION_DUE } from "./workflows/execution.ts";
import { forgetDeleted, forgetExecutions } from "./workflows/forgetting.ts";
import { RunLoop } from "./workflows/run-loop.ts";
import { fire } from "./workflows/fire.ts";
import { WEBHOOK_DUE } from "./workflows/webhook/holding.ts";
import type { WebhookLoop } from "./workflows/webhook/loop.ts";
import type { DomainContext } from "./workspaces/domains/check.ts";
import { watchStep } from "./workspaces/domains/watch.ts";

export interface Background {
  start(): void;
  /** Runs every loop until nothing is due now. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

type BackgroundOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly sendLoop: SendLoop;
  readonly dispatcher: Dispatcher;
  readonly domains: DomainContext;
  /** What work on many contacts takes from above their room. */
  readonly above: Above;
  readonly webhookLoop: WebhookLoop;
  readonly healthLimits: HealthLimits;
  /** How long executions that have ended keep their trace; 0 = for ever. */
  readonly executionDays: number;
  readonly inbound: Inbound;
  readonly ports: Pick<Ports, "step">;
};

/** Bounces and complaints come in swarms. */
const RATES_AFTER_MS = 5_000;
const EXPIRED_ROWS_A_BATCH = 1_000;
const EXPIRED_SIGN_UPS_A_BATCH = 50;

export function background(options: BackgroundOptions): Background {
  const { store, clock, log, sendLoop, webhookLoop, dispatcher, domains, above, healthLimits, ports, executionDays } =
    options;
  const { intake } = options.inbound;
  const sending = loop("sending", () => sendLoop.step(), log);
  const dispatching = loop("dispatching events", () => dispatcher.step(), log);
  const sweeping = loop("sweeping segments", () => sweepStep(store, clock), log);
  const contactJobs = new ContactJobs({ store, clock, log, above });
  const working = loop("working at imports and bulk jobs", () => contactJobs.step(), log);
  const { catchUp } = above;
  const campaignLoop = new CampaignLoop({
    store,
    clock,
    log,
    catchUp,
    isGettingThrough: () => sendLoop.isGettingThrough,
  });
  const campaigning = loop("campaigns", () => campaignLoop.step(), log);
  const runLoop = new RunLoop({ store, clock, log });
  const running = loop("running workflows", () => runLoop.step(), log);
  const calling = loop("sending webhooks", () => webhookLoop.step(), log);
  const eraser = new Eraser({ store, clock, log });
  const erasing = loop("erasing contacts", () => eraser.step(), log);
  const healthWatch = new HealthWatch({ store, clock, log, limits: healthLimits });
  const watching = loop("watching bounces and complaints", () => healthWatch.step(), log);
  const lookingAtMail = loop("looking at mail from outside", () => intake.step(), log);
  const clockWatch = new ClockWatch(store, clock);
  const loops: readonly Loop[] = [
    loop("watching the clock", () => clockWatch.step(), log),
    lookingAtMail,
    dispatching,
    sweeping,
    campaigning,
    running,
    calling,
    sending,
    working,
    loop("starting workflows by the clock", () => fire({ store, clock, log }), log),
    loop("deleting what is left of deleted workflows", () => forgetDeleted(store), log),
    loop("forgetting executions", () => forgetExecutions(store, executionDays), log),
    erasing,
    loop("looking at sender domains", () => watchStep(domains, clock), log),
    loop("looking after SMTP connections", () => ports.step(), log),
    loop("renewing leases", () => sendLoop.renew(), log),
    loop("renewing leases of mail from outside", () => intake.renew(), log),
    watching,
    loop("removing sign-ups that nobody confirmed", hourly(store, removeExpired, EXPIRED_SIGN_UPS_A_BATCH), log),
    loop("forgetting notices of SES", hourly(store, forgetOldNotices, EXPIRED_ROWS_A_BATCH), log),
    loop("forgetting idempotency keys", hourly(store, forgetOldKeys, EXPIRED_ROWS_A_BATCH), log),
  ];
  const waiting: Readonly<Record<string, Pick<Loop, "kick">>> = {
    [MAIL_QUEUED]: sending,
    [OUTBOX_FILLED]: dispatching,
    [CONTACT_JOB]: working,
    [SEGMENT_CHANGED]: sweeping,
    [CAMPAIGN_WORK]: campaigning,
    [EXECUTION_DUE]: running,
    [WEBHOOK_DUE]: calling,
    [MAIL_RECEIVED]: lookingAtMail,
    [ERASING]: erasing,
    [MAIL_RETURNED]: gathered(watching, RATES_AFTER_MS),
  };
  store.onSignal((what) => (what === null ? loops.forEach((one) => one.kick()) : waiting[what]?.kick()));
  sendLoop.inHand.onRoom = () => sending.kick();
  webhookLoop.inHand.onRoom = () => calling.kick();
  intake.inHand.onRoom = () => lookingAtMail.kick();
  const inHand = [sendLoop.inHand, webhookLoop.inHand, intake.inHand];
  return {
    start: () => loops.forEach((one) => one.start()),
    settle: async () => {
      while (await oneRound(loops, inHand));
    },
    stop: async () => {
      await Promise.all(loops.map((one) => one.stop()));
      await Promise.all(inHand.map((one) => one.idle()));
    },
  };
}

/** A step that removes what has expired, up to `most` rows at a time, and looks again in an hour. */
function hourly(store: Store, remove: (store: Store, most: number) => Promise<number>, most: number) {
  return async () => ((await remove(store, most)) < most ? HOUR_MS : 0);
}

/** A step that answers 0 has done something or knows of more; what it did may be another loop's work. */
async function oneRound(loops: readonly Loop[], inHand: readonly InHand[]): Promise<boolean> {
  let isBusy = false;
  for (const one of loops) {
    isBusy = (await one.step()) === 0 || isBusy;
    for (const other of inHand) isBusy = (await other.idle()) || isBusy;
  }
  return isBusy;
}
