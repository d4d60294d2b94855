// Every loop and every periodic task of the process, on one page.
import type { SendLoop } from "./delivery/send-loop.ts";
import { forgetOldKeys } from "./http/idempotency.ts";
import { loop, type Loop } from "./jobs/loop.ts";
import type { Log } from "./log.ts";
import type { Store } from "./store/store.ts";

export interface Background {
  /** Mail may be due. */
  kickSending(): void;
  start(): void;
  /** Runs every loop until nothing is due now. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

const HOUR_MS = 60 * 60 * 1000;
const KEYS_A_BATCH = 1_000;

export function background(store: Store, sendLoop: SendLoop, log: Log): Background {
  const sending = loop("sending", () => sendLoop.step(), log);
  const loops: readonly Loop[] = [
    sending,
    loop("renewing leases", () => sendLoop.renew(), log),
    loop(
      "forgetting idempotency keys",
      async () => ((await forgetOldKeys(store, KEYS_A_BATCH)) < KEYS_A_BATCH ? HOUR_MS : 0),
      log,
    ),
  ];
  sendLoop.onRoom = () => sending.kick();
  store.onSignal(() => sending.kick());
  return {
    kickSending: () => {
      sending.kick();
      store.signal();
    },
    start: () => loops.forEach((one) => one.start()),
    settle: async () => {
      for (const one of loops) await untilNothingIsDue(one, sendLoop);
    },
    stop: async () => {
      await Promise.all(loops.map((one) => one.stop()));
      await sendLoop.idle();
    },
  };
}

/** A hand-over makes room for the next claim and may put its mail back, so the step is asked again after each. */
async function untilNothingIsDue(one: Loop, sendLoop: SendLoop): Promise<void> {
  let restMs = 0;
  do {
    restMs = await one.step();
  } while ((await sendLoop.idle()) || restMs === 0);
}
