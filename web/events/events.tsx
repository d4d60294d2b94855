// Events: what happens, as it happens, by name and person; and what events of a name tell.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { Bar } from "../frame/bar.tsx";
import { useTexts } from "../language.ts";
import { Button } from "../parts/button.tsx";
import { Skeleton } from "../parts/layout.tsx";
import { eventsTexts } from "../texts/areas.ts";
import { useVerbs } from "../verbs.ts";
import { Ask } from "./ask.tsx";
import { personQuery, queryOf } from "./calls.ts";
import { Names } from "./names.tsx";
import { filtersIn, type EventsSearch, type Filters } from "./search.ts";
import { Shape } from "./shape.tsx";
import { Tail } from "./tail.tsx";
import "./events.css";

const route = getRouteApi("/frame/events");

export function Events() {
  const t = useTexts(eventsTexts);
  const search = route.useSearch();
  const filters = filtersIn(search);
  const { name, person } = filters;
  const navigate = useNavigate();
  const [isPaused, pause] = useState(false);
  const { data: contact } = useQuery({ ...personQuery(person ?? ""), enabled: person !== undefined });
  const narrow = useCallback((next: Filters) => void navigate({ to: "/events", search: next }), [navigate]);
  const asked = { ...(name ? { name } : {}), ...(contact ? { contactId: contact.id } : {}) };
  const toggle = () => pause(!isPaused);
  const isTail = search.tab === undefined;
  const words = isPaused ? t.goOn : t.pause;
  useVerbs(isTail ? [{ id: "pause", name: words, icon: isPaused ? "play" : "pause", run: toggle }] : []);
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
            <Ask filters={filters} narrow={narrow} />
            {person !== undefined && contact === undefined ? (
              <Skeleton rows={8} columns={4} className="events-list" />
            ) : (
              <Tail
                key={JSON.stringify(asked)}
                asked={asked}
                isNobody={contact === null}
                isPaused={isPaused}
                isNarrowed={name !== undefined || person !== undefined}
                narrow={narrow}
              />
            )}
          </div>
          {name && <Shape key={name} name={name} />}
        </div>
      ) : (
        <Names />
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
