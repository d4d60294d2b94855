// The list of events, newest first. Each opens to its data.
import { useState } from "react";
import { curlOf } from "../calls/curl.ts";
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { ColumnNames } from "../parts/rows.tsx";
import { FaultBanner } from "../parts/fields/form.tsx";
import { Skeleton, Empty } from "../parts/layout.tsx";
import { eventsTexts } from "../texts/areas.ts";
import type { ListQuery } from "./calls.ts";
import { Row } from "./row.tsx";
import type { EventFilters } from "./search.ts";
import { useTail } from "./use-feed.ts";

type TailProps = {
  readonly asked: ListQuery;
  /** There is no contact with the filter's address. */
  readonly isNobody: boolean;
  readonly isPaused: boolean;
  readonly isNarrowed: boolean;
  readonly narrow: (filters: EventFilters) => void;
};

const FIRST = {
  method: "POST",
  path: "/v1/track",
  body: { email: "ada@example.com", event: "order.placed", data: { total: 42 } },
} as const;

export function Tail({ asked, isNobody, isPaused, isNarrowed, narrow }: TailProps) {
  const t = useTexts(eventsTexts);
  const { events, fault, older, isAsking } = useTail(asked, isPaused);
  const [openId, open] = useState<string | null>(null);
  if (isNobody) return <p className="dim row-text">{t.nobody}</p>;
  if (fault && !events) return <FaultBanner fault={fault} />;
  if (!events) return <Skeleton of={null} rows={12} columns={4} className="events-list" />;
  if (events.length === 0)
    return isNarrowed ? (
      <p className="dim row-text">{t.nothing}</p>
    ) : (
      <Empty title={t.empty.title} curl={curlOf(FIRST)}>
        {t.empty.text}
      </Empty>
    );
  return (
    <section className="panel" aria-label={t.tabs.tail}>
      <div className="rows events-list">
        <ColumnNames columns={[null, t.time, t.name, t.person, t.says]} />
        {events.map((event) => (
          <Row
            key={event.id}
            event={event}
            isOpen={event.id === openId}
            toggle={() => open(event.id === openId ? null : event.id)}
            narrow={narrow}
          />
        ))}
      </div>
      {older && (
        <div className="pad">
          <Button busy={isAsking} onClick={older}>
            {t.older}
          </Button>
        </div>
      )}
    </section>
  );
}
