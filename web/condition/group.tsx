// A nested group of filters: its join, and how many people remain after it.
import { useId } from "react";
import { Button } from "../parts/button.tsx";
import { SegmentedControl } from "../parts/fields/segmented-control.tsx";
import type { GroupNode, ConditionNode } from "./draft.ts";
import { add, countFilters, MAX_DEPTH, MAX_FILTERS, newFilter, newGroupIn, remove, replace } from "./edits.ts";
import { useEditing, useRemaining } from "./editing.ts";
import { FilterRow } from "./filter.tsx";
import { Remaining, focusNearby } from "./remaining.tsx";

export function Items({ group, depth }: { readonly group: GroupNode; readonly depth: number }) {
  const isLight = group.join === "any" && depth > 1;
  return group.items.map((item) =>
    item.kind === "filter" ? (
      <FilterRow key={item.id} filter={item} isLight={isLight} />
    ) : (
      <Group key={item.id} group={item} depth={depth + 1} />
    ),
  );
}

function Group({ group, depth }: { readonly group: GroupNode; readonly depth: number }) {
  const { draft, change, words } = useEditing();
  const { t } = words;
  const joinId = useId();
  const left = useRemaining(group);
  return (
    <div className="grp" role="group" aria-label={t.groupLabel(t.join[group.join])}>
      <div className="f">
        <div className="inline l">
          <span id={joinId}>
            <SegmentedControl
              small
              label={t.joinLabel}
              choices={(["all", "any"] as const).map((join) => ({ value: join, content: t.join[join] }))}
              value={group.join}
              onChange={(join) => change(replace(draft, { ...group, join }))}
            />
          </span>
          <Overlap group={group} left={left} />
        </div>
        <Remaining node={group} />
        <Button
          kind="quiet"
          small
          icon="x"
          label={t.removeGroup}
          onClick={(event) => {
            focusNearby(event.currentTarget);
            change(remove(draft, group.id));
          }}
        />
      </div>
      <Items group={group} depth={depth} />
      <Adders group={group} depth={depth} />
    </div>
  );
}

/** The overlap of exactly two alternatives: "640 + 801, of whom 237 match both". */
function Overlap({ group, left }: { readonly group: GroupNode; readonly left: number | undefined }) {
  const { t, number } = useEditing().words;
  const [one, other, ...more] = group.items as [ConditionNode, ConditionNode];
  const ofOne = useRemaining(one);
  const ofOther = useRemaining(other ?? one);
  if (group.join === "all" || !other || more.length > 0) return null;
  if (left === undefined || ofOne === undefined || ofOther === undefined) return null;
  return (
    <span className="or wide-only">
      {t.overlap(`${number(ofOne)} + ${number(ofOther)}`, number(Math.max(0, ofOne + ofOther - left)))}
    </span>
  );
}

type AddersProps = { readonly group: GroupNode; readonly depth: number; readonly hint?: boolean };

export function Adders({ group, depth, hint = false }: AddersProps) {
  const { draft, change, words } = useEditing();
  const { t } = words;
  const full = countFilters(draft) >= MAX_FILTERS ? t.full : undefined;
  const kind = depth === 1 ? undefined : "quiet";
  return (
    <div className="inline adders">
      <Button
        small
        {...(kind ? { kind } : {})}
        icon="plus"
        label={t.addFilterTo}
        disabledReason={full}
        onClick={() => change(add(draft, group.id, newFilter("")))}
      >
        {t.addFilter}
      </Button>
      <Button
        small
        {...(kind ? { kind } : {})}
        icon="plus"
        label={t.addGroupTo}
        disabledReason={full ?? (depth >= MAX_DEPTH ? t.deep : undefined)}
        onClick={() => change(add(draft, group.id, newGroupIn(group.join, "")))}
      >
        {t.addGroup}
      </Button>
      {hint && (
        <span className="push dim small wide-only">
          <kbd>Esc</kbd> {t.undo}
        </span>
      )}
    </div>
  );
}
