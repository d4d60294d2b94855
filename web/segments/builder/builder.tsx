// The editor of a segment's condition, with its count, funnel, samples and the check of a person.
import { useState, type ReactNode, type Ref } from "react";
import { Link } from "@tanstack/react-router";
import { ConditionBuilder } from "../../condition/builder.tsx";
import type { SegmentCondition } from "../../condition/draft.ts";
import { useConditionPreview, type AudiencePreview } from "../../condition/preview.ts";
import type { FieldFault } from "../../calls/api.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Skeleton } from "../../parts/layout.tsx";
import { useMembership } from "../../calls/session.ts";
import { conditionTexts, segmentsTexts } from "../../texts/areas.ts";
import { Funnel } from "./funnel.tsx";
import { MatchSum } from "./match-sum.tsx";
import { CheckPerson } from "./check-person.tsx";
import { MarketingTag } from "../../condition/matching-people.tsx";
import { Button } from "../../parts/button.tsx";

type BuilderProps = {
  readonly condition: SegmentCondition | null;
  readonly onChange: (condition: SegmentCondition | null) => void;
  readonly email: string;
  readonly ask: (email: string) => void;
  readonly disabledReason?: string | undefined;
  readonly faults?: readonly FieldFault[];
  readonly moreThisWeek?: number | undefined;
  /** The saved segment; undefined for a new one. */
  readonly segmentId?: string;
  /** Shown above the builder. */
  readonly children?: ReactNode;
  readonly addFirst?: Ref<() => void> | undefined;
};

export function SegmentBuilder({
  condition,
  onChange,
  email,
  ask,
  disabledReason,
  faults = [],
  moreThisWeek,
  segmentId,
  children,
  addFirst,
}: BuilderProps) {
  const t = useTexts(segmentsTexts);
  const { everybody, counting } = useTexts(conditionTexts);
  const formats = useFormats();
  const workspace = useMembership()?.name ?? "";
  const [part, setPart] = useState<SegmentCondition | null>(null);
  const soFar = condition ?? part;
  const { preview, numbers, tookMs, faults: refused, asked } = useConditionPreview(soFar);
  return (
    <div className="split builder">
      <section className="first">
        <div className="scroll">
          <div className="page">
            {children}
            {preview && soFar && (
              <MatchSum
                preview={preview}
                condition={soFar}
                isOld={numbers?.isOld ?? false}
                moreThisWeek={moreThisWeek}
              />
            )}
            {!preview && soFar && <Skeleton of={asked} rows={1} columns={5} />}
            <ConditionBuilder
              value={condition}
              onChange={(next, soFar) => {
                setPart(soFar);
                onChange(next);
              }}
              numbers={numbers}
              faults={[...faults, ...refused]}
              disabledReason={disabledReason}
              segmentId={segmentId}
              addFirst={addFirst}
              head={preview && everybody(preview.contacts, formats.number(preview.contacts), workspace)}
            />
            {preview && soFar && <Funnel preview={preview} condition={soFar} isOld={numbers?.isOld ?? false} />}
          </div>
        </div>
        <div className="foot">
          <span>
            {numbers?.isOld && counting}
            {!numbers?.isOld && tookMs !== undefined && t.counted(formats.span(Math.max(1, Math.round(tookMs))))}{" "}
            {!numbers?.isOld && preview?.approximate && t.sampled}
          </span>
        </div>
      </section>
      <section className="second">
        <Examples preview={soFar ? preview : undefined} ask={ask} />
        <CheckPerson of={{ condition: soFar }} email={email} ask={ask} />
      </section>
    </div>
  );
}

const SHOWN = 4;

type ExamplesProps = { readonly preview: AudiencePreview | undefined; readonly ask: (email: string) => void };

/** A few matching people; each can be checked. */
function Examples({ preview, ask }: ExamplesProps) {
  const t = useTexts(segmentsTexts).examples;
  const [from, setFrom] = useState(0);
  const sample = preview?.sample ?? [];
  const start = from < sample.length ? from : 0;
  const others = () => setFrom(start + SHOWN < sample.length ? start + SHOWN : 0);
  return (
    <>
      <div className="examples-head inline">
        <h2>{t.title}</h2>
        {sample.length > SHOWN && (
          <span className="push">
            <Button kind="quiet" icon="again" onClick={others}>
              {t.others}
            </Button>
          </span>
        )}
      </div>
      <div className="rows examples">
        {sample.slice(start, start + SHOWN).map((person) => (
          <div className="line" key={person.id}>
            <Link className="cut plain" to="/people/$id" params={{ id: person.id }}>
              {person.email}
            </Link>
            <span className="small">
              <MarketingTag {...person} />
            </span>
            <button
              type="button"
              className="text-btn end"
              aria-label={t.whyOf(person.email)}
              onClick={() => ask(person.email)}
            >
              {t.why}
            </button>
          </div>
        ))}
        {sample.length === 0 && <p className="line none dim">{preview ? t.none : t.wait}</p>}
      </div>
    </>
  );
}
