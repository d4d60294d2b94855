// A block's condition as text.
import type { visual } from "../../texts/en/visual.ts";
import type { Comparison } from "./document.ts";

type ConditionText = { readonly text: string; readonly isStrong: boolean };

export function conditionSaid(attrs: Readonly<Record<string, unknown>>, t: typeof visual): readonly ConditionText[] {
  const comparison = (attrs["comparison"] ?? "isSet") as Comparison;
  const plain = (text: string): ConditionText => ({ text: text, isStrong: false });
  const strong = (text: unknown): ConditionText => ({ text: String(text), isStrong: true });
  const value = needsValue(comparison) ? [plain(" "), strong(attrs["value"] || "…")] : [];
  return [plain(`${t.onlyIf} `), strong(attrs["path"]), plain(` ${t.comparisons[comparison]}`), ...value];
}

export function needsValue(comparison: Comparison): boolean {
  return comparison !== "isSet" && comparison !== "isNotSet";
}
