// The search parameters of the events screen.

export type Filters = { readonly name?: string; /** An address. */ readonly person?: string };
export type EventsSearch = Filters & { readonly tab?: "names" };

export function eventsSearch({ name, person, tab }: Readonly<Record<string, unknown>>): EventsSearch {
  return { ...filtersIn({ name, person }), ...(tab === "names" ? { tab } : {}) };
}

export function filtersIn({ name, person }: Readonly<Record<string, unknown>>): Filters {
  return { ...(name ? { name: String(name) } : {}), ...(person ? { person: String(person) } : {}) };
}
