// Settings in a form: whether they can be changed, and their values to and from text.
import type { components } from "../../api.gen.ts";
import { numberIn } from "../number-in.ts";

export type ServerSetting = components["schemas"]["Setting"];
export type SettingValue = ServerSetting["value"];

/** Whether it can be changed here. A value in the file or the environment has priority. */
export function isOpen({ change, source }: ServerSetting): boolean {
  return change !== "RESTART" && (source === "DEFAULT" || source === "INTERFACE");
}

const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
] as const;

/** As in the file: 900 seconds are `15m`. */
function spanText(seconds: number): string {
  const [unit, size] = UNITS.find(([, one]) => seconds >= one && seconds % one === 0) ?? ["s", 1];
  return `${seconds / size}${unit}`;
}

const isTime = ({ key, form }: ServerSetting, value: unknown) =>
  typeof value === "number" && (form === "TIME" || key.endsWith("retry_schedule"));

function oneText(setting: ServerSetting, value: string | number | boolean): string {
  return isTime(setting, value) ? spanText(Number(value)) : String(value);
}

/** The value to show; null = unset. */
export function shownText(setting: ServerSetting, value = setting.value): string | null {
  if (setting.isSecret) return setting.source === "DEFAULT" ? null : "••••••";
  if (value === null) return null;
  if (!Array.isArray(value)) return oneText(setting, value);
  return value.length === 0 ? null : value.map((one) => oneText(setting, one)).join(", ");
}

/** The initial value of a field; empty = the default. */
export function typedText(setting: ServerSetting): string {
  const { value, source, isSecret, form } = setting;
  if (isSecret || source === "DEFAULT" || value === null) return "";
  if (!Array.isArray(value)) return oneText(setting, value);
  return value.map((one) => oneText(setting, one)).join(form === "LIST" ? "\n" : ", ");
}

/** The value of a field, which the server validates; empty = the default. */
export function valueOf({ form }: ServerSetting, text: string): SettingValue {
  const typed = text.trim();
  if (typed === "") return null;
  if (form === "NUMBER") return numberIn(typed);
  if (form === "FLAG") return typed === "true";
  if (form === "LIST") return typed.split("\n").flatMap((line) => line.trim() || []);
  return typed;
}
