// A button that opens a list of choices, searchable if the list may be long.
import { useState, type ReactNode } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Button as AriaButton } from "react-aria-components/Button";
import { Header } from "react-aria-components/Header";
import { Input } from "react-aria-components/Input";
import { ListBox, ListBoxItem, ListBoxSection } from "react-aria-components/ListBox";
import { SearchField } from "react-aria-components/SearchField";
import { Select, SelectValue } from "react-aria-components/Select";
import { Icon } from "../parts/icons/icon.tsx";
import { Popover } from "../parts/overlays/popover.ts";
import { ranked, type RankedChoice, type Section } from "./ranked.ts";

export type { RankedChoice, Section } from "./ranked.ts";

type PickerProps = {
  readonly label: string;
  readonly value: string;
  /** The text of the button. */
  readonly shown: string;
  readonly onChange: (id: string) => void;
  /** The list is open at first. */
  readonly open?: boolean;
  readonly invalid?: boolean;
};

/** For short lists. */
export function Picker({ choices, ...pick }: PickerProps & { readonly choices: readonly RankedChoice[] }) {
  return (
    <Frame {...pick}>
      <ListBox className="entries">{choices.map(item)}</ListBox>
    </Frame>
  );
}

type SearchPickerProps = PickerProps & {
  readonly search: string;
  readonly nothing: string;
  /** The choices for the typed words. */
  readonly sectionsFor: (words: string) => readonly Section[];
};

export function SearchPicker({ search, nothing, sectionsFor, ...pick }: SearchPickerProps) {
  const [words, setWords] = useState("");
  return (
    <Frame {...pick} onClose={() => setWords("")}>
      <Autocomplete inputValue={words} onInputChange={setWords}>
        <SearchField className="search" aria-label={search} autoFocus>
          <Input className="input" placeholder={search} maxLength={255} />
        </SearchField>
        <ListBox className="entries" renderEmptyState={() => <span className="dim cap">{nothing}</span>}>
          {ranked(sectionsFor(words), words).map(({ id, name, choices }) => (
            <ListBoxSection key={id} id={id}>
              <Header className="cap">{name}</Header>
              {choices.map(item)}
            </ListBoxSection>
          ))}
        </ListBox>
      </Autocomplete>
    </Frame>
  );
}

function item({ id, name, note }: RankedChoice) {
  return (
    <ListBoxItem key={id} id={id} className="item" textValue={name}>
      <span className="cut">{name}</span>
      {note !== undefined && <span className="dim small">{note}</span>}
    </ListBoxItem>
  );
}

type FrameProps = PickerProps & { readonly onClose?: () => void; readonly children: ReactNode };

function Frame({ label, value, shown, onChange, open = false, invalid = false, onClose, children }: FrameProps) {
  return (
    <Select
      aria-label={`${label}: ${shown}`}
      value={value}
      onChange={(chosen) => chosen !== null && onChange(String(chosen))}
      onOpenChange={(isOpen) => isOpen || onClose?.()}
      defaultOpen={open}
      isInvalid={invalid}
    >
      <AriaButton className="select">
        <SelectValue className="cut">{() => shown}</SelectValue>
        <Icon name="down" />
      </AriaButton>
      <Popover className="menu pick">{children}</Popover>
    </Select>
  );
}
