// The selection in the list: single people, or all that match the filters.
import { useEffect, useState } from "react";
import type { Contact } from "../calls.ts";
import type { PeopleFilters } from "../filters.ts";

export type PeopleSelection = {
  readonly some: ReadonlyMap<string, Contact>;
  readonly isAll: boolean;
  readonly has: (id: string) => boolean;
  readonly count: (total: number | undefined) => number;
  readonly toggle: (contact: Contact) => void;
  readonly addAll: (contacts: readonly Contact[]) => void;
  readonly all: () => void;
  readonly none: () => void;
};

const NONE: ReadonlyMap<string, Contact> = new Map();

/** Another list starts with an empty selection. */
export function useSelection(filters: PeopleFilters): PeopleSelection {
  const [some, setSome] = useState(NONE);
  const [isAll, setAll] = useState(false);
  const none = () => {
    setSome(NONE);
    setAll(false);
  };
  useEffect(none, [JSON.stringify(filters)]);
  const toggle = (contact: Contact) => {
    if (isAll) return none();
    const next = new Map(some);
    if (!next.delete(contact.id)) next.set(contact.id, contact);
    setSome(next);
  };
  return {
    some,
    isAll,
    toggle,
    none,
    has: (id) => isAll || some.has(id),
    count: (total) => (isAll ? (total ?? 0) : some.size),
    addAll: (contacts) => setSome(new Map([...some, ...contacts.map((one) => [one.id, one] as const)])),
    all: () => setAll(true),
  };
}
