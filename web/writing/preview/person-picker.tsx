// Picks the person of the preview, or none.
import { useState } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Button as AriaButton } from "react-aria-components/Button";
import { Input } from "react-aria-components/Input";
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { SearchField } from "react-aria-components/SearchField";
import { useTexts } from "../../base/language.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { Popover } from "../../parts/overlays/popover.ts";
import { writingTexts } from "../../texts/areas.ts";
import { usePeople, type Person } from "./people.ts";

type PersonProps = {
  readonly chosen: Person | null;
  readonly choose: (person: Person | null) => void;
  /** The label of no person, such as an event whose data is used. */
  readonly otherwise?: string | undefined;
};

const NOBODY = "nobody";

export function PersonPicker({ chosen, choose, otherwise }: PersonProps) {
  const { preview: t } = useTexts(writingTexts);
  const [search, setSearch] = useState("");
  const { data: people = [], isPending } = usePeople(search.trim());
  const nobody = otherwise ?? t.nobody;
  // No entry while the search is loading: if the answer replaced it, the focus would be lost.
  const hasNobody = search.trim() === "" || (!isPending && people.length === 0);
  const pick = (id: unknown) => choose(people.find((person) => person.id === id) ?? null);
  return (
    <MenuTrigger onOpenChange={(isOpen) => isOpen || setSearch("")}>
      <AriaButton className="select" aria-label={`${t.asWhom}: ${chosen?.name ?? nobody}`}>
        <span className="cut">{chosen?.name ?? nobody}</span>
        <Icon name="down" />
      </AriaButton>
      <Popover className="menu people-menu">
        {/* Without a filter here: the server searches. */}
        <Autocomplete inputValue={search} onInputChange={setSearch}>
          <SearchField className="find-person" aria-label={t.find} autoFocus>
            <Icon name="search" />
            <Input placeholder={t.find} />
          </SearchField>
          <Menu aria-label={t.asWhom} className="entries" onAction={pick}>
            {/* Enter picks the first entry, so this one is left out once people are found. */}
            {hasNobody && (
              <MenuItem id={NOBODY} className="item" textValue={nobody}>
                <span>{nobody}</span>
                {otherwise === undefined && <span className="dim small">{t.nobodyNote}</span>}
              </MenuItem>
            )}
            {people.map(({ id, name, email }) => (
              <MenuItem key={id} id={id} className="item" textValue={`${name} ${email}`}>
                <span className="cut">{name}</span>
                {name !== email && <span className="dim small cut">{email}</span>}
              </MenuItem>
            ))}
          </Menu>
        </Autocomplete>
      </Popover>
    </MenuTrigger>
  );
}
