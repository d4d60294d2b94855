// The menu of actions on a resource with their dialogs; on the resource's own page the palette has them too.
import { useState, type ReactNode } from "react";
import { useCommands } from "../commands.ts";
import type { IconName } from "./icon.tsx";
import { Menu, type MenuLine } from "./menu.tsx";

type ActionLine = Exclude<MenuLine, "line">;
export type ResourceAction =
  | "line"
  | (Omit<ActionLine, "run" | "icon"> & {
      readonly icon: IconName;
      /** It changes nothing: what disables the others does not disable it. */
      readonly reads?: true;
    } & ({ readonly run: () => void } | { readonly dialog: (close: () => void) => ReactNode }));

type ResourceActionsProps = {
  /** Of the menu: "What to do with Welcome". */
  readonly label: string;
  readonly className?: string;
  /** "campaign": the palette has these while the page of one is open. */
  readonly kind?: string;
  /** The thing's own name, for the palette, where the page has several. */
  readonly thing?: string;
  /** Of all of them; one may have a reason of its own. */
  readonly disabledReason?: string | undefined;
  readonly actions: readonly ResourceAction[];
};

export function ResourceActions(props: ResourceActionsProps) {
  const { label, className, kind, thing, disabledReason, actions } = props;
  const [open, setOpen] = useState<string | null>(null);
  const entries = actions.map((action) =>
    action === "line"
      ? action
      : {
          ...action,
          disabledReason: (action.reads ? undefined : disabledReason) ?? action.disabledReason,
          run: "run" in action ? action.run : () => setOpen(action.id),
        },
  );
  useCommands(
    entries.flatMap((entry) =>
      kind === undefined || entry === "line"
        ? []
        : [{ ...entry, id: `${entry.id} ${kind}`, name: [entry.name, thing].join(" ").trim(), note: "" }],
    ),
  );
  const asked = actions.find((action) => action !== "line" && action.id === open);
  return (
    <>
      <Menu label={label} className={className} entries={entries} />
      {asked && asked !== "line" && "dialog" in asked && asked.dialog(() => setOpen(null))}
    </>
  );
}
