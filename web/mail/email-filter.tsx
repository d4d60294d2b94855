// The search field above the list: `key:value` becomes a filter; a menu offers the common ones.
import { useTexts } from "../language.ts";
import { FilterField, filterEntry, useDebouncedText } from "../parts/filter-field.tsx";
import { mailTexts } from "../texts/areas.ts";
import { parseFilters, tokensOf } from "./search-query.ts";
import type { Filters } from "./filters.ts";

const KINDS = ["TRANSACTIONAL", "CAMPAIGN", "WORKFLOW", "INBOUND"] as const;
const HAPPENED = ["opened", "clicked"] as const;
const SINCE = ["24h", "7d", "30d"] as const;

type EmailFilterProps = { readonly filters: Filters; readonly narrow: (filters: Filters) => void };

export function EmailFilter({ filters, narrow }: EmailFilterProps) {
  const t = useTexts(mailTexts);
  const written = useDebouncedText(filters.search ?? "", (words) => {
    const { search: _, ...rest } = filters;
    const parsed = parseFilters(words);
    narrow({ ...rest, ...parsed });
    // What is written next stays a word of its own.
    const searchText = parsed.search === undefined ? "" : `${parsed.search}${/\s$/.test(words) ? " " : ""}`;
    written.setText(/:\S+\s*$/.test(words) ? searchText : words);
  });
  const write = (words: string) => {
    const isFilter = /(^|\s)[a-z]+:\S*$/i.test(words);
    const isWhole = /(^|\s)[a-z]+:\S+\s$/i.test(words);
    written.write(words, !isFilter && !isWhole);
    if (isWhole) written.settle(words);
  };
  const entry = filterEntry(filters, narrow);
  return (
    <FilterField
      texts={t}
      written={written}
      write={write}
      tokens={tokensOf(filters)}
      remove={(name) => {
        const { [name]: _, ...rest } = filters;
        narrow(rest);
      }}
      entries={[
        ...KINDS.map((kind) => entry("sourceType", kind, t.kinds[kind])),
        "line",
        ...HAPPENED.map((what) => entry("happened", what, t.happened[what])),
        "line",
        ...SINCE.map((since) => entry("since", since, t.sinces[since])),
      ]}
    />
  );
}
