// Turns a workflow on and off, with Undo. Warns if it waits for an event that has never happened.
import { useMutation } from "@tanstack/react-query";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { showToast, showWarning } from "../parts/overlays/toast.tsx";
import { workflowsTexts } from "../texts/areas.ts";
import { useChange } from "./calls.ts";
import type { Drawing, Workflow } from "./drawing.ts";
import { silentEvents } from "./use-validation.ts";

type OnOffProps = {
  readonly workflow: Workflow;
  readonly isChanged: boolean;
  readonly isLacking: boolean;
  /** The saved drawing if nothing has changed. */
  readonly drawing: Drawing;
  readonly disabledReason: string | undefined;
};

export function OnOff({ workflow, isChanged, isLacking, drawing, disabledReason }: OnOffProps) {
  const t = useTexts(workflowsTexts);
  const { mutate, isPending } = useChange(workflow);
  const { id, name, enabled } = workflow;
  const turn = (on: boolean, isUndo = false) =>
    mutate(
      { enabled: on },
      {
        onSuccess: () =>
          isUndo
            ? undefined
            : showToast(on ? t.turnedOn(name) : t.turnedOff(name), {
                name: t.undo,
                icon: "undo",
                run: () => turn(!on, true),
              }),
      },
    );
  const turningOn = useMutation({
    mutationFn: () => silentEvents(id, drawing),
    onSuccess: (events) => {
      turn(true);
      if (events.length > 0) showWarning(t.neverHappened(events));
    },
  });
  const obstacle = !enabled && (isChanged ? t.saveFirst : isLacking ? t.mendFirst : undefined);
  return (
    <Button
      kind={!enabled && !isChanged && !isLacking ? "first" : undefined}
      icon={enabled ? "pause" : "play"}
      busy={isPending || turningOn.isPending}
      disabledReason={disabledReason ?? (obstacle || undefined)}
      onClick={() => (enabled ? turn(false) : turningOn.mutate())}
    >
      {enabled ? t.turnOff : t.turnOn}
    </Button>
  );
}
