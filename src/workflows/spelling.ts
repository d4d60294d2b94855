// Other spellings in which clients of this interface write steps and transitions, read as what they mean (README "What we chose").
import type { Variables } from "../contacts/data.ts";
import { invalidField } from "../errors.ts";
import type { StepType } from "./definition.ts";

/** @throws AppError VALIDATION_ERROR, the field named within the configuration */
export function plainConfig(type: StepType, config: Variables): Variables {
  if (type === "SEND_EMAIL") return plainMail(config);
  if (type === "UPDATE_CONTACT") return plainUpdate(config);
  return type === "CONDITION" ? plainCondition(config) : config;
}

/** `recipient: { type: "CUSTOM", customEmail }` is `to`. */
function plainMail({ recipient, ...config }: Variables): Variables {
  if (typeof recipient !== "object" || recipient === null || config["to"] !== undefined) return config;
  const { type, customEmail } = recipient as Variables;
  if (type !== "CUSTOM") return config;
  if (typeof customEmail !== "string")
    throw invalidField("recipient.customEmail", "A recipient of type CUSTOM needs an address.", "required");
  return { ...config, to: customEmail };
}

const ACTIONS: Readonly<Record<string, boolean | undefined>> = { none: undefined, subscribe: true, unsubscribe: false };

/** `updates` is `data`, `subscriptionAction` is `subscribed`. */
function plainUpdate({ updates, subscriptionAction: action, ...config }: Variables): Variables {
  const data = config["data"] ?? updates;
  if (action !== undefined && action !== null && !(typeof action === "string" && Object.hasOwn(ACTIONS, action)))
    throw invalidField("subscriptionAction", "The value must be none, subscribe or unsubscribe.", "invalid");
  const subscribed = config["subscribed"] ?? ACTIONS[(action ?? "none") as string];
  return { ...config, ...(data === undefined ? {} : { data }), ...(subscribed === undefined ? {} : { subscribed }) };
}

/** `workflow.…` is `event.…`: what an execution knows of is the data of its events. */
function plainCondition(config: Variables): Variables {
  const { field } = config;
  return typeof field === "string" ? { ...config, field: field.replace(/^workflow\./, "event.") } : config;
}

export type BranchWish = {
  readonly condition?: { readonly branch: string } | null;
  /** The branch of a wait, in capitals. */
  readonly waitOutcome?: "EVENT" | "TIMEOUT" | null;
};

export function branchIn({ condition, waitOutcome }: BranchWish): string | null {
  return condition?.branch ?? waitOutcome?.toLowerCase() ?? null;
}
