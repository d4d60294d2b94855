// <ConditionBuilder value={condition} onChange={setCondition} numbers={numbers} />: who is meant, as filters and nested groups.
// For segments, the audience of campaigns and the steps of workflows.
//
//   value     the API's condition; null = nothing yet. It may be what `onChange` said last, or another one, which starts anew.
//   onChange  gets the condition after each change; null while there is no filter or one is not filled in: then it cannot be saved.
//             Its second argument is what there is so far, without what is not filled in: for numbers.
//   numbers   how many are left after each filter, as `perFilter` of a preview answers it; ask for `canonical(condition)` (draft.ts).
//             `useConditionPreview` (preview.ts) asks for segments, `useAnswer` (numbers.ts) anything, shortly after the last key.
//   faults    what the server refused: `errors` of its answer, wherever in the body the condition is.
//   disabledReason       why it cannot be changed; it is then told in words.
//   segmentId the segment whose condition it is: it is not offered, since it cannot ask for itself.
//   head      stands at the end of the head, such as how many people there are.
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { FieldFault } from "../api.ts";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { SegmentedControl } from "../parts/segmented-control.tsx";
import { conditionTexts } from "../texts/areas.ts";
import "./condition.css";
import { draftOf, filledPart, written, type Condition, type GroupNode, type Node } from "./draft.ts";
import { upTo } from "./edits.ts";
import { Editing } from "./editing.ts";
import { FoundPeople } from "./found-people.tsx";
import { Adders, Items } from "./group.tsx";
import { useKnown } from "./known.ts";
import type { Numbers } from "./numbers.ts";
import { said } from "./words.ts";

type ConditionBuilderProps = {
  readonly value: Condition | null;
  readonly onChange: (condition: Condition | null, soFar: Condition | null) => void;
  readonly numbers?: Numbers | undefined;
  readonly faults?: readonly FieldFault[];
  readonly disabledReason?: string | undefined;
  readonly head?: ReactNode;
  readonly segmentId?: string | undefined;
};

/** `merge`: what the change was about; changes of the same thing in a row are undone at once. */
type Past = { readonly draft: GroupNode; readonly merge: string };
const MOST_UNDONE = 100;

export function ConditionBuilder({
  value,
  onChange,
  numbers,
  faults = [],
  disabledReason,
  head,
  segmentId,
}: ConditionBuilderProps) {
  const t = useTexts(conditionTexts);
  const { number } = useFormats();
  const known = useKnown();
  const offered = { ...known, segments: known.segments.filter(({ id }) => id !== segmentId) };
  const titleId = useId();
  const region = useRef<HTMLElement>(null);
  const [draft, setDraft] = useState(() => draftOf(value));
  const [past, setPast] = useState<readonly Past[]>([]);
  const [told, setTold] = useState(value);
  const [opened, setOpened] = useState<Node | null>(null);
  if (value !== told) {
    setTold(value);
    setPast([]);
    setDraft(draftOf(value));
  }
  const show = (next: GroupNode) => {
    const condition = written(next)?.condition ?? null;
    setDraft(next);
    setTold(condition);
    const part = filledPart(next);
    onChange(condition, part && (written(part)?.condition ?? null));
  };
  const change = (next: GroupNode, merge = "") => {
    if (next === draft) return;
    const goesOn = merge !== "" && past.at(-1)?.merge === merge;
    if (!goesOn) setPast([...past, { draft, merge }].slice(-MOST_UNDONE));
    show(next);
  };
  const undo = (event: KeyboardEvent) => {
    const last = past.at(-1);
    if (event.key !== "Escape" || event.defaultPrevented || !last) return;
    if (!region.current?.contains(event.target as Element)) return;
    event.preventDefault();
    setPast(past.slice(0, -1));
    show(last.draft);
  };
  const words = { t, segments: known.segments, number };
  const filled = filledPart(draft);
  const places = (filled && written(filled)?.places) ?? new Map<number, string>();
  const shown = opened && filled && written(upTo(filled, opened.id) ?? filled);
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
          <p>{draft.items.length === 0 ? t.nobody : said(draft, words)}</p>
          <p className="dim row-text">{disabledReason}</p>
        </div>
      )}
      {opened && shown && (
        <FoundPeople title={said(opened, words)} condition={shown.condition} close={() => setOpened(null)} />
      )}
    </section>
  );
}
