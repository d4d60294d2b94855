// The search parameters of the events screen.

export type Filters = {
  readonly name?: string;
  /** An address. */
  readonly person?: string;
  /** Of its email. */
  readonly tag?: string;
};
export type EventsSearch = Filters & { readonly tab?: "names" };

export function eventsSearch({ name, person, tag, tab }: Readonly<Record<string, unknown>>): EventsSearch {
  return { ...filtersIn({ name, person, tag }), ...(tab === "names" ? { tab } : {}) };
}

export function filtersIn({ name, person, tag }: Readonly<Record<string, unknown>>): Filters {
  return {
    ...(name ? { name: String(name) } : {}),
    ...(person ? { person: String(person) } : {}),
    ...(tag ? { tag: String(tag) } : {}),
  };
}
