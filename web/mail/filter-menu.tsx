// Filters to choose from, without knowing their words: kinds of mail, what readers did, and how far back.
import { useTexts } from "../language.ts";
import { Menu, type MenuEntry } from "../parts/menu.tsx";
import { Icon } from "../parts/icon.tsx";
import { mailTexts } from "../texts/areas.ts";
import type { FilterName, Filters } from "./filters.ts";

const KINDS = ["TRANSACTIONAL", "CAMPAIGN", "WORKFLOW", "INBOUND"] as const;
const HAPPENED = ["opened", "clicked"] as const;
const SINCE = ["24h", "7d", "30d"] as const;

type FilterMenuProps = { readonly filters: Filters; readonly narrow: (filters: Filters) => void };

export function FilterMenu({ filters, narrow }: FilterMenuProps) {
  const t = useTexts(mailTexts);
  const entry = (name: FilterName, value: string, words: string): MenuEntry => ({
    id: `${name} ${value}`,
    name: words,
    chosen: filters[name] === value,
    run: () => {
      const { [name]: now, ...rest } = filters;
      narrow(now === value ? rest : { ...rest, [name]: value });
    },
  });
  const entries = [
    ...KINDS.map((kind) => entry("sourceType", kind, t.kinds[kind])),
    "line" as const,
    ...HAPPENED.map((what) => entry("happened", what, t.happened[what])),
    "line" as const,
    ...SINCE.map((since) => entry("since", since, t.sinces[since])),
  ];
  return (
    <Menu label={t.filter} entries={entries} className="btn quiet s only">
      <span className="hidden-text">{t.filter}</span>
      <Icon name="filter" />
    </Menu>
  );
}
