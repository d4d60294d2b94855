// Reported emails by day: passed ones, and failed ones on top.
import { useFormats } from "../../../base/formats.ts";
import { useTexts } from "../../../base/language.ts";
import { reportsTexts } from "../../../texts/areas.ts";
import type { Reports } from "./calls.ts";

const HEIGHT = 100;
const STEP = 10;
const DAY_MS = 86_400_000;

type Day = { readonly day: string; readonly messages: number; readonly passed: number };

export function Days({ reports }: { readonly reports: Reports }) {
  const t = useTexts(reportsTexts);
  const { number, shortDay } = useFormats();
  const days = allDays(reports);
  const most = Math.max(1, ...days.map(({ messages }) => messages));
  const height = (count: number) => (count / most) * HEIGHT;
  const nameOf = (day: string) => shortDay(new Date(`${day}T12:00:00`));
  return (
    <figure className="stack tight">
      <svg
        className="report-days"
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.chart(number(reports.dmarc.messages))}
      >
        {days.map(({ day, messages, passed }, index) => (
          <g key={day}>
            <title>{t.ofDay(nameOf(day), number(passed), number(messages - passed))}</title>
            <rect className="hit" x={index * STEP} width={STEP} y={0} height={HEIGHT} />
            <rect
              className="failed"
              x={index * STEP + 1}
              width={8}
              y={HEIGHT - height(messages)}
              height={height(messages - passed)}
            />
            <rect
              className="passed"
              x={index * STEP + 1}
              width={8}
              y={HEIGHT - height(passed)}
              height={height(passed)}
            />
          </g>
        ))}
      </svg>
      <figcaption className="inline dim small">
        <span>{nameOf(reports.firstDay)}</span>
        <span className="report-key push">
          <i className="passed" /> {t.passed} <i className="failed" /> {t.failed}
        </span>
        <span className="push">{nameOf(reports.lastDay)}</span>
      </figcaption>
    </figure>
  );
}

/** Adds the days without a report, which the API leaves out. */
function allDays({ firstDay, lastDay, dmarc }: Reports): readonly Day[] {
  const known = new Map(dmarc.series.map((one) => [one.day, one]));
  const count = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.parse(firstDay) + index * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, messages: 0, passed: 0 };
  });
}
