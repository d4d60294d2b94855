// A person as a row: selection, address, and the chosen columns.
import type { MouseEvent } from "react";
import { useTexts } from "../language.ts";
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
  readonly open: (id: string) => void;
};

export function Row({ contact, place: { top, ...place }, isAt, chosen, shown, setFocus, open }: RowProps) {
  const t = useTexts(peopleTexts);
  const { id, email } = contact;
  const clicked = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    open(id);
  };
  return (
    <div
      {...place}
      className="line"
      style={{ transform: `translateY(${top}px)` }}
      aria-selected={undefined}
      data-chosen={chosen.has(id) || undefined}
    >
      <Checkbox
        checked={chosen.has(id)}
        tabIndex={isAt ? 0 : -1}
        onFocus={setFocus}
        onChange={() => chosen.toggle(contact)}
      >
        <span className="hidden-text">{t.choose(email)}</span>
      </Checkbox>
      <a href={`/app/people/${id}`} className="to cut" tabIndex={isAt ? 0 : -1} onFocus={setFocus} onClick={clicked}>
        {email}
      </a>
      {shown.map((column) => (
        <Cell key={column} column={column} contact={contact} />
      ))}
    </div>
  );
}
