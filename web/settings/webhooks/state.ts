// The state of a webhook and of its deliveries.
import type { StatusIconName, Tone } from "../../parts/icons/icon.tsx";
import type { Delivery, Hook } from "./calls.ts";

type ConditionLook = { readonly icon: StatusIconName; readonly tone?: Tone };
export type WebhookCondition = "on" | "failing" | "off" | "switchedOff";

export function conditionOf({ enabled, failingSince, switchedOffAt }: Hook): WebhookCondition {
  if (!enabled) return switchedOffAt === null ? "off" : "switchedOff";
  return failingSince === null ? "on" : "failing";
}

export const CONDITIONS: Readonly<Record<WebhookCondition, ConditionLook>> = {
  on: { icon: "delivered", tone: "ok" },
  failing: { icon: "warn", tone: "warn" },
  off: { icon: "held", tone: "dim" },
  switchedOff: { icon: "failed", tone: "bad" },
};

export const STATES: Readonly<Record<Delivery["state"], ConditionLook>> = {
  DUE: { icon: "queued" },
  CALLING: { icon: "sending", tone: "note" },
  DELIVERED: { icon: "delivered", tone: "ok" },
  FAILED: { icon: "failed", tone: "bad" },
  CANCELLED: { icon: "held", tone: "dim" },
};

export const OUTCOME_TONES: Readonly<Record<"delivered" | "later" | "failed" | "underWay", ConditionLook>> = {
  delivered: { icon: "delivered", tone: "ok" },
  later: { icon: "queued" },
  failed: { icon: "failed", tone: "bad" },
  underWay: { icon: "sending", tone: "note" },
};
