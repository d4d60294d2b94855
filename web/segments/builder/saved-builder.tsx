// The builder of a saved segment. Changes are not saved automatically, because they add and remove members.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Fault } from "../../calls/api.ts";
import type { SegmentCondition } from "../../condition/draft.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { useSeen } from "../../saving/saved-over.ts";
import { UnsavedGuard } from "../../parts/fields/unsaved.tsx";
import { segmentsTexts } from "../../texts/areas.ts";
import { growthQuery, useChange, type Segment } from "../calls.ts";
import { SegmentBuilder } from "./builder.tsx";

const route = getRouteApi("/frame/segments/$id");

/** The edited condition. The button in the screen's head saves it. */
export function useEditedCondition(segment: Segment) {
  const t = useTexts(segmentsTexts);
  const [condition, setCondition] = useState<SegmentCondition | null>(segment.condition);
  const [changed, setChanged] = useState(false);
  const seen = useSeen(segment, changed);
  const [shown, show] = useState(seen);
  const before = seen.condition;
  if (shown !== seen) {
    show(seen);
    if (JSON.stringify(before) !== JSON.stringify(condition)) setCondition(before);
  }
  const saving = useChange(seen);
  const save = (next: SegmentCondition, undo?: SegmentCondition | null) =>
    saving.mutate(
      { condition: next },
      {
        onSuccess: ({ row, isMine }) => {
          setChanged(false);
          if (!isMine || !undo) return setCondition(isMine ? next : row.condition);
          showToast(t.saved, { name: t.undo, icon: "undo", run: () => save(undo) });
        },
      },
    );
  return {
    condition,
    changed,
    error: saving.error,
    isSaving: saving.isPending,
    save: () => condition && save(condition, before),
    change: (next: SegmentCondition | null) => {
      setCondition(next);
      setChanged(true);
    },
    discard: () => {
      setCondition(before && { ...before });
      setChanged(false);
    },
  };
}

type SavedBuilderProps = {
  readonly segment: Segment;
  readonly edited: ReturnType<typeof useEditedCondition>;
  readonly disabledReason: string | undefined;
};

/** The buttons in the screen's head. */
export function SaveCondition({ edited, disabledReason }: Omit<SavedBuilderProps, "segment">) {
  const t = useTexts(segmentsTexts);
  const { condition, changed, isSaving, save, discard } = edited;
  const whyNot = disabledReason ?? (condition === null ? t.unfilled : changed ? undefined : t.unchanged);
  return (
    <>
      {changed && (
        <Button kind="quiet" onClick={discard}>
          {t.discard}
        </Button>
      )}
      <Button kind="first" disabledReason={whyNot} busy={isSaving} onClick={save}>
        {t.save}
      </Button>
    </>
  );
}

export function SavedBuilder({ segment, edited, disabledReason }: SavedBuilderProps) {
  const navigate = useNavigate();
  const { why = "", ...search } = route.useSearch();
  const { condition, changed, change, discard, error } = edited;
  const leave = useRef(discard);
  leave.current = discard;
  // Opening another tab despite the question discards the changes.
  useEffect(() => () => leave.current(), []);
  const ask = (email: string) =>
    void navigate({
      to: "/segments/$id",
      params: { id: segment.id },
      search: { ...search, ...(email ? { why: email } : {}) },
      replace: true,
    });
  return (
    <>
      {changed && <UnsavedGuard inTab />}
      {error instanceof Fault && error.errors.length === 0 && <FaultBanner fault={error} />}
      <SegmentBuilder
        segmentId={segment.id}
        condition={condition}
        onChange={change}
        email={why}
        ask={ask}
        disabledReason={disabledReason}
        faults={error instanceof Fault ? error.errors : []}
        moreThisWeek={useMoreThisWeek(segment)}
      />
    </>
  );
}

const DAYS = 7;

/** Growth over seven days; undefined for a newer segment. */
function useMoreThisWeek({ id, memberCount }: Segment): number | undefined {
  const { data } = useQuery(growthQuery(id));
  const sizes = data?.sizes ?? [];
  const then = sizes.at(-1 - DAYS);
  return then && memberCount - then.members;
}
