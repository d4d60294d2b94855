// The one list: search, tabs, rows and footer, with what stands in place of the rows while they load, when they cannot be
// loaded, when nothing matches and when there is nothing yet.
import type { ReactNode } from "react";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Empty, KeyHints, type Loading } from "../parts/layout.tsx";
import { More, Rows, type RowsColumn, type Pages } from "../parts/rows.tsx";
import { useSearchFocus } from "../parts/search-focus.ts";
import { SearchField, type SearchFieldProps } from "../parts/search-field.tsx";
import { frameTexts } from "../texts/areas.ts";
import { useRowKeys } from "./row-keys.ts";
import "./list.css";

export type ListTexts = {
  /** "6 campaigns". */
  readonly count: (count: number, shown: string) => string;
  readonly noMatch?: string;
};

export type ListProps<Item> = {
  /** What it is called by those who hear it. */
  readonly name: string;
  readonly texts: ListTexts;
  readonly search?: Omit<SearchFieldProps, "name"> & { readonly name: string };
  /** In place of the field for words, where a list has one of its own. */
  readonly ask?: ReactNode;
  readonly tabs?: ReactNode;
  /** In place of search and tabs, while rows are selected. */
  readonly bulk?: ReactNode;
  readonly className: string;
  readonly columns: readonly RowsColumn[];
  /** Undefined while they are loading. */
  readonly items: readonly Item[] | undefined;
  /** What they come from. */
  readonly of: Loading;
  readonly row?: (item: Item, at: number) => ReactNode;
  /** In place of `row`, for rows that are made as they are scrolled to. */
  readonly rows?: (items: readonly Item[]) => ReactNode;
  /** What stands in place of the rows when there are none at all. */
  readonly empty: ReactNode;
  readonly isNarrowed?: boolean;
  /** Shows all of it again. */
  readonly clear?: () => void;
  /** How many there are, if the rows do not tell. */
  readonly total?: number | undefined;
  readonly totalText?: string | undefined;
  readonly pages?: Pages;
  /** More keys than those that move and open. */
  readonly keys?: ReactNode;
  /** It stands on a page with others, under a head of its own. */
  readonly isPart?: boolean;
  /** What it is about. */
  readonly text?: string;
  /** It is not what the page is for. */
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

/** Also while there are none: grey bars, or what failed. */
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
