// How many people are left after a filter or a group; and where the focus goes when one is removed.
import type { Node } from "./draft.ts";
import { useEditing, useRemaining } from "./editing.ts";
import { said } from "./words.ts";

export function Left({ node }: { readonly node: Node }) {
  const { numbers, words, open } = useEditing();
  const left = useRemaining(node);
  if (left === undefined || !numbers) return <span className="fall" />;
  const shown = numbers.approximate ? words.t.about(words.number(left)) : words.number(left);
  return (
    <span className={numbers.isOld ? "fall dim" : "fall"}>
      <button
        type="button"
        className="opens"
        aria-label={words.t.remaining(shown, said(node, words))}
        onClick={() => open(node)}
      >
        {shown}
      </button>
    </span>
  );
}

/** The button that is about to go hands the focus to the adder of its group, which stays. */
export function leftNear(button: Element): void {
  const around = button.closest(".f")?.parentElement;
  const group = around?.closest<HTMLElement>(".grp, .crit");
  const stays = group?.querySelectorAll(":scope > .f, :scope > .grp").length === 1 ? group.closest(".crit") : group;
  const adders = stays?.querySelectorAll<HTMLElement>(".adders > button");
  [...(adders ?? [])].find((one) => one.closest(".grp, .crit") === stays)?.focus();
}
