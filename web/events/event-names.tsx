// The names of events, each with its count and the time of the last event.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useFormats } from "../base/formats.ts";
import { useTexts } from "../base/language.ts";
import { Skeleton } from "../parts/layout.tsx";
import { Time } from "../parts/time.tsx";
import { eventsTexts } from "../texts/areas.ts";
import { countsQuery } from "./calls.ts";

export function EventNames() {
  const t = useTexts(eventsTexts);
  const { number } = useFormats();
  // Refetched whenever the tab is opened.
  const { data, ...asked } = useQuery({ ...countsQuery, staleTime: 0 });
  return (
    <div className="page">
      <section className="panel" aria-label={t.tabs.names}>
        {!data && <Skeleton of={asked} rows={8} columns={3} className="event-names" />}
        {data && (
          <div className="rows event-names">
            <div className="head">
              <span>{t.name}</span>
              <span className="end">{t.count}</span>
              <span className="end">{t.last}</span>
            </div>
            {data.names.map(({ name, count, isLowerBound, lastAt }) => (
              <Link key={name} className="line" to="/events" search={{ name }}>
                <b className="cut">{name}</b>
                <span className="end">
                  {count === null ? "–" : isLowerBound ? t.atLeast(number(count)) : number(count)}
                </span>
                <span className="dim end">
                  <Time at={lastAt} />
                </span>
              </Link>
            ))}
          </div>
        )}
        {data?.names.length === 0 && <p className="pad dim row-text">{t.empty.title}</p>}
      </section>
      <p className="dim row-text">{t.counted}</p>
    </div>
  );
}
