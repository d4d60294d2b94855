// Turns a workflow on and off, with Undo.
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { showToast } from "../parts/toast.tsx";
import { workflowsTexts } from "../texts/areas.ts";
import { useChange } from "./calls.ts";
import type { Workflow } from "./drawing.ts";

type OnOffProps = {
  readonly workflow: Workflow;
  readonly isChanged: boolean;
  readonly isLacking: boolean;
  readonly disabledReason: string | undefined;
};

export function OnOff({ workflow, isChanged, isLacking, disabledReason }: OnOffProps) {
  const t = useTexts(workflowsTexts);
  const { mutate, isPending } = useChange(workflow);
  const { name, enabled } = workflow;
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
  const obstacle = !enabled && (isChanged ? t.saveFirst : isLacking ? t.mendFirst : undefined);
  return (
    <Button
      kind={!enabled && !isChanged && !isLacking ? "first" : undefined}
      icon={enabled ? "pause" : "play"}
      busy={isPending}
      disabledReason={disabledReason ?? (obstacle || undefined)}
      onClick={() => turn(!enabled)}
    >
      {enabled ? t.turnOff : t.turnOn}
    </Button>
  );
}
