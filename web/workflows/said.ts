// A step in a few words: its kind's icon, and what it is set to.
import type { Condition } from "../condition/draft.ts";
import type { useFormats } from "../formats.ts";
import type { IconName } from "../parts/icon.tsx";
import type { workflows } from "../texts/en/workflows.ts";
import type { Config, Drawing, Step, StepType } from "./drawing.ts";

export type Words = {
  readonly t: typeof workflows;
  readonly number: ReturnType<typeof useFormats>["number"];
  readonly templates: ReadonlyMap<string, { readonly name: string }>;
};

export const ICON_OF: Readonly<Record<StepType, IconName>> = {
  TRIGGER: "flag",
  SEND_EMAIL: "mail",
  DELAY: "clock",
  WAIT_FOR_EVENT: "clock",
  CONDITION: "branch",
  UPDATE_CONTACT: "pencil",
  WEBHOOK: "hook",
  EXIT: "check",
};

export function branchName(branch: string, step: Step | undefined, { t }: Pick<Words, "t">): string {
  const own = ((step?.config["branches"] ?? []) as readonly { id: string; name?: string | null }[]).find(
    ({ id }) => id === branch,
  );
  return own ? (own.name ?? own.id) : (t.branches[branch] ?? branch);
}

/** The name that people read: of the trigger what starts it. */
export function titleOf(step: Step, { trigger }: Drawing, words: Words): string {
  if (step.type !== "TRIGGER") return step.name;
  if (trigger.type === "EVENT") return String(trigger.config["eventName"] ?? "") || words.t.noEvent;
  return trigger.type === "MANUAL" ? words.t.byHand : words.t.bySchedule(String(trigger.config["cron"] ?? ""));
}

export function saidOf(step: Step, drawing: Drawing, words: Words): string {
  const { config } = step;
  const { t, templates } = words;
  switch (step.type) {
    case "TRIGGER":
      return `${t.types.TRIGGER}, ${t.entering[drawing.reentry]}`;
    case "SEND_EMAIL":
      return templates.get(String(config["templateId"]))?.name ?? (config["templateId"] ? "…" : t.noTemplate);
    case "DELAY":
      return spanSaid(Number(config["amount"]), config["unit"] as Unit, words);
    case "WAIT_FOR_EVENT":
      return waitSaid(config, words);
    case "CONDITION":
      return conditionSaid(config, words);
    case "UPDATE_CONTACT":
      return updateSaid(config, words);
    case "WEBHOOK":
      return webhookSaid(config, words);
    case "EXIT":
      return String(config["reason"] ?? t.end);
  }
}

export type Unit = "minutes" | "hours" | "days";
const SECONDS: Readonly<Record<Unit, number>> = { minutes: 60, hours: 3_600, days: 86_400 };

/** In the largest unit that it is a whole number of. */
export function spanIn(seconds: number): { readonly amount: number; readonly unit: Unit } {
  const unit = (["days", "hours"] as const).find((one) => seconds > 0 && seconds % SECONDS[one] === 0) ?? "minutes";
  return { amount: seconds / SECONDS[unit], unit };
}

export function secondsIn(amount: number, unit: Unit): number {
  return Math.round(amount * SECONDS[unit]);
}

function spanSaid(amount: number, unit: Unit, { t, number }: Words): string {
  return (t.units[unit] ?? t.units.days)(number(amount), amount === 1);
}

function waitSaid({ eventName, timeout }: Config, words: Words): string {
  const { t } = words;
  const name = String(eventName ?? "") || t.noEvent;
  if (typeof timeout !== "number") return `${name}, ${t.however}`;
  const { amount, unit } = spanIn(timeout);
  return `${name}, ${t.atMost(spanSaid(amount, unit, words))}`;
}

function conditionSaid({ mode, field, operator, value, branches, condition }: Config, { t }: Words): string {
  if (condition !== undefined) return condition === null ? t.noField : t.asksFilters(filtersIn(condition as Condition));
  if (!field) return t.noField;
  const name = fieldSaid(String(field), t);
  if (mode === "multi") return `${name}: ${((branches ?? []) as readonly unknown[]).length}`;
  const said = t.form.operators[operator as keyof typeof t.form.operators] ?? String(operator);
  return [name, said, operator === "exists" || operator === "notExists" ? "" : valueSaid(value, t)]
    .filter(Boolean)
    .join(" ");
}

export function filtersIn({ groups }: Condition): number {
  return groups.reduce(
    (sum, { filters, conditions }) => sum + filters.length + (conditions ? filtersIn(conditions) : 0),
    0,
  );
}

export function fieldSaid(field: string, t: Words["t"]): string {
  const [, root = "", rest = ""] = /^(contact\.data|data|event|contact)\.(.*)$/s.exec(field) ?? [];
  if (root === "contact") return (t.form.contact as Readonly<Record<string, string>>)[rest] ?? rest;
  return root === "event" ? `event.${rest}` : rest || field;
}

function valueSaid(value: unknown, t: Words["t"]): string {
  if (value === true) return t.form.yes;
  if (value === false) return t.form.no;
  return value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
}

function updateSaid({ data, subscribed }: Config, { t }: Words): string {
  const keys = Object.keys((data ?? {}) as object);
  const flag = subscribed === true ? [t.subscribes] : subscribed === false ? [t.unsubscribes] : [];
  return [...keys, ...flag].join(", ") || t.nothingSet;
}

function webhookSaid({ url, method }: Config, { t }: Words): string {
  const host = /^https?:\/\/([^/?#]+)/.exec(String(url ?? ""))?.[1];
  return host ? `${String(method ?? "POST")} ${host}` : t.noUrl;
}
