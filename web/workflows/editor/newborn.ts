// A new step: its missing fields are not shown as faults until it is edited or its form is closed.
import { useEffect, useState } from "react";
import type { Drawing, DrawnStep } from "../drawing.ts";
import type { Validation } from "../use-validation.ts";

type Newborn = {
  /** The faults to show. */
  readonly checked: Validation;
  readonly bear: (step: DrawnStep) => void;
  /** It has not been edited yet. */
  readonly isWaiting: boolean;
};

/** `chosen`: the step whose form is open. */
export function useNewborn(checked: Validation, drawing: Drawing, chosen: string | undefined): Newborn {
  const [born, bear] = useState<DrawnStep | null>(null);
  const [open, setOpen] = useState<string | undefined>();
  useEffect(() => {
    if (born !== null && open === born.ref && chosen !== born.ref) bear(null);
    setOpen(chosen);
  }, [born, chosen, open]);
  const now = born && drawing.steps.find(({ ref }) => ref === born.ref);
  if (!born || !now) return { checked, bear, isWaiting: false };
  const [isNamed, isFilled] = [now.name !== born.name, now.config !== born.config];
  const isOf = (step: string) => step === born.ref;
  return {
    bear,
    isWaiting: !isFilled,
    checked: {
      ...checked,
      byStep: isFilled ? checked.byStep : new Map([...checked.byStep].filter(([step]) => !isOf(step))),
      besides: (step) => (isOf(step) && !isFilled ? [] : checked.besides(step)),
      faultOf: (step, field) =>
        isOf(step) && !(field === "name" ? isNamed : isFilled) ? undefined : checked.faultOf(step, field),
    },
  };
}
