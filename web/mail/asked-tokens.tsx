// What the list of mails is narrowed to, in words.
import { tokensOf } from "./asked.ts";
import type { Filters } from "./filters.ts";

export function AskedTokens({ filters }: { readonly filters: Filters }) {
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
