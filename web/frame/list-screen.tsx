// The list screen of a resource: create button, search and filters, rows, empty state, paging.
import type { ReactNode } from "react";
import { curlOf, type Call } from "../curl.ts";
import { Button } from "../parts/button.tsx";
import type { IconName } from "../parts/icon.tsx";
import { Empty, type Loading } from "../parts/layout.tsx";
import { More, Rows, type Column, type Pages } from "../parts/rows.tsx";
import { SearchField } from "../parts/search-field.tsx";
import { useCommands } from "../commands.ts";
import { Bar } from "./bar.tsx";

type Texts = {
  readonly title: string;
  readonly make: string;
  readonly find: string;
  readonly noMatch: string;
  readonly more?: string;
  readonly empty: { readonly title: string; readonly text: string };
};

type ListScreenProps<Item> = {
  readonly texts: Texts;
  /** The call that answers what is shown. */
  readonly call: Call;
  readonly live?: boolean;
  readonly make: () => void;
  readonly disabledReason: string | undefined;
  /** The call that makes one, for an empty list. */
  readonly example: Call;
  readonly verb: { readonly id: string; readonly icon: IconName };
  /** The words that the list is narrowed to. */
  readonly search: string | undefined;
  readonly find: (search: string | undefined) => void;
  /** Narrowed by more than words. */
  readonly isNarrowed?: boolean;
  /** Another way to begin, for an empty list. */
  readonly orElse?: ReactNode;
  /** Beside the field for words. */
  readonly narrow?: ReactNode;
  readonly className: string;
  readonly columns: readonly Column[];
  readonly items: readonly Item[] | undefined;
  /** What they come from. */
  readonly of: Loading;
  readonly row: (item: Item) => ReactNode;
  readonly pages?: Pages;
  readonly shown?: string | undefined;
  readonly children?: ReactNode;
};

export function ListScreen<Item>(props: ListScreenProps<Item>) {
  const { texts, call, live, make, disabledReason, example, verb, search, isNarrowed, items, orElse, children } = props;
  useCommands([{ ...verb, name: texts.make, run: make, disabledReason, keys: ["N"] }]);
  const button = (kind?: "first") => (
    <Button kind={kind} icon="plus" disabledReason={disabledReason} onClick={make}>
      {texts.make}
    </Button>
  );
  return (
    <>
      <Bar title={texts.title} call={call} live={live} actions={button()} />
      <div className="page">
        {items?.length === 0 && !search && !isNarrowed ? (
          <Empty
            title={texts.empty.title}
            curl={curlOf(example)}
            action={
              <span className="inline">
                {button("first")}
                {orElse}
              </span>
            }
          >
            {texts.empty.text}
          </Empty>
        ) : (
          <ListResult {...props} />
        )}
      </div>
      {children}
    </>
  );
}

function ListResult<Item>({ texts, search, find, narrow, items, pages, shown, ...rows }: ListScreenProps<Item>) {
  const more = pages && texts.more && <More {...pages} name={texts.more} />;
  const hasFoot = items !== undefined && items.length > 0 && (shown !== undefined || pages?.hasNextPage);
  return (
    <>
      <div className="inline l find">
        <SearchField name={texts.find} value={search} onChange={find} />
        {narrow}
      </div>
      <section className="panel" aria-label={texts.title}>
        <Rows {...rows} items={items} />
        {items?.length === 0 && !pages?.hasNextPage && <p className="pad dim row-text">{texts.noMatch}</p>}
        {hasFoot && (
          <div className="foot">
            {shown && <span>{shown}</span>}
            {more}
          </div>
        )}
      </section>
    </>
  );
}
