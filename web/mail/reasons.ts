// Why a mail was not taken, as the server reads it from the words of the refusal.
import type { Mail } from "./mails.ts";

export type Reason = NonNullable<Mail["reason"]>;

/** Whether the same mail may get through at another time. */
export function mayPass(reason: Reason): boolean {
  return ["FULL", "TOO_MUCH", "NO_ANSWER", "NOT_NOW"].includes(reason);
}

const STATES: readonly string[] = ["FAILED", "BOUNCED"];

/** Whether all mails of a list have a reason. */
export function haveReasons(status: string | undefined): boolean {
  return status !== undefined && status.split(",").every((one) => STATES.includes(one));
}
