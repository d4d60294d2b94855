// One event as a row: time, name, person and a short summary. It opens to its data and actions.
import { Link } from "@tanstack/react-router";
import { curlOf } from "../calls/curl.ts";
import { useTexts } from "../base/language.ts";
import { Code } from "../parts/code.tsx";
import { CopyWords } from "../parts/copy.tsx";
import { Icon } from "../parts/icons/icon.tsx";
import { Time, useNow } from "../parts/time.tsx";
import { eventsTexts } from "../texts/areas.ts";
import type { Event } from "./calls.ts";
import { EventActions } from "./event-actions.tsx";
import type { EventFilters } from "./search.ts";

type RowProps = {
  readonly event: Event;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly narrow: (filters: EventFilters) => void;
};

export function Row({ event, isOpen, toggle, narrow }: RowProps) {
  const now = useNow();
  const { id, name, contactEmail, data, createdAt } = event;
  return (
    <>
      <button
        type="button"
        className="line"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `event-${id}` : undefined}
        onClick={toggle}
      >
        <Icon name={isOpen ? "down" : "right"} />
        <span className="dim">
          <Time at={createdAt} as={isToday(createdAt, now) ? "fine" : "brief"} />
        </span>
        <b className="cut">{name}</b>
        <span className="cut">{contactEmail ?? ""}</span>
        <span className="cut dim wide-only">
          {tagsOf(event)
            .slice(0, MOST_TAGS)
            .map((tag) => (
              <span className="tok" key={tag}>
                {tag}
              </span>
            ))}
          {summaryOf(data)}
        </span>
      </button>
      {isOpen && <Details event={event} narrow={narrow} />}
    </>
  );
}

const MOST_TAGS = 2;

/** The tags of the email that the event is about. */
function tagsOf({ name, data: { tags } }: Event): readonly string[] {
  return name.startsWith("email.") && Array.isArray(tags) ? tags.map(String) : [];
}

/** Events of today show their time to the millisecond, older ones their day. */
function isToday(at: string, now: Date): boolean {
  return new Date(at).toDateString() === now.toDateString();
}

const MAX_VALUES = 3;

/** The first values that are neither lists, objects nor null. */
function summaryOf(data: Event["data"]): string {
  const short = Object.entries(data).filter(([, value]) => value !== null && typeof value !== "object");
  return short
    .slice(0, MAX_VALUES)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(" · ");
}

function Details({ event, narrow }: Pick<RowProps, "event" | "narrow">) {
  const t = useTexts(eventsTexts);
  const { id, name, contactId, contactEmail, emailId, data, createdAt } = event;
  return (
    <div className="event-open" id={`event-${id}`}>
      <p className="inline wrap row-text">
        <Time at={createdAt} as="exact" />
        {contactId && contactEmail && (
          <Link to="/people/$id" params={{ id: contactId }}>
            {t.toPerson}
          </Link>
        )}
        {emailId && (
          <Link to="/mail/$id" params={{ id: emailId }}>
            {t.toMail}
          </Link>
        )}
        <button type="button" className="text-btn" onClick={() => narrow({ name })}>
          {t.onlyName}
        </button>
        {contactEmail && (
          <button type="button" className="text-btn" onClick={() => narrow({ person: contactEmail })}>
            {t.onlyPerson}
          </button>
        )}
      </p>
      {tagsOf(event).length > 0 && (
        <p className="inline wrap">
          {tagsOf(event).map((tag) => (
            <button type="button" className="tok" key={tag} title={t.onlyTag(tag)} onClick={() => narrow({ tag })}>
              {tag}
            </button>
          ))}
        </p>
      )}
      <Code text={JSON.stringify(data, null, 2)} title={t.data} what={t.data} />
      <div className="inline wrap">
        <CopyWords text={callOf(event)} name={t.copyCall} />
        <EventActions name={name} />
        <CopyWords quiet text={id} name={t.copyId} />
      </div>
    </div>
  );
}

/** The call that tracks the event again, or lists it if the server emitted it. */
function callOf({ name, contactEmail, contactId, data }: Event): string {
  const isOwn = /^(email|contact|segment)\./.test(name);
  if (contactEmail && !isOwn)
    return curlOf({ method: "POST", path: "/v1/track", body: { email: contactEmail, event: name, data } });
  return curlOf({ path: "/events", query: { eventName: name, ...(contactId ? { contactId } : {}), limit: 1 } });
}
