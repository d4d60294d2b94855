// The field above a list: active filters, a search box, and a menu of filters.
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useKey } from "../../base/keyboard.ts";
import { Icon } from "../icons/icon.tsx";
import { KeyHints } from "../layout.tsx";
import { Menu, type MenuEntry } from "../overlays/menu.tsx";
import { resultsWanted } from "./search-focus.ts";
import "./filter-field.css";

/** The filters that result from a search. */
type FilterValues = Readonly<Record<string, string | undefined>>;

/** Pause after the last keystroke. */
const DEBOUNCE_MS = 250;

/**
 * The text of a search field. `search` is called once typing stops; until then the text follows the URL. `isAnew`: the
 * field was empty, or its whole text was replaced.
 */
export function useDebouncedText(value: string, search: (words: string, isAnew: boolean) => FilterValues) {
  const field = useRef<HTMLInputElement>(null);
  const begun = useBegunAnew(field);
  const [text, setText] = useState(value);
  const look = (words: string) => {
    const narrowed = search(words, begun.current);
    if (words.trim() !== "") begun.current = false;
    return narrowed;
  };
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (document.activeElement !== field.current) setText(value);
  }, [value]);
  const settle = (words = text) => {
    clearTimeout(timer.current);
    return look(words);
  };
  const write = (words: string, waits = true) => {
    setText(words);
    clearTimeout(timer.current);
    if (waits) timer.current = setTimeout(look, DEBOUNCE_MS, words);
  };
  return { field, text, setText, write, settle };
}

function useBegunAnew(field: RefObject<HTMLInputElement | null>) {
  const begun = useRef(false);
  useEffect(() => {
    const input = field.current;
    const before = () => {
      if (input?.selectionStart === 0 && input.selectionEnd === input.value.length) begun.current = true;
    };
    input?.addEventListener("beforeinput", before);
    return () => input?.removeEventListener("beforeinput", before);
  }, [field]);
  return begun;
}

/** The filters for a new search: without those that refined the search before it. */
export function useFiltersKeptAnew<Filters extends { readonly search?: string }>(filters: Filters): () => Filters {
  const searched = useRef<Filters | null>(null);
  useEffect(() => {
    if (filters.search !== undefined) searched.current = filters;
  }, [filters]);
  return () => {
    const before = Object.entries(searched.current ?? {});
    const isOld = (name: string, value: unknown) => before.some(([old, was]) => old === name && was === value);
    return Object.fromEntries(Object.entries(filters).filter(([name, value]) => !isOld(name, value))) as Filters;
  };
}

type FilterFieldProps<Name extends string> = {
  readonly texts: Readonly<Record<"find" | "findHint", string> & Partial<Record<"without" | "filter", string>>>;
  readonly written: Pick<ReturnType<typeof useDebouncedText>, "field" | "text" | "settle">;
  readonly write: (words: string) => void;
  readonly tokens: readonly { readonly name: Name; readonly text: string }[];
  readonly remove: (name: Name) => void;
  readonly entries: readonly MenuEntry[];
};

export function FilterField<Name extends string>(props: FilterFieldProps<Name>) {
  const { texts, written, write, tokens, remove, entries } = props;
  const { field, text, settle } = written;
  useKey("/", () => field.current?.select());
  const pressed = ({ key }: KeyboardEvent<HTMLInputElement>) => {
    if (key === "Enter" || key === "ArrowDown") resultsWanted.set(settle());
    if (key === "Escape") field.current?.blur();
    const last = tokens.at(-1);
    if (key === "Backspace" && text === "" && last) remove(last.name);
  };
  return (
    <div className="input filter-field">
      <Icon name="search" />
      {tokens.length > 0 && (
        <span className="tokens">
          {tokens.map((token) => (
            <button
              type="button"
              className="tok"
              key={token.name}
              title={texts.without}
              onClick={() => remove(token.name)}
            >
              {token.text}
              <Icon name="x" />
            </button>
          ))}
        </span>
      )}
      <input
        ref={field}
        type="text"
        role="searchbox"
        aria-label={texts.find}
        placeholder={tokens.length === 0 ? texts.findHint : undefined}
        maxLength={255}
        value={text}
        onChange={({ target }) => {
          resultsWanted.set(null);
          write(target.value);
        }}
        onKeyDown={pressed}
      />
      {tokens.length === 0 && <KeyHints keys={["/"]} />}
      {texts.filter && (
        <Menu label={texts.filter} entries={entries} className="btn quiet s only">
          <span className="hidden-text">{texts.filter}</span>
          <Icon name="filter" />
        </Menu>
      )}
    </div>
  );
}

/** Menu entries; choosing an active one removes it. */
export function filterEntry<Filters extends Readonly<Record<string, string | undefined>>>(
  filters: Filters,
  narrow: (filters: Filters) => void,
) {
  return (name: keyof Filters & string, value: string, words: string): MenuEntry => ({
    id: `${name} ${value}`,
    name: words,
    chosen: filters[name] === value,
    run: () => {
      const { [name]: now, ...rest } = filters;
      narrow((now === value ? rest : { ...rest, [name]: value }) as Filters);
    },
  });
}
