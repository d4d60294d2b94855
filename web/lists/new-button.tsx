// The one filled button of a list, in its head: makes what the list is of. The palette has it too.
import { useCommands } from "../commands.ts";
import { Button } from "../parts/button.tsx";
import type { IconName } from "../parts/icon.tsx";

export type New = {
  /** Of the command. */
  readonly id: string;
  readonly icon: IconName;
  readonly name: string;
  readonly run: () => void;
  readonly disabledReason?: string | undefined;
};

export function NewButton({ id, icon, name, run, disabledReason }: New) {
  useCommands([{ id, icon, name, run, disabledReason, keys: ["N"] }]);
  return (
    <Button kind="first" icon="plus" disabledReason={disabledReason} onClick={run}>
      {name}
    </Button>
  );
}
