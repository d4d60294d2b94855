// The filled button in the head of a list: creates a record. It is a command of the palette too.
import { useCommands } from "../commands.ts";
import { Button } from "../parts/button.tsx";
import type { IconName } from "../parts/icons/icon.tsx";

export type NewButtonProps = {
  /** The id of the command. */
  readonly id: string;
  readonly icon: IconName;
  readonly name: string;
  readonly run: () => void;
  readonly disabledReason?: string | undefined;
};

export function NewButton({ id, icon, name, run, disabledReason }: NewButtonProps) {
  useCommands([{ id, icon, name, run, disabledReason, keys: ["N"] }]);
  return (
    <Button kind="first" icon="plus" disabledReason={disabledReason} onClick={run}>
      {name}
    </Button>
  );
}
