// The line in which one looks for mail: filters as words in front, then what to look for.
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useKey } from "../keyboard.ts";
import { useTexts } from "../language.ts";
import { Icon } from "../parts/icon.tsx";
import { Keys } from "../parts/layout.tsx";
import { mailTexts } from "../texts/areas.ts";
import { read, tokensOf } from "./asked.ts";
import { FilterMenu } from "./filter-menu.tsx";
import type { FilterName, Filters } from "./filters.ts";

/** After the last key stroke. */
const REST_MS = 250;

type AskProps = { readonly filters: Filters; readonly narrow: (filters: Filters) => void };

export function Ask({ filters, narrow }: AskProps) {
  const t = useTexts(mailTexts);
  const { field, text, write, settle } = useWords(filters, narrow);
  useKey("/", () => field.current?.select());
  const tokens = tokensOf(filters);
  const without = (name: FilterName) => {
    const { [name]: _, ...rest } = filters;
    narrow(rest);
  };
  const pressed = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") settle();
    if (event.key === "Escape") field.current?.blur();
    const last = tokens.at(-1);
    if (event.key === "Backspace" && text === "" && last) without(last.name);
  };
  return (
    <div className="input asking">
      <Icon name="search" />
      {tokens.length > 0 && (
        <span className="toks">
          {tokens.map(({ name, text: written }) => (
            <button type="button" className="tok" key={name} title={t.without} onClick={() => without(name)}>
              {written}
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
        onChange={(event) => write(event.target.value)}
        onKeyDown={pressed}
      />
      {tokens.length === 0 && <Keys keys={["/"]} />}
      <FilterMenu filters={filters} narrow={narrow} />
    </div>
  );
}

/** Words are looked for as one writes; `key:value` becomes a filter at a space or Enter. */
function useWords(filters: Filters, narrow: (filters: Filters) => void) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(filters.search ?? "");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (document.activeElement !== field.current) setText(filters.search ?? "");
  }, [filters.search]);
  const look = (words: string) => {
    clearTimeout(timer.current);
    const { search: _, ...rest } = filters;
    const asked = read(words);
    narrow({ ...rest, ...asked });
    // What is written next stays a word of its own.
    const left = asked.search === undefined ? "" : `${asked.search}${/\s$/.test(words) ? " " : ""}`;
    setText(/:\S+\s*$/.test(words) ? left : words);
  };
  const write = (words: string) => {
    setText(words);
    clearTimeout(timer.current);
    const isFilter = /(^|\s)[a-z]+:\S*$/i.test(words);
    if (/(^|\s)[a-z]+:\S+\s$/i.test(words)) look(words);
    else if (!isFilter) timer.current = setTimeout(look, REST_MS, words);
  };
  return { field, text, write, settle: () => look(text) };
}
