// A menu below its button. It needs React Aria, so the frame loads it lazily.
import type { ReactNode } from "react";
import { Header } from "react-aria-components/Header";
import { Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger } from "react-aria-components/Menu";
import { Button as AriaButton } from "react-aria-components/Button";
import { Separator } from "react-aria-components/Separator";
import { Icon, type IconName } from "./icon.tsx";
import { Popover } from "./popover.ts";

export type MenuLine =
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
type Entry = Exclude<MenuLine, "line">;
type Group = { readonly heading: string; readonly entries: readonly Entry[] };
export type MenuEntry = MenuLine | Group;

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
  const items = entries.flatMap((entry) => (entry === "line" ? [] : "heading" in entry ? entry.entries : [entry]));
  return (
    <MenuTrigger defaultOpen={open}>
      <AriaButton className={className} {...(children ? {} : { "aria-label": label })}>
        {children ?? <Icon name="more" />}
      </AriaButton>
      <Popover className="menu">
        <AriaMenu
          aria-label={label}
          className="entries"
          disabledKeys={items.flatMap(({ id, disabledReason }) => (disabledReason === undefined ? [] : [id]))}
          onAction={(id) => items.find((item) => item.id === id)?.run()}
        >
          {entries.map((entry, at) => {
            if (entry === "line") return <Separator key={at} />;
            return "heading" in entry ? <Entries key={entry.heading} {...entry} /> : <Item key={entry.id} {...entry} />;
          })}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function Entries({ heading, entries }: Group) {
  return (
    <MenuSection>
      <Header className="cap">{heading}</Header>
      {entries.map((entry) => (
        <Item key={entry.id} {...entry} />
      ))}
    </MenuSection>
  );
}

function Item({ id, name, icon, risk, disabledReason, note, chosen }: Entry) {
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
