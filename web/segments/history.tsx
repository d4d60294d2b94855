// A segment's size by day, its uses, and whether membership is tracked as events.
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../base/language.ts";
import { Skeleton, Facts, Panel } from "../parts/layout.tsx";
import { Switch } from "../parts/fields/checkbox.tsx";
import { Time, useNow } from "../parts/time.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { segmentsTexts } from "../texts/areas.ts";
import { growthQuery, useChange, usesQuery, type Segment } from "./calls.ts";
import { isUsed, UsesList } from "./uses.tsx";
import { useFormats } from "../base/formats.ts";

type HistoryProps = { readonly segment: Segment; readonly disabledReason: string | undefined };

export function History({ segment, disabledReason }: HistoryProps) {
  const t = useTexts(segmentsTexts);
  const { data: growth, ...askedGrowth } = useQuery(growthQuery(segment.id));
  const { data: uses, ...askedUses } = useQuery(usesQuery(segment.id));
  return (
    <div className="page">
      <Panel title={t.history.size} actions={<span className="dim small push">{t.history.days}</span>}>
        <div className="pad">
          {growth ? (
            <Growth segment={segment} sizes={growth.sizes} />
          ) : (
            <Skeleton of={askedGrowth} rows={4} columns={1} />
          )}
        </div>
      </Panel>
      <div className="cols history">
        <Panel title={t.history.facts}>
          <Settings segment={segment} disabledReason={disabledReason} />
        </Panel>
        <Panel title={t.usedBy}>
          {uses ? (
            isUsed(uses) ? (
              <UsesList uses={uses} />
            ) : (
              <p className="pad dim row-text">{t.unused}</p>
            )
          ) : (
            <Skeleton of={askedUses} rows={2} columns={2} className="segment-uses" />
          )}
        </Panel>
      </div>
    </div>
  );
}

function Settings({ segment, disabledReason }: HistoryProps) {
  const { history: t } = useTexts(segmentsTexts);
  const saving = useChange(segment, ({ trackMembership }) => showToast(trackMembership ? t.tracked : t.untracked));
  const isStatic = segment.type === "STATIC";
  const { slug, createdAt, updatedAt } = segment;
  return (
    <div className="pad stack l">
      <Facts
        facts={[
          [t.slug, <code key="slug">{slug}</code>],
          [
            t.events,
            <span key="events" className="stack tight">
              <code>{`segment.${slug}.entry`}</code>
              <code>{`segment.${slug}.exit`}</code>
            </span>,
          ],
          [t.made, <Time key="made" at={createdAt} as="exact" />],
          [t.changed, <Time key="changed" at={updatedAt} />],
        ]}
      />
      <div className="inline l">
        <Switch
          label={t.track}
          isOn={isStatic || segment.trackMembership}
          disabledReason={disabledReason ?? (isStatic ? t.always : undefined)}
          onChange={(trackMembership) => saving.mutate({ trackMembership })}
        />
        <span className="stack tight">
          <span>{t.track}</span>
          <span className="help">{isStatic ? t.always : t.trackHelp}</span>
        </span>
      </div>
    </div>
  );
}

type SizePanel = { readonly day: string; readonly members: number };
type GrowthProps = { readonly segment: Segment; readonly sizes: readonly SizePanel[] };

const WIDTH = 1_000;
const HEIGHT = 100;

/** The size as a line: a point per day, the last one now. */
function Growth({ segment, sizes }: GrowthProps) {
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
