// A condition in words, as its head says it.
import type { visual } from "../../texts/en/visual.ts";
import type { Comparison } from "./document.ts";

type Part = { readonly said: string; readonly isStrong: boolean };

export function conditionSaid(attrs: Readonly<Record<string, unknown>>, t: typeof visual): readonly Part[] {
  const comparison = (attrs["comparison"] ?? "isSet") as Comparison;
  const plain = (said: string): Part => ({ said, isStrong: false });
  const strong = (said: unknown): Part => ({ said: String(said), isStrong: true });
  const value = needsValue(comparison) ? [plain(" "), strong(attrs["value"] || "…")] : [];
  return [plain(`${t.onlyIf} `), strong(attrs["path"]), plain(` ${t.comparisons[comparison]}`), ...value];
}

export function needsValue(comparison: Comparison): boolean {
  return comparison !== "isSet" && comparison !== "isNotSet";
}
