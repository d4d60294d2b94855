// A segmented control: one of a few choices, all visible. A choice applies immediately; arrow keys work as in a radio
// group.
import type { KeyboardEvent, ReactNode } from "react";

export type SegmentedChoice<Value extends string> = {
  readonly value: Value;
  readonly content: ReactNode;
  /** The accessible name of a choice with only an icon. */
  readonly label?: string;
};

export type SegmentedControlProps<Value extends string> = {
  readonly label: string;
  readonly choices: readonly SegmentedChoice<Value>[];
  /** Null = nothing is chosen yet. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  readonly icons?: boolean;
  readonly small?: boolean;
  /** Looks like the tabs above a list. */
  readonly look?: "tabs";
};

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

export function SegmentedControl<Value extends string>({
  label,
  choices,
  value,
  onChange,
  icons,
  small,
  look,
}: SegmentedControlProps<Value>) {
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const at = choices.findIndex((choice) => choice.value === value);
    const next = (at + step + choices.length) % choices.length;
    onChange((choices[next] as SegmentedChoice<Value>).value);
    (event.currentTarget.children[next] as HTMLElement).focus();
  };
  const reached = choices.some((choice) => choice.value === value) ? value : choices[0]?.value;
  const classes = [look ?? "segmented", icons && "icons", small && "s"].filter(Boolean).join(" ");
  return (
    <div className={classes} role="radiogroup" aria-label={label} onKeyDown={move}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          aria-label={choice.label}
          title={choice.label}
          tabIndex={choice.value === reached ? 0 : -1}
          onClick={() => onChange(choice.value)}
        >
          {choice.content}
        </button>
      ))}
    </div>
  );
}
