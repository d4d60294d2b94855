// Sends a test to everybody whom other settings of [alerts] name, before these are kept.
import { iso } from "../../base/clock.ts";
import { ownName, type Config, type ConfigProblem } from "../../base/config.ts";
import type { TrySettings } from "../installation/try-settings.ts";
import { recipientsOf, sendAlert, WEBHOOK, type AlertServices } from "./telling.ts";
import type { AlertNews } from "./words.ts";

/** The recipients of `next` who could not be told, where it differs from `now`. */
export function tryingAlerts(teller: Omit<AlertServices, "config">): TrySettings {
  return (now, next) => tried(teller, now, next);
}

/** No email leaves while it is captured. */
async function tried(
  teller: Omit<AlertServices, "config">,
  now: Config,
  next: Config,
): Promise<readonly ConfigProblem[]> {
  if (sameOf(now) === sameOf(next)) return [];
  const isCaptured = next.delivery.transport === "capture";
  const recipients = recipientsOf(next).filter((one) => one === WEBHOOK || !isCaptured);
  const news: AlertNews = {
    ...{ server: ownName(next), at: iso(teller.store.clock.nowMs()) },
    ...{ begun: [], over: [], isTest: true },
  };
  const told = await Promise.all(
    recipients.map(async (recipient) => {
      const problem = await sendAlert({ ...teller, config: next }, recipient, news).catch(
        (error: Error) => error.message,
      );
      const key = recipient === WEBHOOK ? "alerts.webhook" : "alerts.email";
      return problem === null ? [] : [{ key, message: `does not get the test: ${problem}` }];
    }),
  );
  return told.flat();
}

/** The settings that a test of alerts depends on. */
function sameOf({ alerts: { email, from, webhook, webhookSecret } }: Config): string {
  return JSON.stringify([email, from, webhook, webhookSecret]);
}
