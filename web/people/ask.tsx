// What one looks for: part of an address, what mail people may get, a segment, since when.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useFormats } from "../formats.ts";
import { useKey } from "../keyboard.ts";
import { useTexts } from "../language.ts";
import { Icon } from "../parts/icon.tsx";
import { Keys } from "../parts/layout.tsx";
import { Menu, type MenuEntry } from "../parts/menu.tsx";
import { peopleTexts } from "../texts/areas.ts";
import { OwnViews } from "../views/own-views.tsx";
import { segmentsQuery } from "./calls.ts";
import { SINCES, STANDINGS, without, type FilterName, type Filters } from "./filters.ts";

/** After the last key stroke. */
const REST_MS = 250;

type AskProps = {
  readonly filters: Filters;
  readonly narrow: (filters: Filters) => void;
  readonly total: number | undefined;
};

export function Ask({ filters, narrow, total }: AskProps) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  return (
    <div className="people-ask">
      <Words filters={filters} narrow={narrow} />
      <nav className="tabs views" aria-label={t.views}>
        {[undefined, ...STANDINGS].map((status) => {
          const { status: _, ...rest } = filters;
          return (
            <Link
              key={status ?? "ALL"}
              to="/people"
              search={status === undefined ? rest : { ...rest, status }}
              aria-current={filters.status === status ? "page" : undefined}
              activeProps={{}}
            >
              {status === undefined ? t.all : t.standing[status]}
              {filters.status === status && total !== undefined && <span className="n">{number(total)}</span>}
            </Link>
          );
        })}
        <OwnViews list="people" to="/people" filters={filters} />
      </nav>
    </div>
  );
}

function Words({ filters, narrow }: Pick<AskProps, "filters" | "narrow">) {
  const t = useTexts(peopleTexts);
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [text, setText] = useState(filters.search ?? "");
  useKey("/", () => field.current?.select());
  useEffect(() => {
    if (document.activeElement !== field.current) setText(filters.search ?? "");
  }, [filters.search]);
  const look = (words: string) => {
    clearTimeout(timer.current);
    const { search: _, ...rest } = filters;
    narrow(words.trim() === "" ? rest : { ...rest, search: words.trim() });
  };
  const tokens = useTokens(filters);
  return (
    <div className="input asking">
      <Icon name="search" />
      {tokens.length > 0 && (
        <span className="toks">
          {tokens.map(({ name, words }) => (
            <button
              type="button"
              className="tok"
              key={name}
              title={t.without}
              onClick={() => narrow(without(filters, name))}
            >
              {words}
              <Icon name="x" />
            </button>
          ))}
        </span>
      )}
      <input
        ref={field}
        type="text"
        role="searchbox"
        aria-label={t.find}
        placeholder={tokens.length === 0 ? t.findHint : undefined}
        maxLength={255}
        value={text}
        onChange={({ target: { value } }) => {
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(look, REST_MS, value);
        }}
        onKeyDown={({ key }) => {
          if (key === "Enter") look(text);
          if (key === "Escape") field.current?.blur();
        }}
      />
      <Keys keys={["/"]} />
      <FilterMenu filters={filters} narrow={narrow} />
    </div>
  );
}

function useTokens(filters: Filters): readonly { readonly name: FilterName; readonly words: string }[] {
  const t = useTexts(peopleTexts);
  const { exact } = useFormats();
  const momentIn = (text: string) => (Number.isNaN(Date.parse(text)) ? text : exact(new Date(text)));
  const { data: segments } = useQuery({ ...segmentsQuery, enabled: filters.segmentId !== undefined });
  const segment = segments?.find(({ id }) => id === filters.segmentId)?.name ?? "…";
  return [
    ...(filters.segmentId ? [{ name: "segmentId" as const, words: t.inSegment(segment) }] : []),
    ...(filters.since
      ? [{ name: "since" as const, words: t.sinces[filters.since] ?? t.since(momentIn(filters.since)) }]
      : []),
    ...(filters.importId
      ? [{ name: "importId" as const, words: t.byImport[filters.imported ?? ""] ?? t.byImport.all }]
      : []),
    ...(filters.sort === "email" ? [{ name: "sort" as const, words: t.byEmail }] : []),
  ];
}

function FilterMenu({ filters, narrow }: Pick<AskProps, "filters" | "narrow">) {
  const t = useTexts(peopleTexts);
  const { data: segments = [] } = useQuery(segmentsQuery);
  const entry = (name: FilterName, value: string, words: string): MenuEntry => ({
    id: `${name} ${value}`,
    name: words,
    chosen: filters[name] === value,
    run: () => {
      const { [name]: now, ...rest } = filters;
      narrow(now === value ? rest : { ...rest, [name]: value });
    },
  });
  const entries = [
    ...SINCES.map((since) => entry("since", since, t.sinces[since] ?? since)),
    "line" as const,
    entry("sort", "email", t.byEmail),
    ...(segments.length > 0 ? ["line" as const] : []),
    ...segments.map(({ id, name }) => entry("segmentId", id, t.inSegment(name))),
  ];
  return (
    <Menu label={t.filter} entries={entries} className="btn quiet s only">
      <span className="hidden-text">{t.filter}</span>
      <Icon name="filter" />
    </Menu>
  );
}
