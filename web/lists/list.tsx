// The list of all screens: search, tabs, rows and footer. In place of the rows: grey bars while they load, the error if
// that fails, and texts for a search without matches and for an empty list.
import type { ReactNode } from "react";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Empty, KeyHints, type QueryState } from "../parts/layout.tsx";
import { More, Rows, type RowsColumn, type Pages } from "../parts/rows.tsx";
import { useSearchFocus } from "../parts/fields/search-focus.ts";
import { SearchField, type SearchFieldProps } from "../parts/fields/search-field.tsx";
import { frameTexts } from "../texts/areas.ts";
import { useRowKeys } from "./row-keys.ts";
import "./list.css";

export type ListTexts = {
  /** "6 campaigns". */
  readonly count: (count: number, shown: string) => string;
  readonly noMatch?: string;
};

export type ListProps<Item> = {
  /** The accessible name. */
  readonly name: string;
  readonly texts: ListTexts;
  readonly search?: Omit<SearchFieldProps, "name"> & { readonly name: string };
  /** Replaces the search field, for a list that has its own. */
  readonly ask?: ReactNode;
  readonly tabs?: ReactNode;
  /** Replaces search and tabs while rows are selected. */
  readonly bulk?: ReactNode;
  readonly className: string;
  readonly columns: readonly RowsColumn[];
  /** Undefined while loading. */
  readonly items: readonly Item[] | undefined;
  /** The query of the items, for its state. */
  readonly of: QueryState;
  readonly row?: (item: Item, at: number) => ReactNode;
  /** Replaces `row`, for rows that are rendered when they scroll into view. */
  readonly rows?: (items: readonly Item[]) => ReactNode;
  /** Replaces the rows of a list that is empty without a filter. */
  readonly empty: ReactNode;
  readonly isNarrowed?: boolean;
  /** Removes search and filters. */
  readonly clear?: () => void;
  /** The number of items, if not all are loaded. */
  readonly total?: number | undefined;
  readonly totalText?: string | undefined;
  readonly pages?: Pages;
  /** Hints for further keys, beside those that move and open. */
  readonly keys?: ReactNode;
  /** A panel with its own heading, on a page with others. */
  readonly isPart?: boolean;
  /** A description below the heading. */
  readonly text?: string;
  /** Not the main list of the page: it has no key hints. */
  readonly isSecond?: boolean;
};

export function List<Item>(props: ListProps<Item>) {
  const { name, text, search, ask, tabs, bulk, items, isNarrowed, isPart } = props;
  const isEmpty = items?.length === 0 && !isNarrowed;
  return (
    <section className={isPart ? "list panel" : "list"} aria-label={name}>
      {isPart && (
        <header>
          <h2>{name}</h2>
          {text && <p className="dim row-text">{text}</p>}
        </header>
      )}
      {bulk}
      {!bulk && !isEmpty && (search || ask || tabs) && (
        <div className="list-ask">
          {ask ?? (search && <SearchField {...search} />)}
          {tabs && <div className="list-tabs">{tabs}</div>}
        </div>
      )}
      <Body {...props} />
    </section>
  );
}

function Body<Item>(props: ListProps<Item>) {
  const { texts, items, rows, empty, isNarrowed, pages } = props;
  const t = useTexts(frameTexts).lists;
  if (items?.length === 0 && !pages?.hasNextPage)
    return (
      <div className="scroll blank">
        {isNarrowed ? (
          <Empty title={t.noMatch} action={<ShowAll {...props} />}>
            {texts.noMatch}
          </Empty>
        ) : (
          empty
        )}
      </div>
    );
  return (
    <>
      {items && rows ? rows(items) : <PlainRows {...props} />}
      {items && <Foot {...props} count={items.length} />}
    </>
  );
}

function ShowAll({ clear }: { readonly clear?: (() => void) | undefined }) {
  const t = useTexts(frameTexts).lists;
  return clear && <Button onClick={clear}>{t.showAll}</Button>;
}

/** The rows, or before they are loaded, grey bars or the error. */
function PlainRows<Item>({ search, items, row, isNarrowed, clear, className, columns, of }: ListProps<Item>) {
  const { rows, pressed, focusFirst } = useRowKeys();
  useSearchFocus({ filters: { search: search?.value }, count: search && items?.length, focusFirst });
  return (
    <div className="scroll" ref={rows} onKeyDown={pressed}>
      <Rows className={className} columns={columns} of={of} items={items} row={row ?? (() => null)} />
      {!items && isNarrowed && of.errorUpdateCount > 0 && (
        <p className="pad">
          <ShowAll clear={clear} />
        </p>
      )}
    </div>
  );
}

type FootProps = Pick<ListProps<never>, "texts" | "total" | "totalText" | "pages" | "keys" | "isSecond"> & {
  readonly count: number;
};

function Foot({ texts, count, total, totalText, pages, keys, isSecond }: FootProps) {
  const t = useTexts(frameTexts).lists;
  const { number } = useFormats();
  const isMore = total === undefined && pages?.hasNextPage;
  const shown = totalText ?? number(total ?? count) + (isMore ? "+" : "");
  return (
    <div className="foot">
      <span className="stay">{texts.count(total ?? count, shown)}</span>
      {pages && <More {...pages} name={t.more} />}
      {!isSecond && (
        <span className="hints push">
          <span>
            <KeyHints keys={["j", "k"]} /> {t.move}
          </span>
          <span>
            <KeyHints keys={["⏎"]} /> {t.open}
          </span>
          {keys}
        </span>
      )}
    </div>
  );
}
