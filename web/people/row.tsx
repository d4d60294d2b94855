// A person as a row: selection, name, subscription, date.
import type { MouseEvent } from "react";
import { useTexts } from "../language.ts";
import { Checkbox } from "../parts/checkbox.tsx";
import { Time } from "../parts/time.tsx";
import { peopleTexts } from "../texts/areas.ts";
import { displayName, type Contact } from "./calls.ts";
import type { Selection } from "./selection.ts";
import { SubscriptionLabel } from "./subscription-label.tsx";

type Place = { readonly ref: (row: HTMLElement | null) => void; readonly "data-index": number; readonly top: number };

type RowProps = {
  readonly contact: Contact;
  readonly place: Place;
  readonly isAt: boolean;
  readonly chosen: Selection;
  readonly setFocus: () => void;
  readonly open: (id: string) => void;
};

export function Row({ contact, place: { top, ...place }, isAt, chosen, setFocus, open }: RowProps) {
  const t = useTexts(peopleTexts);
  const { id, email, createdAt } = contact;
  const name = displayName(contact);
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
      <Checkbox checked={chosen.has(id)} tabIndex={-1} onChange={() => chosen.toggle(contact)}>
        <span className="hidden-text">{t.choose(email)}</span>
      </Checkbox>
      <a href={`/app/people/${id}`} className="to cut" tabIndex={isAt ? 0 : -1} onFocus={setFocus} onClick={clicked}>
        {email}
      </a>
      <span className="sub cut">{name === email ? "" : name}</span>
      <SubscriptionLabel contact={contact} />
      <Time at={createdAt} as="brief" />
    </div>
  );
}
