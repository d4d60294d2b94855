// The active filters, as words.
import { tokensOf } from "./search-query.ts";
import type { MailFilters } from "./filters.ts";

export function FilterTokens({ filters }: { readonly filters: MailFilters }) {
  return (
    <p className="inline wrap">
      {tokensOf(filters).map(({ name, text }) => (
        <span className="tok" key={name}>
          {text}
        </span>
      ))}
      {filters.search && <span className="tok">{filters.search}</span>}
    </p>
  );
}
