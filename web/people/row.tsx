// A person as a row: selection, address, and the chosen columns.
import { useTexts } from "../language.ts";
import { Line } from "../lists/line.tsx";
import { Checkbox } from "../parts/checkbox.tsx";
import { peopleTexts } from "../texts/areas.ts";
import type { Contact } from "./calls.ts";
import { Cell, type Column } from "./columns.tsx";
import type { Selection } from "./selection.ts";

type Place = { readonly ref: (row: HTMLElement | null) => void; readonly "data-index": number; readonly top: number };

type RowProps = {
  readonly contact: Contact;
  readonly place: Place;
  readonly isAt: boolean;
  readonly chosen: Selection;
  readonly shown: readonly Column[];
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
