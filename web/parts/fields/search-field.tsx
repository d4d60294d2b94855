// The search field of a list, with its other filters.
import { compact } from "../../base/compact.ts";
import { FilterField, useDebouncedText } from "./filter-field.tsx";

export type SearchFieldProps = {
  readonly name: string;
  readonly value: string | undefined;
  readonly onChange: (search: string | undefined) => void;
  /** Other active filters. */
  readonly tokens?: readonly { readonly name: string; readonly text: string; readonly drop: () => void }[];
};

export function SearchField({ name, value, onChange, tokens = [] }: SearchFieldProps) {
  const look = (words: string) => {
    const search = words.trim() || undefined;
    if (search !== value) onChange(search);
    return compact({ search });
  };
  const written = useDebouncedText(value ?? "", look);
  return (
    <FilterField
      texts={{ find: name, findHint: name }}
      written={written}
      write={written.write}
      tokens={tokens}
      remove={(removed) => tokens.find((token) => token.name === removed)?.drop()}
      entries={[]}
    />
  );
}
