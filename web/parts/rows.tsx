// A list of rows under column heads, and the button to load more.
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Skeleton, type QueryState } from "./layout.tsx";

/** The head of a column, or null. `end`: right-aligned. */
export type RowsColumn = string | { readonly end: string } | null;

export function ColumnNames({ columns }: { readonly columns: readonly RowsColumn[] }) {
  return (
    <div className="head wide-only">
      {columns.map((column, at) => {
        const isAtEnd = typeof column === "object" && column !== null;
        return (
          <span key={at} className={isAtEnd ? "end" : undefined}>
            {isAtEnd ? column.end : column}
          </span>
        );
      })}
    </div>
  );
}

type RowsProps<Item> = {
  /** The query of `items`. */
  readonly of: QueryState;
  readonly className: string;
  readonly columns: readonly RowsColumn[];
  /** Undefined while loading. */
  readonly items: readonly Item[] | undefined;
  readonly row: (item: Item, at: number) => ReactNode;
  /** The number of grey bars while loading. */
  readonly loading?: number;
};

export function Rows<Item>({ of, className, columns, items, row, loading = 8 }: RowsProps<Item>) {
  if (!items) return <Skeleton of={of} rows={loading} columns={Math.min(columns.length, 5)} className={className} />;
  return (
    <div className={`rows ${className}`}>
      <ColumnNames columns={columns} />
      {items.map(row)}
    </div>
  );
}

/** The paging state of a list. */
export type Pages = {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
};

type MoreProps = Pages & {
  readonly name: string;
  readonly large?: boolean;
  /** Puts the button on its own line. */
  readonly className?: "foot" | "pad";
};

/** Renders nothing after the last page. */
export function More({ name, large, className, hasNextPage, isFetchingNextPage, fetchNextPage }: MoreProps) {
  if (!hasNextPage) return null;
  const button = (
    <Button small={!large} busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {name}
    </Button>
  );
  return className ? <div className={className}>{button}</div> : button;
}
