// The search parameters of the events screen.

export type EventFilters = {
  readonly name?: string;
  /** An email address. */
  readonly person?: string;
  /** A tag of the event's email. */
  readonly tag?: string;
};
export type EventsSearch = EventFilters & { readonly tab?: "names" };

export function eventsSearch({ name, person, tag, tab }: Readonly<Record<string, unknown>>): EventsSearch {
  return { ...filtersIn({ name, person, tag }), ...(tab === "names" ? { tab } : {}) };
}

export function filtersIn({ name, person, tag }: Readonly<Record<string, unknown>>): EventFilters {
  return {
    ...(name ? { name: String(name) } : {}),
    ...(person ? { person: String(person) } : {}),
    ...(tag ? { tag: String(tag) } : {}),
  };
}
