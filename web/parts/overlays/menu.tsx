// A menu below its button. It needs React Aria, so the frame loads it lazily.
import type { ReactNode } from "react";
import { Header } from "react-aria-components/Header";
import { Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger } from "react-aria-components/Menu";
import { Button as AriaButton } from "react-aria-components/Button";
import { Separator } from "react-aria-components/Separator";
import { Icon, type IconName } from "../icons/icon.tsx";
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
      /** One of several choices: ticked, and choosing another closes the menu. */
      readonly chosen?: boolean;
      /** An independent switch: the menu stays open. */
      readonly ticked?: boolean;
    };
type MenuItemLine = Exclude<MenuLine, "line">;
type MenuGroup = { readonly heading: string; readonly entries: readonly MenuItemLine[] };
export type MenuEntry = MenuLine | MenuGroup;

type MenuProps = {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** The content of the button; by default the icon "more". */
  readonly children?: ReactNode;
  readonly className?: string | undefined;
  /** Opens when it mounts. */
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
        <AriaMenu aria-label={label} className="entries" onAction={(id) => items.find((item) => item.id === id)?.run()}>
          {inRuns(entries).map((entry, at) => {
            if (entry === "line") return <Separator key={at} />;
            if ("mode" in entry) return <Choices key={at} label={label} {...entry} />;
            return "heading" in entry ? <Entries key={entry.heading} {...entry} /> : <Item key={entry.id} {...entry} />;
          })}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function Entries({ heading, entries }: MenuGroup) {
  return (
    <MenuSection>
      <Header className="cap">{heading}</Header>
      {entries.map((entry) => (
        <Item key={entry.id} {...entry} />
      ))}
    </MenuSection>
  );
}

type Run = { readonly mode: "single" | "multiple"; readonly entries: MenuItemLine[] };

/** Groups adjacent entries with ticks: each group is one choice. */
function inRuns(entries: readonly MenuEntry[]): readonly (MenuEntry | Run)[] {
  const parts: (MenuEntry | Run)[] = [];
  for (const entry of entries) {
    const mode = modeOf(entry);
    const last = parts.at(-1);
    if (mode === null) parts.push(entry);
    else if (typeof last === "object" && "mode" in last && last.mode === mode) last.entries.push(entry as MenuItemLine);
    else parts.push({ mode, entries: [entry as MenuItemLine] });
  }
  return parts;
}

function modeOf(entry: MenuEntry): Run["mode"] | null {
  if (entry === "line" || "heading" in entry) return null;
  if (entry.ticked !== undefined) return "multiple";
  return entry.chosen === undefined ? null : "single";
}

/** The selection is controlled: `run` of an entry makes the change. */
function Choices({ label, mode, entries }: Run & { readonly label: string }) {
  return (
    <MenuSection
      aria-label={label}
      selectionMode={mode}
      selectedKeys={entries.flatMap(({ id, chosen, ticked }) => (chosen || ticked ? [id] : []))}
      shouldCloseOnSelect={mode === "single"}
    >
      {entries.map((entry) => (
        <Item key={entry.id} {...entry} />
      ))}
    </MenuSection>
  );
}

function Item({ id, name, icon, risk, disabledReason, note, chosen, ticked }: MenuItemLine) {
  const tick = chosen ?? ticked;
  return (
    <MenuItem
      id={id}
      className={risk ? "item risk" : "item"}
      textValue={name}
      isDisabled={disabledReason !== undefined}
    >
      {tick !== undefined ? <span className="i">{tick && <Icon name="check" />}</span> : icon && <Icon name={icon} />}
      <span>{name}</span>
      {(disabledReason ?? note) !== undefined && <span className="dim small">{disabledReason ?? note}</span>}
    </MenuItem>
  );
}
