// The chart with its legend and, for screen readers, a table whose rows link to their emails.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { overviewTexts } from "../../texts/areas.ts";
import type { Point, MailStatistics } from "../calls.ts";
import { Chart } from "./chart.tsx";
import { CountNotes } from "./count-notes.tsx";
import { MailsLink } from "../emails-link.tsx";
import type { Range } from "../range.ts";
import { endOf } from "../time-range.ts";
import { fromFirst } from "./first-point.ts";
import { seriesOf, type SeriesName } from "./series-names.ts";

type SeriesStep = "hour" | "day";

type SeriesProps = { readonly statistics: MailStatistics; readonly zoom: (range: Range) => void };

export function Series({ statistics, zoom }: SeriesProps) {
  const [hidden, hide] = useState<ReadonlySet<SeriesName>>(new Set());
  const [at, setAt] = useState<number | null>(null);
  const navigate = useNavigate();
  const points = fromFirst(statistics.series[0]?.points ?? []);
  const drawn = seriesOf(statistics);
  const step: SeriesStep = statistics.step === "hour" ? "hour" : "day";
  const open = ({ at: since }: Point) => void navigate({ to: "/mail", search: { since, until: endOf(since, step) } });
  const toggle = (name: SeriesName) => hide((known) => known.symmetricDifference(new Set([name])));
  return (
    <div className="stack">
      <Legend drawn={drawn} points={points} at={at} step={step} hidden={hidden} toggle={toggle} />
      <Chart points={points} step={step} hidden={hidden} open={open} hover={setAt} zoom={zoom} />
      <CountNotes statistics={statistics} />
      <Figures drawn={drawn} points={points} step={step} />
    </div>
  );
}

type LegendProps = {
  readonly drawn: ReturnType<typeof seriesOf>;
  readonly points: readonly Point[];
  /** Index of the point under the pointer. */
  readonly at: number | null;
  readonly step: SeriesStep;
  readonly hidden: ReadonlySet<SeriesName>;
  readonly toggle: (name: SeriesName) => void;
};

function Legend({ drawn, points, at, step, hidden, toggle }: LegendProps) {
  const t = useTexts(overviewTexts).mail;
  const { number } = useFormats();
  const moment = useMoment(step);
  const point = at === null ? undefined : points[at];
  return (
    <div className="legend">
      {drawn.map(({ name }) => (
        <button key={name} type="button" aria-pressed={!hidden.has(name)} onClick={() => toggle(name)}>
          <svg className={`key ${name}`} viewBox="0 0 20 10" aria-hidden="true">
            {name === "sent" ? <rect x="4" width="12" height="10" /> : <path d="M0 5h20" />}
          </svg>
          {t.series[name]}
          {point && <b>{number(point[name])}</b>}
        </button>
      ))}
      <span className={point ? "dim push small" : "dim push small hint"}>{point ? moment(point.at) : t.chartHelp}</span>
    </div>
  );
}

function useMoment(step: SeriesStep): (at: string) => string {
  const { day, clock } = useFormats();
  return (at) => {
    const date = new Date(at);
    return step === "day" ? day(date) : `${day(date)}, ${clock(date)}`;
  };
}

type FiguresProps = Pick<LegendProps, "drawn" | "points" | "step">;

function Figures({ drawn, points, step }: FiguresProps) {
  const t = useTexts(overviewTexts).mail;
  const moment = useMoment(step);
  const [isOpen, setOpen] = useState(false);
  const filled = points.filter((point) => drawn.some(({ name }) => point[name] > 0));
  return (
    <details className="figures" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.asTable}</summary>
      {isOpen && (
        <table>
          <thead>
            <tr>
              <th>{t.time[step]}</th>
              {drawn.map(({ name }) => (
                <th key={name} className="end">
                  {t.series[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {filled.map((point) => (
              <tr key={point.at}>
                <th>
                  <MailsLink filters={{ since: point.at, until: endOf(point.at, step) }}>{moment(point.at)}</MailsLink>
                </th>
                {drawn.map(({ name }) => (
                  <td key={name} className="end">
                    <PointEmails name={name} point={point} step={step} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}

type PointEmailsProps = { readonly name: SeriesName; readonly point: Point; readonly step: SeriesStep };

/** Links to the emails behind a number of the table. */
function PointEmails({ name, point, step }: PointEmailsProps) {
  const { number } = useFormats();
  const shown = number(point[name]);
  if (point[name] === 0) return shown;
  return <MailsLink filters={{ happened: name, since: point.at, until: endOf(point.at, step) }}>{shown}</MailsLink>;
}
