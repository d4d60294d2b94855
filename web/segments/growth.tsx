// The size of a segment as a line, a point a day, the last one now.
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { useNow } from "../parts/time.tsx";
import { segmentsTexts } from "../texts/areas.ts";
import type { Segment } from "./calls.ts";

type Size = { readonly day: string; readonly members: number };
type GrowthProps = { readonly segment: Segment; readonly sizes: readonly Size[] };

const WIDTH = 1_000;
const HEIGHT = 100;

export function Growth({ segment, sizes }: GrowthProps) {
  const { history: t } = useTexts(segmentsTexts);
  const { number, shortDay } = useFormats();
  const now = useNow();
  const points = [
    ...sizes.map(({ day, members }) => ({ ms: Date.parse(day), members })),
    { ms: now.getTime(), members: segment.memberCount },
  ];
  const [first, last] = [points[0], points.at(-1)];
  if (sizes.length === 0 || !first || !last) return <p className="dim row-text">{t.fewDays}</p>;
  const most = Math.max(4, ...points.map(({ members }) => members)) * 1.1;
  const x = (ms: number) => ((ms - first.ms) / Math.max(1, last.ms - first.ms)) * WIDTH;
  const y = (members: number) => HEIGHT - (members / most) * HEIGHT;
  const line = points.map(({ ms, members }) => `${x(ms).toFixed(1)},${y(members).toFixed(1)}`).join(" ");
  return (
    <figure className="stack tight">
      <svg
        className="growth"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.chart(number(first.members), number(last.members))}
      >
        <polygon className="area" points={`0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} />
        <line className="ground" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        <polyline className="line" points={line} />
      </svg>
      <figcaption className="inline small dim">
        <span>
          {shortDay(new Date(first.ms))}: {number(first.members)}
        </span>
        <span className="push">
          {shortDay(now)}: {number(last.members)}
        </span>
      </figcaption>
    </figure>
  );
}
