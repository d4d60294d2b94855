// The draft of a workflow: its drawing and the version it is based on; saving and conflicts.
import { useEffect, useState } from "react";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { showToast } from "../../parts/overlays/toast.tsx";
import { workflowsTexts } from "../../texts/areas.ts";
import { useCounts, useReplace } from "../calls.ts";
import { bodyOf, drawingOf, type Workflow } from "../drawing.ts";
import { useHistory } from "./history.ts";

/** The drawing, and the server's version it is based on. */
export function useDraft(workflow: Workflow) {
  const t = useTexts(workflowsTexts);
  const { number } = useFormats();
  const [base, setBase] = useState(workflow);
  const history = useHistory(drawingOf(workflow));
  const inside = useCounts(workflow.id)?.executions.inside ?? 0;
  const { mutate, isPending, error, reset } = useReplace(workflow.id, (saved, drawn) => {
    const known = new Set(base.steps.map(({ id }) => id));
    const refs = drawn.map(({ ref }) => ref).filter((ref) => !known.has(ref));
    const ids = saved.steps.map(({ id }) => id).filter((id) => !known.has(id));
    history.settle(new Map(refs.map((ref, at) => [ref, ids[at] ?? ref])));
    setBase(saved);
    const isRepaired = saved.warnings?.some(({ code }) => code === "repaired") ?? false;
    if (isRepaired) history.restart(drawingOf(saved));
    const done = isRepaired ? t.savedRepaired(number(saved.version)) : t.savedAs(number(saved.version));
    showToast(inside > 0 ? `${done} ${t.insideGoOn(number(inside), inside)}` : done);
  });
  const isBehind = workflow.updatedAt !== base.updatedAt && !isPending;
  const takeTheirs = () => {
    history.restart(drawingOf(workflow));
    setBase(workflow);
    reset();
  };
  // Turning the workflow on or off does not change the drawing.
  const isSameDrawing = JSON.stringify(drawingOf(workflow)) === JSON.stringify(drawingOf(base));
  useEffect(() => {
    if (isBehind && isSameDrawing) setBase(workflow);
    else if (isBehind && !history.isChanged) takeTheirs();
  });
  return {
    history,
    isSaving: isPending,
    fault: error,
    saveDisabledReason: (words: typeof t) => (history.isChanged ? undefined : words.nothingToSave),
    isOvertaken: isBehind && !isSameDrawing && history.isChanged,
    takeTheirs,
    keepMine: () => setBase(workflow),
    save: () => mutate({ ...bodyOf(history.now), ifUpdatedAt: base.updatedAt }),
  };
}

/** Undo and redo by keyboard, except in fields. */
export function useUndoKeys(
  history: { readonly undo: (() => void) | null; readonly redo: (() => void) | null } | null,
): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isField = event.target instanceof HTMLElement && event.target.closest("input, textarea, [role=dialog]");
      if (isField || event.key.toLowerCase() !== "z" || !(event.metaKey || event.ctrlKey) || event.altKey) return;
      const act = event.shiftKey ? history?.redo : history?.undo;
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });
}
