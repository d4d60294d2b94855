// The menu of actions on a resource, with their dialogs. On the resource's own page, the palette has the actions too.
import { useState, type ReactNode } from "react";
import { useCommands } from "../../commands.ts";
import type { IconName } from "../icons/icon.tsx";
import { Menu, type MenuLine } from "./menu.tsx";

type ActionLine = Exclude<MenuLine, "line">;
export type ResourceAction =
  | "line"
  | (Omit<ActionLine, "run" | "icon"> & {
      readonly icon: IconName;
      /** A read-only action: the reason that disables the others does not apply. */
      readonly reads?: true;
    } & ({ readonly run: () => void } | { readonly dialog: (close: () => void) => ReactNode }));

type ResourceActionsProps = {
  /** The label of the menu: "What to do with Welcome". */
  readonly label: string;
  readonly className?: string;
  /** The kind of resource, such as "campaign": adds the actions to the palette while its page is open. */
  readonly kind?: string;
  /** The name of the resource, for the palette, if the page has several. */
  readonly thing?: string;
  /** Disables all actions; an action may have its own reason. */
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
