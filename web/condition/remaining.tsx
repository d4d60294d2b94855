// How many people remain after a filter or group, and where focus moves when one is removed.
import type { ConditionNode } from "./draft.ts";
import { useEditing, useRemaining } from "./editing.ts";
import { describe, type ConditionNames } from "./describe.ts";

export function Remaining({ node }: { readonly node: ConditionNode }) {
  const { numbers, words, open } = useEditing();
  const left = useRemaining(node);
  if (numbers?.isOld) return <span className="fall dim small">{words.t.counting}</span>;
  if (left === undefined || !numbers) return <span className="fall" />;
  const shown = countInWords(left, numbers.approximate, words);
  return (
    <span className="fall">
      <button
        type="button"
        className="opens"
        aria-label={words.t.remaining(shown, describe(node, words))}
        onClick={() => open(node)}
      >
        {shown}
      </button>
    </span>
  );
}

/** A sample cannot show small counts: "about 0" would be wrong. */
export function countInWords(
  count: number,
  isApproximate: boolean,
  { t, number }: Pick<ConditionNames, "t" | "number">,
): string {
  if (!isApproximate) return number(count);
  return count === 0 ? t.hardlyAnybody : t.about(number(count));
}

/** Moves the focus from a removed button to its group's add button. */
export function focusNearby(button: Element): void {
  const around = button.closest(".f")?.parentElement;
  const group = around?.closest<HTMLElement>(".grp, .crit");
  const stays = group?.querySelectorAll(":scope > .f, :scope > .grp").length === 1 ? group.closest(".crit") : group;
  const adders = stays?.querySelectorAll<HTMLElement>(".adders > button");
  [...(adders ?? [])].find((one) => one.closest(".grp, .crit") === stays)?.focus();
}
