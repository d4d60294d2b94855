// The columns of the list of people: the choice, kept in this browser, and their heads.
import type { CSSProperties } from "react";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Chips, isList } from "../parts/chips.tsx";
import { isMoment, Time } from "../parts/time.tsx";
import { preference, setPreference } from "../base/preferences.ts";
import { signal } from "../base/signal.ts";
import { peopleTexts } from "../texts/areas.ts";
import { displayName, type Contact } from "./calls.ts";
import { SubscriptionLabel } from "./subscription-label.tsx";

/** A field of every contact, or a key of its data. */
export type PeopleColumn = "name" | "status" | "createdAt" | `data.${string}`;

/** The columns of every workspace. */
export const OWN = ["name", "status", "createdAt"] as const;
export const MOST_COLUMNS = 8;

export const isColumn = (name: string): name is PeopleColumn =>
  OWN.some((own) => own === name) || name.startsWith("data.");

function kept(): readonly PeopleColumn[] {
  const names = preference("columns")?.split("\n").filter(isColumn);
  return names && names.length > 0 ? names.slice(0, MOST_COLUMNS) : OWN;
}

export const columns = signal(kept());

export function toggle(column: PeopleColumn): void {
  const shown = columns.get();
  const next = shown.includes(column) ? shown.filter((one) => one !== column) : [...shown, column];
  // The column of the time comes last, as in other lists.
  const ordered = [...next.filter((one) => one !== "createdAt"), ...next.filter((one) => one === "createdAt")];
  setPreference("columns", ordered.join("\n"));
  columns.set(ordered);
}

const WIDTH_PX = { checkbox: 20, email: 180, name: 160, status: 144, createdAt: 112, data: 120 } as const;
const GAP_PX = 16;
const EDGES_PX = 48;

const widthOf = (column: PeopleColumn): number => WIDTH_PX[column.startsWith("data.") ? "data" : (column as "name")];

/** The grid: the checkbox, the address, then these. Widths ignore the content: heads and rows are separate grids. */
export function gridOf(shown: readonly PeopleColumn[]): CSSProperties {
  const widths = shown.map((column) => {
    if (column === "status" || column === "createdAt") return `${widthOf(column)}px`;
    return `minmax(${widthOf(column)}px, ${column === "name" ? 4 : 3}fr)`;
  });
  const { checkbox, email } = WIDTH_PX;
  const leastPx = shown.reduce((sum, column) => sum + GAP_PX + widthOf(column), EDGES_PX + checkbox + GAP_PX + email);
  return {
    "--person-cols": `${checkbox}px minmax(${email}px, 5fr) ${widths.join(" ")}`,
    "--persons-least": `${leastPx}px`,
  } as CSSProperties;
}

export function useColumnName(): (column: PeopleColumn) => string {
  const t = useTexts(peopleTexts);
  return (column) => (column.startsWith("data.") ? column.slice("data.".length) : t.columns[column as "name"]);
}

type CellProps = { readonly column: PeopleColumn; readonly contact: Contact };

export function Cell({ column, contact }: CellProps) {
  const { number } = useFormats();
  if (column === "status") return <SubscriptionLabel contact={contact} />;
  if (column === "createdAt") return <Time at={contact.createdAt} as="day" />;
  if (column === "name") {
    const name = displayName(contact);
    return <span className="sub cut">{name === contact.email ? "" : name}</span>;
  }
  const value = (contact.data as Readonly<Record<string, unknown>>)[column.slice("data.".length)];
  if (isList(value))
    return (
      <span className="field cut">
        <Chips of={value} />
      </span>
    );
  return (
    <span className="field cut">
      {isMoment(value) ? <Time at={value} as="day" /> : typeof value === "number" ? number(value) : wordsOf(value)}
    </span>
  );
}

function wordsOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
