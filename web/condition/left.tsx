// How many people are left after a filter or a group; and where the focus goes when one is removed.
import type { Node } from "./draft.ts";
import { useEditing, useRemaining } from "./editing.ts";

export function Left({ node }: { readonly node: Node }) {
  const { numbers, words } = useEditing();
  const left = useRemaining(node);
  if (left === undefined || !numbers) return <span className="fall" />;
  const shown = words.number(left);
  return (
    <span className={numbers.isOld ? "fall dim" : "fall"}>{numbers.approximate ? words.t.about(shown) : shown}</span>
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
