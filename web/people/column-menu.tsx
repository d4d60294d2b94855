// The menu of the columns that the list of people can show.
import { useQuery } from "@tanstack/react-query";
import { contactFieldsQuery } from "../contact-fields.ts";
import { LazyMenu } from "../parts/lazy-menu.tsx";
import type { MenuEntry } from "../parts/menu.tsx";
import type { Column } from "./columns.tsx";

const MOST_FIELDS = 30;

type ColumnMenuProps = {
  readonly label: string;
  readonly shown: readonly Column[];
  /** The columns that every list has. */
  readonly own: readonly Column[];
  readonly nameOf: (column: Column) => string;
  readonly toggle: (column: Column) => void;
};

export function ColumnMenu({ label, shown, own, nameOf, toggle }: ColumnMenuProps) {
  const { data } = useQuery(contactFieldsQuery);
  const isOfData = (name: string): name is Column => name.startsWith("data.");
  const known = (data?.fields ?? []).map(({ field }) => field).filter(isOfData);
  const entry = (column: Column): MenuEntry => ({
    id: column,
    name: nameOf(column),
    chosen: shown.includes(column),
    run: () => toggle(column),
  });
  const ofData = [...new Set([...shown.filter(isOfData), ...known])].slice(0, MOST_FIELDS).map(entry);
  return (
    <LazyMenu
      label={label}
      className="btn quiet s"
      entries={[...own.map(entry), ...(ofData.length > 0 ? ["line" as const] : []), ...ofData]}
    >
      {label}
    </LazyMenu>
  );
}
