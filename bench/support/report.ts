// One line a figure: ours, the limit measured beside it, their ratio, the goal, and whether it is met.
import type { Machine } from "./machine.ts";

export type Figure = {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  /** What the same machine does without Posthorn around it, measured in the same run. */
  readonly limit?: number;
  /** Where it is not ours to limit: the median of the passes' own ratios, which shake less than the medians. */
  readonly ratio?: number;
  readonly goal?: Goal;
  /** Beside the figure: percentiles, circumstances. */
  readonly note?: string;
};

export type Goal = { readonly atLeast?: number; readonly atMost?: number; readonly ratioAtLeast?: number };

export function ratioOf({ ours, limit, ratio }: Figure): number | null {
  if (ratio !== undefined) return ratio;
  return limit === undefined || limit === 0 ? null : ours / limit;
}

/** Null where there is no goal. */
export function isMet(figure: Figure): boolean | null {
  const { ours, goal } = figure;
  if (!goal) return null;
  const ratio = ratioOf(figure) ?? 0;
  return (
    ours >= (goal.atLeast ?? -Infinity) &&
    ours <= (goal.atMost ?? Infinity) &&
    ratio >= (goal.ratioAtLeast ?? -Infinity)
  );
}

export function table(figures: readonly Figure[]): string {
  const head = ["", "ours", "limit", "ratio", "goal", "met", ""];
  const rows = [head, ...figures.map(rowOf)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => padded(cell, widths[column] ?? 0, column))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function machineLine({ cores, processor, bun, fileSystem, syncP50Ms, busyPercent }: Machine): string {
  const busy = busyPercent === null ? "" : `, others kept it busy ${busyPercent} % before the run`;
  return `${cores} cores (${processor}), Bun ${bun}, ${fileSystem}, write + fsync ${syncP50Ms.toFixed(3)} ms${busy}`;
}

function rowOf(figure: Figure): string[] {
  const { name, unit, ours, limit, goal, note } = figure;
  const ratio = ratioOf(figure);
  const met = { true: "yes", false: "NO", null: "" }[String(isMet(figure)) as "true" | "false" | "null"];
  const cells = [
    name,
    `${shown(ours)} ${unit}`,
    limit === undefined ? "" : shown(limit),
    ratio === null ? "" : ratio.toFixed(2),
  ];
  return [...cells, goal ? goalText(goal) : "", met, note ?? ""];
}

function goalText({ atLeast, atMost, ratioAtLeast }: Goal): string {
  const parts = [
    atLeast === undefined ? "" : `≥ ${shown(atLeast)}`,
    atMost === undefined ? "" : `≤ ${shown(atMost)}`,
    ratioAtLeast === undefined ? "" : `ratio ≥ ${ratioAtLeast}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function shown(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}

function padded(cell: string, width: number, column: number): string {
  return column === 0 || column > 3 ? cell.padEnd(width) : cell.padStart(width);
}
