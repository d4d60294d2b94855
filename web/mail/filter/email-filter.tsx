// The search field above the list: `key:value` becomes a filter; a menu offers the common ones.
import { useState } from "react";
import { useTexts } from "../../base/language.ts";
import { FilterField, filterEntry, useDebouncedText, useFiltersKeptAnew } from "../../parts/fields/filter-field.tsx";
import { mailTexts } from "../../texts/areas.ts";
import { ChooseDates } from "./choose-dates.tsx";
import { parseFilters, tokensOf } from "./search-query.ts";
import type { MailFilters } from "./filters.ts";

const KINDS = ["TRANSACTIONAL", "CAMPAIGN", "WORKFLOW", "INBOUND"] as const;
const HAPPENED = ["opened", "clicked"] as const;
const SINCE = ["24h", "7d", "30d"] as const;

type EmailFilterProps = { readonly filters: MailFilters; readonly narrow: (filters: MailFilters) => void };

export function EmailFilter({ filters, narrow }: EmailFilterProps) {
  const t = useTexts(mailTexts);
  const [isChoosing, choose] = useState(false);
  const written = useWords(filters, narrow);
  const entry = filterEntry(filters, narrow);
  return (
    <>
      <FilterField
        texts={t}
        written={written}
        write={written.writeFilters}
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
          { id: "dates", name: t.dates.open, run: () => choose(true) },
        ]}
      />
      {isChoosing && <ChooseDates filters={filters} narrow={narrow} close={() => choose(false)} />}
    </>
  );
}

/** The typed text: a filter applies as soon as it is complete, other words once typing stops. */
function useWords(filters: MailFilters, narrow: (filters: MailFilters) => void) {
  const keptAnew = useFiltersKeptAnew(filters);
  const written = useDebouncedText(filters.search ?? "", (words, isAnew) => {
    const { search: _, ...rest } = isAnew && words.trim() !== "" ? keptAnew() : filters;
    const parsed = parseFilters(words);
    const narrowed = { ...rest, ...parsed };
    narrow(narrowed);
    // A space at the end stays, so that the next word is separate.
    const searchText = parsed.search === undefined ? "" : `${parsed.search}${/\s$/.test(words) ? " " : ""}`;
    written.setText(/:\S+\s*$/.test(words) ? searchText : words);
    return narrowed;
  });
  const writeFilters = (words: string) => {
    const isFilter = /(^|\s)[a-z]+:\S*$/i.test(words);
    const isWhole = /(^|\s)[a-z]+:\S+\s$/i.test(words);
    written.write(words, !isFilter && !isWhole);
    if (isWhole) written.settle(words);
  };
  return { ...written, writeFilters };
}
