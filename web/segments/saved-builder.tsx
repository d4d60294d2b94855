// The builder of a saved segment. Changes wait for Save, because members enter and leave by them.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Fault } from "../api.ts";
import type { Condition } from "../condition/draft.ts";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { FaultBanner } from "../parts/form.tsx";
import { showToast } from "../parts/toast.tsx";
import { UnsavedGuard } from "../parts/unsaved.tsx";
import { segmentsTexts } from "../texts/areas.ts";
import { growthQuery, useChange, type Segment } from "./calls.ts";
import { SegmentBuilder } from "./builder.tsx";

const route = getRouteApi("/frame/segments/$id");

type SavedBuilderProps = { readonly segment: Segment; readonly disabledReason: string | undefined };

export function SavedBuilder({ segment, disabledReason }: SavedBuilderProps) {
  const t = useTexts(segmentsTexts);
  const navigate = useNavigate();
  const { why = "", ...search } = route.useSearch();
  const [condition, setCondition] = useState<Condition | null>(segment.condition);
  const [changed, setChanged] = useState(false);
  const saving = useChange(segment.id);
  const before = segment.condition;
  const save = (next: Condition, undo?: Condition | null) =>
    saving.mutate(
      { condition: next },
      {
        onSuccess: () => {
          setChanged(false);
          if (!undo) return setCondition(next);
          showToast(t.saved, { name: t.undo, icon: "undo", run: () => save(undo) });
        },
      },
    );
  const ask = (email: string) =>
    void navigate({
      to: "/segments/$id",
      params: { id: segment.id },
      search: { ...search, ...(email ? { why: email } : {}) },
      replace: true,
    });
  const whyNot = disabledReason ?? (condition === null ? t.unfilled : changed ? undefined : t.unchanged);
  const { error } = saving;
  return (
    <>
      {changed && <UnsavedGuard inTab />}
      {error instanceof Fault && error.errors.length === 0 && <FaultBanner fault={error} />}
      <SegmentBuilder
        segmentId={segment.id}
        condition={condition}
        onChange={(next) => {
          setCondition(next);
          setChanged(true);
        }}
        email={why}
        ask={ask}
        disabledReason={disabledReason}
        faults={error instanceof Fault ? error.errors : []}
        moreThisWeek={useMoreThisWeek(segment)}
        foot={
          <>
            {changed && (
              <Button
                small
                kind="quiet"
                onClick={() => {
                  setCondition(before && { ...before });
                  setChanged(false);
                }}
              >
                {t.discard}
              </Button>
            )}
            <Button
              small
              kind="first"
              disabledReason={whyNot}
              busy={saving.isPending}
              onClick={() => condition && save(condition, before)}
            >
              {t.save}
            </Button>
          </>
        }
      />
    </>
  );
}

const DAYS = 7;

/** Growth over seven days; undefined if it is newer. */
function useMoreThisWeek({ id, memberCount }: Segment): number | undefined {
  const { data } = useQuery(growthQuery(id));
  const sizes = data?.sizes ?? [];
  const then = sizes.at(-1 - DAYS);
  return then && memberCount - then.members;
}
