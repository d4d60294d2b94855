// The plus at an exit: a menu of step types.
import { Icon, StatusIcon } from "../../parts/icons/icon.tsx";
import { LazyMenu } from "../../parts/overlays/lazy-menu.tsx";
import type { Exit, StepType } from "../drawing.ts";
import { MAX_STEPS } from "../edits.ts";
import { ICON_OF, branchName, titleOf } from "../describe-step.ts";
import { useDrawn } from "./on-canvas.ts";

const KINDS = ["SEND_EMAIL", "DELAY", "WAIT_FOR_EVENT", "CONDITION", "UPDATE_CONTACT", "WEBHOOK", "EXIT"] as const;

/** The exit's name for screen readers. */
export function useExitName(exit: Exit): string {
  const { drawing, words } = useDrawn();
  const step = drawing.steps.find(({ ref }) => ref === exit.from);
  const name = step ? titleOf(step, drawing, words) : "";
  return exit.branch === null ? name : `${name}, ${branchName(exit.branch, step, words)}`;
}

type InsertProps = { readonly exit: Exit; readonly shown?: string };

export function InsertMenu({ exit, shown }: InsertProps) {
  const { drawing, words, insert } = useDrawn();
  const { t } = words;
  const label = t.insertAt(useExitName(exit));
  const disabledReason = drawing.steps.length >= MAX_STEPS ? t.full : undefined;
  const entries = KINDS.map((type: Exclude<StepType, "TRIGGER">) => ({
    id: type,
    name: t.types[type],
    icon: ICON_OF[type],
    disabledReason,
    note: t.typeHelp[type],
    run: () => insert(exit, type),
  }));
  return (
    <LazyMenu label={label} entries={entries} className={shown ? "btn quiet s" : "add"}>
      {shown ? (
        <>
          <Icon name="plus" />
          {shown}
          <span className="hidden-text">{label}</span>
        </>
      ) : (
        <>
          <StatusIcon name="plus" />
          <span className="hidden-text">{label}</span>
        </>
      )}
    </LazyMenu>
  );
}
