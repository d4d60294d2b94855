// Turns a workflow on and off, with Undo.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Question } from "../parts/form-dialog.tsx";
import { showToast } from "../parts/toast.tsx";
import { workflowsTexts } from "../texts/areas.ts";
import { useChange } from "./calls.ts";
import type { Drawing, Workflow } from "./drawing.ts";
import { silentEvents } from "./use-validation.ts";

type OnOffProps = {
  readonly workflow: Workflow;
  readonly isChanged: boolean;
  readonly isLacking: boolean;
  /** As it is saved, where nothing has changed. */
  readonly drawing: Drawing;
  readonly disabledReason: string | undefined;
};

export function OnOff({ workflow, isChanged, isLacking, drawing, disabledReason }: OnOffProps) {
  const [silent, ask] = useState<readonly string[]>([]);
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
    onSuccess: (events) => (events.length === 0 ? turn(true) : ask(events)),
  });
  const obstacle = !enabled && (isChanged ? t.saveFirst : isLacking ? t.mendFirst : undefined);
  return (
    <>
      <Button
        kind={!enabled && !isChanged && !isLacking ? "first" : undefined}
        icon={enabled ? "pause" : "play"}
        busy={isPending || turningOn.isPending}
        disabledReason={disabledReason ?? (obstacle || undefined)}
        onClick={() => (enabled ? turn(false) : turningOn.mutate())}
      >
        {enabled ? t.turnOff : t.turnOn}
      </Button>
      {silent.length > 0 && (
        <Question
          title={t.neverTitle(silent[0] ?? "")}
          text={t.neverText(silent)}
          action={t.turnOnAnyway}
          close={() => ask([])}
          run={() => {
            ask([]);
            turn(true);
          }}
        />
      )}
    </>
  );
}
