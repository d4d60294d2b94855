// Other spellings of a step's configuration that clients of this interface use (docs/workflows.md, "Transitions").
// Steps are stored and run in one spelling; a step is answered in its original one.
import type { Variables } from "../../../../audience/contacts/data.ts";
import { invalidField } from "../../../../base/errors.ts";
import type { SpellingField, StepType } from "../definition.ts";

export function spellingOf(type: StepType, config: Variables): readonly SpellingField[] {
  const has = (name: string) => config[name] !== undefined && config[name] !== null;
  if (type === "SEND_EMAIL")
    return typeof config["recipient"] === "object" && has("recipient") && !has("to") ? ["recipient"] : [];
  if (type === "UPDATE_CONTACT")
    return [
      ...(has("updates") && !has("data") ? (["updates"] as const) : []),
      ...(has("subscriptionAction") && !has("subscribed") ? (["subscriptionAction"] as const) : []),
    ];
  const isOfWorkflow = type === "CONDITION" && /^workflow\./.test(String(config["field"]));
  return isOfWorkflow ? ["workflow"] : [];
}

/** A configuration as it was written. */
export function asWritten(config: object, spelling: readonly SpellingField[] | undefined): object {
  if (!spelling || spelling.length === 0) return config;
  const { to, data, subscribed, field, ...rest } = config as Variables;
  const own = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value });
  const is = (name: SpellingField) => spelling.includes(name);
  return {
    ...rest,
    ...own("field", is("workflow") ? String(field).replace(/^event\./, "workflow.") : field),
    ...(is("recipient") ? { recipient: recipientOf(to) } : own("to", to)),
    ...own(is("updates") ? "updates" : "data", data),
    ...(is("subscriptionAction") ? { subscriptionAction: actionOf(subscribed) } : own("subscribed", subscribed)),
  };
}

function recipientOf(to: unknown): object {
  return to === undefined ? { type: "CONTACT" } : { type: "CUSTOM", customEmail: to };
}

function actionOf(subscribed: unknown): string {
  return Object.keys(ACTIONS).find((action) => ACTIONS[action] === subscribed) ?? "none";
}

/** @throws AppError VALIDATION_ERROR on a field within the configuration */
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

/** `workflow.…` is `event.…`: an execution knows the data of its events. */
function plainCondition({ condition, ...config }: Variables): Variables {
  const { field } = config;
  if (condition !== undefined && condition !== null) {
    if (field === undefined || field === null) return { condition };
    throw invalidField("condition", "A step compares a field or asks a condition, not both.", "invalid");
  }
  return typeof field === "string" ? { ...config, field: field.replace(/^workflow\./, "event.") } : config;
}
