// The number of people that remain after each part of the condition.
import { useMemo } from "react";
import { draftOf, placed, type SegmentCondition } from "../../condition/draft.ts";
import { useKnownNames } from "../../condition/known-names.ts";
import type { AudiencePreview } from "../../condition/preview.ts";
import { describe } from "../../condition/describe.ts";
import { countInWords } from "../../condition/remaining.tsx";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { conditionTexts, segmentsTexts } from "../../texts/areas.ts";

type FunnelProps = {
  readonly preview: AudiencePreview;
  readonly condition: SegmentCondition;
  /** The numbers belong to an earlier condition. */
  readonly isOld: boolean;
};

export function Funnel({ preview, condition, isOld }: FunnelProps) {
  const t = useTexts(segmentsTexts).fall;
  const { segments, topics } = useKnownNames();
  const words = { t: useTexts(conditionTexts), segments, topics, number: useFormats().number };
  const { draft, places } = useMemo(() => {
    const draft = draftOf(condition);
    return { draft, places: placed(draft)?.places };
  }, [condition]);
  const { contacts, perFilter = [], approximate } = preview;
  const rows = draft.items.map((item, at) => {
    const place = places?.get(item.id);
    const sentence = describe(item, words);
    const joined = at === 0 ? sentence : draft.join === "all" ? t.and(sentence) : t.or(sentence);
    return { id: item.id, sentence: joined, remaining: perFilter.find((one) => one.at === place)?.remaining };
  });
  const all = { id: 0, sentence: t.everybody, remaining: contacts };
  return (
    <section className="stack fall-rows" aria-label={t.title}>
      <h3>{t.title}</h3>
      {[all, ...rows].map(({ id, sentence, remaining }) => (
        <div className="fall-row" key={id}>
          <span>{sentence}</span>
          <Meter share={isOld && id !== 0 ? 0 : (remaining ?? 0) / Math.max(1, contacts)} />
          <b className="end">
            {isOld && id !== 0
              ? "…"
              : remaining === undefined
                ? ""
                : countInWords(remaining, approximate && id !== 0, words)}
          </b>
        </div>
      ))}
    </section>
  );
}

const WIDTH = 1_000;

function Meter({ share }: { readonly share: number }) {
  return (
    <svg className="meter" viewBox={`0 0 ${WIDTH} 8`} preserveAspectRatio="none" aria-hidden="true">
      <rect className="g" width={WIDTH} height="8" />
      <rect className="v" width={Math.min(WIDTH, share * WIDTH)} height="8" />
    </svg>
  );
}
