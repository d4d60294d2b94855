// The reasons of refusals, as the server classifies them.
import type { Mail } from "./calls.ts";

export type UnsentReason = NonNullable<Mail["reason"]>;

/** Whether a later attempt may succeed. */
export function mayPass(reason: UnsentReason): boolean {
  return ["FULL", "TOO_MUCH", "NO_ANSWER", "NOT_NOW"].includes(reason);
}

const STATES: readonly string[] = ["FAILED", "BOUNCED"];

/** Whether all mails of a list have a reason. */
export function haveReasons(status: string | undefined): boolean {
  return status !== undefined && status.split(",").every((one) => STATES.includes(one));
}
