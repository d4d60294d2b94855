// Filters the live list by event name, person and tag, and saves the filter as a view.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState, type FormEvent } from "react";
import { useKnownTags } from "../labels/known-tags.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { eventsTexts } from "../texts/areas.ts";
import { SavedViews } from "../views/saved-views.tsx";
import { countsQuery } from "./calls.ts";
import { filtersIn, type EventFilters } from "./search.ts";

type EventFilterProps = { readonly filters: EventFilters; readonly narrow: (filters: EventFilters) => void };

export function EventFilter({ filters, narrow }: EventFilterProps) {
  const t = useTexts(eventsTexts);
  const list = useId();
  const { data } = useQuery(countsQuery);
  const tags = useKnownTags();
  const [typed, type] = useState<EventFilters>(filters);
  useEffect(() => type(filters), [filters.name, filters.person, filters.tag]);
  const look = (event: FormEvent) => {
    event.preventDefault();
    narrow(filtersIn({ name: typed.name?.trim(), person: typed.person?.trim(), tag: typed.tag?.trim() }));
  };
  return (
    <div className="stack">
      <form className="events-ask" onSubmit={look}>
        <input
          className="input"
          aria-label={t.name}
          placeholder={t.anyName}
          list={list}
          maxLength={255}
          value={typed.name ?? ""}
          onChange={({ target: { value } }) => {
            type({ ...typed, name: value });
            // A name from the list is complete, so the filter does not wait for the button.
            if (data?.names.some(({ name }) => name === value)) narrow(filtersIn({ ...typed, name: value }));
          }}
        />
        <datalist id={list}>
          {data?.names.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <input
          className="input"
          type="search"
          aria-label={t.person}
          placeholder={t.anyPerson}
          maxLength={255}
          value={typed.person ?? ""}
          onChange={({ target: { value } }) => type({ ...typed, person: value })}
        />
        {(tags.length > 0 || filters.tag !== undefined) && (
          <>
            <input
              className="input"
              aria-label={t.tag}
              placeholder={t.anyTag}
              list={`${list}-tags`}
              maxLength={129}
              autoCapitalize="none"
              value={typed.tag ?? ""}
              onChange={({ target: { value } }) => type({ ...typed, tag: value })}
            />
            <datalist id={`${list}-tags`}>
              {tags.map((tag) => (
                <option key={tag} value={tag} />
              ))}
            </datalist>
          </>
        )}
        <Button type="submit" icon="search">
          {t.look}
        </Button>
        {Object.keys(filters).length > 0 && (
          <Button kind="quiet" icon="x" onClick={() => narrow({})}>
            {t.all}
          </Button>
        )}
      </form>
      <SavedViews list="events" to="/events" filters={filters} alone />
    </div>
  );
}
