// A menu below its button. It needs React Aria, so the frame loads it lazily.
import type { ReactNode } from "react";
import { Menu as AriaMenu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Button as AriaButton } from "react-aria-components/Button";
import { Separator } from "react-aria-components/Separator";
import { Icon, type IconName } from "./icon.tsx";
import { Popover } from "./popover.ts";

export type MenuEntry =
  | "line"
  | {
      readonly id: string;
      readonly name: string;
      readonly icon?: IconName;
      readonly run: () => void;
      readonly risk?: boolean;
      readonly disabledReason?: string | undefined;
      readonly note?: ReactNode;
      readonly chosen?: boolean;
    };

type MenuProps = {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** What the button shows; its icon "more" if nothing. */
  readonly children?: ReactNode;
  readonly className?: string | undefined;
  /** Opens as soon as it is there. */
  readonly open?: boolean;
};

export function Menu({ label, entries, children, className = "btn quiet s only", open = false }: MenuProps) {
  return (
    <MenuTrigger defaultOpen={open}>
      <AriaButton className={className} {...(children ? {} : { "aria-label": label })}>
        {children ?? <Icon name="more" />}
      </AriaButton>
      <Popover className="menu">
        <AriaMenu
          aria-label={label}
          className="entries"
          disabledKeys={entries.flatMap((entry) =>
            entry !== "line" && entry.disabledReason !== undefined ? [entry.id] : [],
          )}
          onAction={(id) => entries.forEach((entry) => entry !== "line" && entry.id === id && entry.run())}
        >
          {entries.map((entry, at) => (entry === "line" ? <Separator key={at} /> : <Item key={entry.id} {...entry} />))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function Item({ id, name, icon, risk, disabledReason, note, chosen }: Exclude<MenuEntry, "line">) {
  return (
    <MenuItem id={id} className={risk ? "item risk" : "item"} textValue={name}>
      {chosen !== undefined ? (
        <span className="i">{chosen && <Icon name="check" />}</span>
      ) : (
        icon && <Icon name={icon} />
      )}
      <span>{name}</span>
      {(disabledReason ?? note) !== undefined && <span className="dim small">{disabledReason ?? note}</span>}
    </MenuItem>
  );
}
