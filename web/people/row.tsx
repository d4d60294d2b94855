// A person as a row: checkbox, address, and the chosen columns.
import { useTexts } from "../base/language.ts";
import { Line } from "../lists/line.tsx";
import { Checkbox } from "../parts/fields/checkbox.tsx";
import { peopleTexts } from "../texts/areas.ts";
import type { Contact } from "./calls.ts";
import { Cell, type PeopleColumn } from "./columns.tsx";
import type { PeopleSelection } from "./bulk/selection.ts";

type RowPlace = {
  readonly ref: (row: HTMLElement | null) => void;
  readonly "data-index": number;
  readonly top: number;
};

type RowProps = {
  readonly contact: Contact;
  readonly place: RowPlace;
  readonly isAt: boolean;
  readonly chosen: PeopleSelection;
  readonly shown: readonly PeopleColumn[];
  readonly setFocus: () => void;
};

export function Row({ contact, place: { top, ...place }, isAt, chosen, shown, setFocus }: RowProps) {
  const t = useTexts(peopleTexts);
  const { id, email } = contact;
  const reached = { tabIndex: isAt ? 0 : -1, onFocus: setFocus };
  return (
    <Line
      {...place}
      style={{ transform: `translateY(${top}px)` }}
      data-chosen={chosen.has(id) || undefined}
      mark={
        <Checkbox checked={chosen.has(id)} {...reached} onChange={() => chosen.toggle(contact)}>
          <span className="hidden-text">{t.choose(email)}</span>
        </Checkbox>
      }
      name={email}
      link={{ to: "/people/$id", params: { id }, preload: false, ...reached }}
    >
      {shown.map((column) => (
        <Cell key={column} column={column} contact={contact} />
      ))}
    </Line>
  );
}
