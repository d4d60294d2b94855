// Matching people as a sum: recipients of marketing email, and excluded people by reason.
import { useState } from "react";
import { compact } from "../../base/compact.ts";
import { MatchingPeople, type AudienceState } from "../../condition/matching-people.tsx";
import type { SegmentCondition } from "../../condition/draft.ts";
import type { AudiencePreview } from "../../condition/preview.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import type { StatusIconName, Tone } from "../../parts/icons/icon.tsx";
import { Sum } from "../../parts/number.tsx";
import { countInWords } from "../../condition/remaining.tsx";
import { conditionTexts, segmentsTexts } from "../../texts/areas.ts";

type SumProps = {
  readonly preview: AudiencePreview;
  readonly condition: SegmentCondition;
  /** The numbers belong to an earlier condition. */
  readonly isOld: boolean;
  /** Growth in the last week; undefined = not known. */
  readonly moreThisWeek?: number | undefined;
};

const PARTS: readonly (readonly [part: Exclude<AudienceState, "matched">, mark: StatusIconName, tone?: Tone])[] = [
  ["willReceive", "check", "ok"],
  ["unsubscribed", "unsub"],
  ["pending", "waiting"],
  ["suppressed", "cancelled"],
  ["paused", "held"],
];

export function MatchSum({ preview, condition, isOld, moreThisWeek = 0 }: SumProps) {
  const t = useTexts(segmentsTexts);
  const { number } = useFormats();
  const [opened, setOpened] = useState<AudienceState | null>(null);
  const { matched, willReceive, excluded, approximate } = preview;
  const values = { matched, willReceive, ...excluded };
  // No parts for zero matches. In a sample, empty parts are left out; otherwise the sum is complete.
  const isWhole = matched > 0 && !approximate;
  const parts = PARTS.filter(([id]) => (id !== "paused" && isWhole) || values[id] > 0);
  const words = { t: useTexts(conditionTexts), number };
  const shownOf = (id: AudienceState) => {
    if (isOld) return "…";
    return approximate && id === "matched" ? countInWords(matched, true, words) : values[id];
  };
  const change = moreThisWeek > 0 ? t.sum.more(number(moreThisWeek)) : t.sum.fewer(number(-moreThisWeek));
  const part = (id: AudienceState, icon?: StatusIconName, tone?: Tone) => ({
    id,
    ...compact({ icon, tone }),
    value: shownOf(id),
    label:
      isOld && id === "matched"
        ? words.t.counting
        : id === "matched" && moreThisWeek !== 0
          ? `${t.sum.matched}, ${change}`
          : t.sum[id],
    open: (shown: string) => (
      <button type="button" className="opens" onClick={() => setOpened(id)}>
        {shown}
      </button>
    ),
  });
  return (
    <div className="stack tight" aria-live="polite">
      <div className={isOld ? "is-old" : undefined}>
        <Sum parts={[part("matched"), ...parts.map(([id, icon, tone]) => part(id, icon, tone))]} />
      </div>
      {!isOld && matched > willReceive && <p className="dim small">{t.cannot(number(matched - willReceive))}</p>}
      {opened && (
        <MatchingPeople title={t.sumTitle[opened]} condition={condition} part={opened} close={() => setOpened(null)} />
      )}
    </div>
  );
}
