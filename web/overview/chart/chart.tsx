// The chart, drawn by uPlot in the theme's colours. Dragging selects a range; a click opens its emails.
import { useEffect, useRef, useSyncExternalStore } from "react";
import uPlot from "uplot";
import { scheme } from "../../base/scheme.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { useSignal } from "../../base/signal.ts";
import { overviewTexts } from "../../texts/areas.ts";
import { coloursOf, plotOptions, type Handlers } from "./plot-options.ts";
import type { Range } from "../range.ts";
import { endOf } from "../time-range.ts";
import { SERIES, type SeriesName } from "./series-names.ts";
import type { Point } from "../calls.ts";
import "./chart.css";

type ChartProps = {
  readonly points: readonly Point[];
  readonly step: "hour" | "day";
  readonly hidden: ReadonlySet<SeriesName>;
  readonly open: (point: Point) => void;
  readonly hover: (at: number | null) => void;
  readonly zoom: (range: Range) => void;
};

const HEIGHT_PX = 256;
const SECOND_MS = 1_000;

export function Chart({ points, step, hidden, open, hover, zoom }: ChartProps) {
  const t = useTexts(overviewTexts).mail;
  const formats = useFormats();
  const box = useRef<HTMLDivElement>(null);
  const handlers = useRef<Handlers>(null as never);
  handlers.current = {
    open: (at) => points[at] && open(points[at]),
    hover,
    zoom: (fromMs, toMs) => zoom({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }),
  };
  const look = useColours();
  const plot = useRef<uPlot>(null as never);
  const end = useRef(0);
  useEffect(() => {
    const place = box.current as HTMLDivElement;
    const isOpen = () => end.current > Date.now();
    const size = { width: place.clientWidth, height: HEIGHT_PX };
    const options = plotOptions({ step, isOpen, colours: coloursOf(place), formats, handlers });
    const chart = (plot.current = new uPlot({ ...options, ...size }, [[], ...SERIES.map(() => [])], place));
    const watcher = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: HEIGHT_PX }));
    watcher.observe(place);
    return () => {
      watcher.disconnect();
      chart.destroy();
    };
  }, [step, formats, look]);
  // New points are added to the existing chart: a new one would end a drag.
  useEffect(() => {
    const last = points.at(-1);
    end.current = last === undefined ? 0 : Date.parse(endOf(last.at, step));
    const isFlat = (name: SeriesName) => name !== "sent" && points.every((point) => point[name] === 0);
    plot.current.batch((chart: uPlot) => {
      // Before setSeries, which rescales by the current data.
      chart.setData([
        points.map(({ at }) => Date.parse(at) / SECOND_MS),
        ...SERIES.map(({ name }) => points.map((one) => one[name])),
      ]);
      SERIES.forEach(({ name }, at) => chart.setSeries(at + 1, { show: !hidden.has(name) && !isFlat(name) }));
    });
  }, [points, step, hidden, formats, look]);
  return <div className="chart" ref={box} role="img" aria-label={t.chartLabel} />;
}

/** Identifies the current colours: changes with the colour scheme. */
function useColours(): string {
  const chosen = useSignal(scheme);
  const isDark = useSyncExternalStore(watchDark, () => DARK.matches);
  return `${chosen} ${isDark}`;
}

const DARK = matchMedia("(prefers-color-scheme: dark)");

function watchDark(listener: () => void): () => void {
  DARK.addEventListener("change", listener);
  return () => DARK.removeEventListener("change", listener);
}
