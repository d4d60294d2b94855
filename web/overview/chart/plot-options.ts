// The uPlot options: axes, scales, bars, lines and pointer handlers.
import type { RefObject } from "react";
import uPlot from "uplot";
import type { Formats } from "../../base/formats.ts";
import { SERIES } from "./series-names.ts";

export type Handlers = {
  readonly open: (at: number) => void;
  readonly hover: (at: number | null) => void;
  readonly zoom: (fromMs: number, toMs: number) => void;
};

type Colours = Readonly<Record<string, string>>;

const INKS = ["--dim", "--hair", "--line", "--fig-1", "--fig-3", ...SERIES.map(({ token }) => token)];

/** The current values of the tokens; a canvas cannot use CSS variables. */
export function coloursOf(place: HTMLElement): Colours {
  const probe = place.appendChild(document.createElement("span"));
  const pairs = INKS.map((token) => {
    probe.style.color = `var(${token})`;
    return [token, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(pairs) as Colours;
}

type PlotInput = {
  readonly step: "hour" | "day";
  /** Whether the last step is not over yet. */
  readonly isOpen: () => boolean;
  readonly colours: Colours;
  readonly formats: Formats;
  readonly handlers: RefObject<Handlers>;
};

const STEP_SECONDS = { hour: 3_600, day: 86_400 };
const SECOND_MS = 1_000;
const FONT = "12px system-ui, sans-serif";
/** A shorter drag counts as a click. */
const DRAG_PX = 6;

export function plotOptions({
  step,
  isOpen,
  colours,
  formats,
  handlers,
}: PlotInput): Omit<uPlot.Options, "width" | "height"> {
  const half = STEP_SECONDS[step] / 2;
  const last: LastBar = {};
  return {
    legend: { show: false },
    padding: [8, 16, 0, 0],
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false, dist: DRAG_PX } },
    scales: {
      x: { range: (_, from, to) => [from - half, to + half] },
      y: { range: (_, _least, most) => [0, Math.max(4, most * 1.08)] },
    },
    axes: [timeAxis(step, colours, formats), countAxis(colours, formats)],
    series: [{}, ...SERIES.map((drawn) => series(drawn, colours, last))],
    hooks: {
      drawSeries: [({ ctx }, at) => at === BARS && isOpen() && last.box !== undefined && hatch(ctx, last.box, colours)],
      setCursor: [({ cursor }) => handlers.current.hover(cursor.idx ?? null)],
      setSelect: [(chart) => zoomed(chart, handlers.current)],
      ready: [(chart) => listen(chart, handlers)],
    },
  };
}

function series({ name, token, dash }: (typeof SERIES)[number], colours: Colours, last: LastBar): uPlot.Series {
  const colour = colours[token] ?? "";
  if (name !== "sent") return { stroke: colour, width: 1.5, ...(dash ? { dash } : {}), points: { show: false } };
  return {
    fill: colour,
    points: { show: false },
    paths: uPlot.paths.bars?.({ size: [0.72, 40], each: reserveLastBar(last) }) as uPlot.Series.PathBuilder,
  };
}

/** The last bar is incomplete: its box is kept and hatched before the lines are drawn. */
function reserveLastBar(last: LastBar): NonNullable<uPlot.Series.BarsPathBuilderOpts["each"]> {
  return (chart, _series, at, left, top, width, height) => {
    if (at === chart.data[0].length - 1 && height > 0) last.box = { left, top, width, height };
  };
}

/** The first series after the times. */
const BARS = 1;
type LastBar = { box?: Box };
type Box = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };

function hatch(ctx: CanvasRenderingContext2D, { left, top, width, height }: Box, colours: Colours): void {
  const gap = 5 * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.fillStyle = colours["--fig-3"] ?? "";
  ctx.fillRect(left, top, width, height);
  ctx.strokeStyle = colours["--fig-1"] ?? "";
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.setLineDash([]);
  ctx.beginPath();
  for (let x = left - height; x < left + width; x += gap) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}

function timeAxis(step: "hour" | "day", colours: Colours, formats: Formats): uPlot.Axis {
  return {
    font: FONT,
    stroke: colours["--dim"] ?? "",
    grid: { show: false },
    ticks: { show: false },
    size: 28,
    gap: 8,
    space: 96,
    incrs:
      step === "day"
        ? [1, 2, 7, 14, 30].map((days) => days * STEP_SECONDS.day)
        : [1, 3, 6, 12, 24, 48].map((hours) => hours * STEP_SECONDS.hour),
    values: (_, splits) =>
      splits.map((seconds) => {
        const at = new Date(seconds * SECOND_MS);
        return step === "hour" && at.getHours() !== 0 ? formats.clock(at) : formats.shortDay(at);
      }),
  };
}

function countAxis(colours: Colours, formats: Formats): uPlot.Axis {
  return {
    font: FONT,
    stroke: colours["--dim"] ?? "",
    grid: { stroke: colours["--hair"] ?? "", width: 1 },
    ticks: { show: false },
    size: (_, labels) => Math.max(...(labels ?? []).map((label) => label.length), 1) * 7 + 12,
    gap: 8,
    space: 56,
    incrs: [1, 2, 5]
      .flatMap((one) => [0, 1, 2, 3, 4, 5, 6].map((power) => one * 10 ** power))
      .sort((one, other) => one - other),
    values: (_, splits) => splits.map((count) => formats.number(count)),
  };
}

function zoomed(chart: uPlot, { zoom }: Handlers): void {
  const { left, width } = chart.select;
  if (width < DRAG_PX) return;
  const fromMs = chart.posToVal(left, "x") * SECOND_MS;
  const toMs = chart.posToVal(left + width, "x") * SECOND_MS;
  chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  zoom(fromMs, toMs);
}

function listen(chart: uPlot, handlers: RefObject<Handlers>): void {
  let downAt = 0;
  chart.over.addEventListener("pointerdown", ({ clientX }) => (downAt = clientX));
  chart.over.addEventListener("click", ({ clientX }) => {
    const { idx } = chart.cursor;
    if (idx != null && Math.abs(clientX - downAt) < DRAG_PX) handlers.current.open(idx);
  });
}
