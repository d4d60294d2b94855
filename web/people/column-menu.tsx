// The menu of the columns that the list of people can show.
import { useQuery } from "@tanstack/react-query";
import { contactFieldsQuery } from "../calls/contact-fields.ts";
import { useTexts } from "../base/language.ts";
import { LazyMenu } from "../parts/overlays/lazy-menu.tsx";
import type { MenuEntry } from "../parts/overlays/menu.tsx";
import { useSignal } from "../base/signal.ts";
import { peopleTexts } from "../texts/areas.ts";
import { columns, isColumn, MOST_COLUMNS, OWN, toggle, useColumnName, type PeopleColumn } from "./columns.tsx";

const MOST_FIELDS = 30;

export function ColumnMenu() {
  const t = useTexts(peopleTexts).columns;
  const nameOf = useColumnName();
  const shown = useSignal(columns);
  const { data } = useQuery(contactFieldsQuery);
  const known = (data?.fields ?? []).map(({ field }) => field).filter(isColumn);
  const entry = (column: PeopleColumn): MenuEntry => {
    const isShown = shown.includes(column);
    const limit = isShown ? shown.length === 1 && t.one : shown.length >= MOST_COLUMNS && t.most(MOST_COLUMNS);
    return {
      id: column,
      name: nameOf(column),
      ticked: isShown,
      disabledReason: limit || undefined,
      run: () => toggle(column),
    };
  };
  const ofData = [...new Set([...shown, ...known])].filter((column) => column.startsWith("data."));
  return (
    <LazyMenu
      label={t.choose}
      className="btn quiet s"
      entries={[
        ...OWN.map(entry),
        ...(ofData.length > 0 ? ["line" as const] : []),
        ...ofData.slice(0, MOST_FIELDS).map(entry),
      ]}
    >
      {t.choose}
    </LazyMenu>
  );
}
