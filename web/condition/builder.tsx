// <ConditionBuilder value={condition} onChange={setCondition} numbers={numbers} />: a condition as filters and nested
// groups, for segments, audiences and workflow steps.
//
//   value     the API's condition; null = none yet. Another one than the last given to `onChange` starts over.
//   onChange  gets the condition after each change; null while there is no filter or one is incomplete, so it cannot be
//             saved. Its second argument is the complete part, for counts.
//   numbers   how many people remain after each filter, as `perFilter` of a preview has it; request it for
//             `canonical(condition)` (draft.ts). `useConditionPreview` (preview.ts) does so for segments,
//             `useDebouncedQuery` (counts.ts) for anything, once typing stops.
//   faults    the server's `errors`, wherever in the body the condition is.
//   disabledReason  why it cannot be changed; it is then described in words.
//   segmentId the segment that the condition belongs to; it is not offered, because it cannot refer to itself.
//   addFirst  gets a function that adds the first filter to an empty condition.
//   head      content at the end of the head, such as the number of people.
import { useId, useImperativeHandle, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from "react";
import type { FieldFault } from "../calls/api.ts";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { SegmentedControl } from "../parts/fields/segmented-control.tsx";
import { conditionTexts } from "../texts/areas.ts";
import "./condition.css";
import { draftOf, filledPart, placed, type SegmentCondition, type GroupNode, type ConditionNode } from "./draft.ts";
import { add, newFilter, pathTo } from "./edits.ts";
import { Editing } from "./editing.ts";
import { MatchingPeople } from "./matching-people.tsx";
import { Adders, Items } from "./group.tsx";
import { useKnownNames } from "./known-names.ts";
import type { ConditionCounts } from "./counts.ts";
import { describe } from "./describe.ts";

type ConditionBuilderProps = {
  readonly value: SegmentCondition | null;
  readonly onChange: (condition: SegmentCondition | null, soFar: SegmentCondition | null) => void;
  readonly numbers?: ConditionCounts | undefined;
  readonly faults?: readonly FieldFault[];
  readonly disabledReason?: string | undefined;
  readonly head?: ReactNode;
  readonly segmentId?: string | undefined;
  readonly addFirst?: Ref<() => void> | undefined;
};

/** `merge`: the changed part; consecutive changes of the same part are undone together. "" = never. */
type PastDraft = { readonly draft: GroupNode; readonly merge: string };
const MAX_UNDO = 100;

export function ConditionBuilder({
  value,
  onChange,
  numbers,
  faults = [],
  disabledReason,
  head,
  segmentId,
  addFirst,
}: ConditionBuilderProps) {
  const t = useTexts(conditionTexts);
  const { number } = useFormats();
  const known = useKnownNames();
  const offered = { ...known, segments: known.segments.filter(({ id }) => id !== segmentId) };
  const titleId = useId();
  const region = useRef<HTMLElement>(null);
  const [draft, setDraft] = useState(() => draftOf(value));
  const [past, setPast] = useState<readonly PastDraft[]>([]);
  const [lastValue, setLastValue] = useState(value);
  const [opened, setOpened] = useState<ConditionNode | null>(null);
  if (value !== lastValue) {
    setLastValue(value);
    setPast([]);
    setDraft(draftOf(value));
  }
  const show = (next: GroupNode) => {
    const condition = placed(next)?.condition ?? null;
    setDraft(next);
    setLastValue(condition);
    const part = filledPart(next);
    onChange(condition, part && (placed(part)?.condition ?? null));
  };
  const change = (next: GroupNode, merge = "") => {
    if (next === draft) return;
    const goesOn = merge !== "" && past.at(-1)?.merge === merge;
    if (!goesOn) setPast([...past, { draft, merge }].slice(-MAX_UNDO));
    show(next);
  };
  useImperativeHandle(addFirst, () => () => {
    if (draft.items.length === 0) change(add(draft, draft.id, newFilter("")));
  });
  const undo = (event: KeyboardEvent) => {
    const last = past.at(-1);
    if (event.key !== "Escape" || event.defaultPrevented || !last) return;
    if (!region.current?.contains(event.target as Element)) return;
    event.preventDefault();
    setPast(past.slice(0, -1));
    show(last.draft);
  };
  const words = { t, segments: known.segments, topics: known.topics, number };
  const filled = filledPart(draft);
  const places = (filled && placed(filled)?.places) ?? new Map<number, string>();
  const shown = opened && filled && placed(pathTo(filled, opened.id) ?? filled);
  return (
    <section ref={region} className="panel condition" aria-labelledby={titleId} onKeyDown={undo}>
      <header>
        <h2 id={titleId}>{t.title}</h2>
        {disabledReason === undefined && (
          <SegmentedControl
            small
            label={t.joinLabel}
            choices={(["all", "any"] as const).map((join) => ({ value: join, content: t.join[join] }))}
            value={draft.join}
            onChange={(join) => change({ ...draft, join })}
          />
        )}
        <span className="dim small push">{head}</span>
      </header>
      {disabledReason === undefined ? (
        <Editing value={{ draft, change, places, numbers, faults, known: offered, words, open: setOpened }}>
          <div className="pad crit">
            {draft.items.length === 0 && <p className="dim row-text">{t.nobody}</p>}
            <Items group={draft} depth={1} />
            <Adders group={draft} depth={1} hint={past.length > 0} />
          </div>
        </Editing>
      ) : (
        <div className="pad stack">
          <p>{draft.items.length === 0 ? t.nobody : describe(draft, words)}</p>
          <p className="dim row-text">{disabledReason}</p>
        </div>
      )}
      {opened && shown && (
        <MatchingPeople title={describe(opened, words)} condition={shown.condition} close={() => setOpened(null)} />
      )}
    </section>
  );
}
