// Events: the live list by name and person, and the data of each event name.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { compact } from "../base/compact.ts";
import { Bar } from "../parts/bar.tsx";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Skeleton, Panel } from "../parts/layout.tsx";
import { eventsTexts } from "../texts/areas.ts";
import { useCommands } from "../commands.ts";
import { EventFilter } from "./event-filter.tsx";
import { personQuery, queryOf, shapeQuery } from "./calls.ts";
import { EventNames } from "./event-names.tsx";
import { filtersIn, type EventsSearch, type EventFilters } from "./search.ts";
import { Tail } from "./tail.tsx";
import { useFormats } from "../base/formats.ts";
import { EventActions } from "./event-actions.tsx";
import "./events.css";

const route = getRouteApi("/frame/events");

export function Events() {
  const t = useTexts(eventsTexts);
  const search = route.useSearch();
  const filters = filtersIn(search);
  const { name, person, tag } = filters;
  const navigate = useNavigate();
  const [isPaused, pause] = useState(false);
  const { data: contact, ...askedContact } = useQuery({ ...personQuery(person ?? ""), enabled: person !== undefined });
  const narrow = useCallback((next: EventFilters) => void navigate({ to: "/events", search: next }), [navigate]);
  const asked = compact({ name, tag, contactId: contact ? contact.id : undefined });
  const toggle = () => pause(!isPaused);
  const isTail = search.tab === undefined;
  const words = isPaused ? t.goOn : t.pause;
  useCommands(isTail ? [{ id: "pause", name: words, icon: isPaused ? "play" : "pause", run: toggle }] : []);
  return (
    <>
      <Bar
        title={t.title}
        call={isTail ? { path: "/events", query: queryOf(asked) } : { path: "/events/counts" }}
        live={!isPaused}
        actions={
          isTail && (
            <Button icon={isPaused ? "play" : "pause"} onClick={toggle}>
              {words}
            </Button>
          )
        }
      >
        <Tabs search={search} />
      </Bar>
      {isTail ? (
        <div className={name ? "page cols events" : "page"}>
          <div className="stack l">
            <EventFilter filters={filters} narrow={narrow} />
            {person !== undefined && contact === undefined ? (
              <Skeleton of={askedContact} rows={8} columns={4} className="events-list" />
            ) : (
              <Tail
                key={JSON.stringify(asked)}
                asked={asked}
                isNobody={contact === null}
                isPaused={isPaused}
                isNarrowed={Object.keys(filters).length > 0}
                narrow={narrow}
              />
            )}
          </div>
          {name && <Shape key={name} name={name} />}
        </div>
      ) : (
        <EventNames />
      )}
    </>
  );
}

function Tabs({ search: { tab: now, ...filters } }: { readonly search: EventsSearch }) {
  const t = useTexts(eventsTexts);
  return (
    <nav className="tabs" aria-label={t.title}>
      {([undefined, "names"] as const).map((tab) => (
        <Link
          key={tab ?? "tail"}
          to="/events"
          search={tab ? { tab } : filters}
          aria-current={tab === now ? "page" : "false"}
          activeOptions={{ exact: true }}
          activeProps={{}}
        >
          {t.tabs[tab ?? "tail"]}
        </Link>
      ))}
    </nav>
  );
}

/** The data of an event name: keys, types and sample values. */
function Shape({ name }: { readonly name: string }) {
  const t = useTexts(eventsTexts);
  const { number } = useFormats();
  const { data, ...asked } = useQuery(shapeQuery(name));
  return (
    <div className="stack l event-shape">
      <Panel title={t.shape}>
        {!data && <Skeleton of={asked} rows={4} columns={2} />}
        {data && (
          <div className="pad stack">
            <p className="dim row-text">{t.looked(number(data.events))}</p>
            <dl>
              {data.fields.map(({ path, types, seen, samples }) => (
                <div key={path}>
                  <dt>
                    <code>{path}</code>
                    <span className="dim small">
                      {types.map((type) => t.types[type]).join(", ")}
                      {seen < data.events && ` · ${t.seen(number(seen))}`}
                    </span>
                  </dt>
                  {samples.length > 0 && <dd className="dim">{samples.join(" · ")}</dd>}
                </div>
              ))}
            </dl>
            {data.fields.length === 0 && <p className="row-text">{t.tellsNothing}</p>}
          </div>
        )}
      </Panel>
      <div className="inline wrap">
        <EventActions name={name} />
      </div>
    </div>
  );
}
