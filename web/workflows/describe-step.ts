// Describes a step in a few words: its icon, title and settings.
import type { SegmentCondition } from "../condition/draft.ts";
import { isTime } from "../condition/subjects.ts";
import type { useFormats } from "../base/formats.ts";
import type { IconName } from "../parts/icons/icon.tsx";
import type { workflows } from "../texts/en/workflows.ts";
import { describeSchedule } from "./schedule.ts";
import type { Config, Drawing, DrawnStep, StepType } from "./drawing.ts";

export type StepNames = {
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

export function branchName(branch: string, step: DrawnStep | undefined, { t }: Pick<StepNames, "t">): string {
  const own = ((step?.config["branches"] ?? []) as readonly { id: string; name?: string | null }[]).find(
    ({ id }) => id === branch,
  );
  return own ? (own.name ?? own.id) : (t.branches[branch] ?? branch);
}

/** The title of a step; for the trigger, the event or schedule that starts it. */
export function titleOf(step: DrawnStep, { trigger }: Drawing, names: StepNames): string {
  if (step.type !== "TRIGGER") return step.name;
  if (trigger.type === "EVENT") return String(trigger.config["eventName"] ?? "") || names.t.noEvent;
  return trigger.type === "MANUAL" ? names.t.byHand : describeSchedule(String(trigger.config["cron"] ?? ""), names.t);
}

export function describeStep(step: DrawnStep, drawing: Drawing, names: StepNames): string {
  const { config } = step;
  const { t, templates } = names;
  switch (step.type) {
    case "TRIGGER":
      return `${t.types.TRIGGER}, ${t.entering[drawing.reentry]}`;
    case "SEND_EMAIL":
      return templates.get(String(config["templateId"]))?.name ?? (config["templateId"] ? "…" : t.noTemplate);
    case "DELAY":
      return describeSpan(Number(config["amount"]), config["unit"] as DelayUnit, names);
    case "WAIT_FOR_EVENT":
      return describeWait(config, names);
    case "CONDITION":
      return describeCondition(config, names);
    case "UPDATE_CONTACT":
      return describeUpdate(config, names);
    case "WEBHOOK":
      return describeWebhook(config, names);
    case "EXIT":
      return String(config["reason"] ?? t.end);
  }
}

export type DelayUnit = "minutes" | "hours" | "days";
const SECONDS: Readonly<Record<DelayUnit, number>> = { minutes: 60, hours: 3_600, days: 86_400 };

/** In the largest unit without a remainder. */
export function toSpan(seconds: number): { readonly amount: number; readonly unit: DelayUnit } {
  const unit = (["days", "hours"] as const).find((one) => seconds > 0 && seconds % SECONDS[one] === 0) ?? "minutes";
  return { amount: seconds / SECONDS[unit], unit };
}

export function toSeconds(amount: number, unit: DelayUnit): number {
  return Math.round(amount * SECONDS[unit]);
}

function describeSpan(amount: number, unit: DelayUnit, { t, number }: StepNames): string {
  return (t.units[unit] ?? t.units.days)(number(amount), amount === 1);
}

function describeWait({ eventName, timeout }: Config, names: StepNames): string {
  const { t } = names;
  const name = String(eventName ?? "") || t.noEvent;
  if (typeof timeout !== "number") return `${name}, ${t.however}`;
  const { amount, unit } = toSpan(timeout);
  return `${name}, ${t.atMost(describeSpan(amount, unit, names))}`;
}

function describeCondition({ mode, field, operator, value, branches, condition }: Config, { t }: StepNames): string {
  if (condition !== undefined)
    return condition === null ? t.noField : t.asksFilters(countFilters(condition as SegmentCondition));
  if (!field) return t.noField;
  const name = describeField(String(field), t);
  if (mode === "multi") return `${name}: ${((branches ?? []) as readonly unknown[]).length}`;
  const names: Readonly<Record<string, string>> = {
    ...t.form.operators,
    ...(isTime(value as string) ? t.form.timeOperators : {}),
  };
  const operatorText = names[String(operator)] ?? String(operator);
  return [name, operatorText, operator === "exists" || operator === "notExists" ? "" : describeValue(value, t)]
    .filter(Boolean)
    .join(" ");
}

export function countFilters({ groups }: SegmentCondition): number {
  return groups.reduce(
    (sum, { filters, conditions }) => sum + filters.length + (conditions ? countFilters(conditions) : 0),
    0,
  );
}

export function describeField(field: string, t: StepNames["t"]): string {
  const [, root = "", rest = ""] = /^(contact\.data|data|event|contact)\.(.*)$/s.exec(field) ?? [];
  if (root === "contact") return (t.form.contact as Readonly<Record<string, string>>)[rest] ?? rest;
  return root === "event" ? `event.${rest}` : rest || field;
}

function describeValue(value: unknown, t: StepNames["t"]): string {
  if (value === true) return t.form.yes;
  if (value === false) return t.form.no;
  return value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
}

function describeUpdate({ data, subscribed }: Config, { t }: StepNames): string {
  const keys = Object.keys((data ?? {}) as object);
  const flag = subscribed === true ? [t.subscribes] : subscribed === false ? [t.unsubscribes] : [];
  return [...keys, ...flag].join(", ") || t.nothingSet;
}

function describeWebhook({ url, method }: Config, { t }: StepNames): string {
  const host = /^https?:\/\/([^/?#]+)/.exec(String(url ?? ""))?.[1];
  return host ? `${String(method ?? "POST")} ${host}` : t.noUrl;
}
