// One event: when, what, who, and in a word what it tells; opened, all that it tells and what can be done with it.
import { Link } from "@tanstack/react-router";
import { curlOf } from "../calls.ts";
import { useTexts } from "../language.ts";
import { Code } from "../parts/code.tsx";
import { CopyWords } from "../parts/copy.tsx";
import { Icon } from "../parts/icon.tsx";
import { Time, useNow } from "../parts/time.tsx";
import { eventsTexts } from "../texts/areas.ts";
import type { Event } from "./calls.ts";
import { Uses } from "./uses.tsx";
import type { Filters } from "./search.ts";

type RowProps = {
  readonly event: Event;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly narrow: (filters: Filters) => void;
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
          <Time at={createdAt} as={isOfToday(createdAt, now) ? "fine" : "brief"} />
        </span>
        <b className="cut">{name}</b>
        <span className="cut">{contactEmail ?? ""}</span>
        <span className="cut dim wide-only">{inAWord(data)}</span>
      </button>
      {isOpen && <Opened event={event} narrow={narrow} />}
    </>
  );
}

/** To the millisecond, as events follow each other; older ones need their day. */
function isOfToday(at: string, now: Date): boolean {
  return new Date(at).toDateString() === now.toDateString();
}

const MOST_VALUES = 3;

/** The first values that are short. */
function inAWord(data: Event["data"]): string {
  const short = Object.entries(data).filter(([, value]) => value !== null && typeof value !== "object");
  return short
    .slice(0, MOST_VALUES)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(" · ");
}

function Opened({ event, narrow }: Pick<RowProps, "event" | "narrow">) {
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
      <Code text={JSON.stringify(data, null, 2)} title={t.data} what={t.data} />
      <div className="inline wrap">
        <CopyWords text={callOf(event)} name={t.copyCall} />
        <Uses name={name} />
        <CopyWords quiet text={id} name={t.copyId} />
      </div>
    </div>
  );
}

/** Records it again; events that are the server's own are asked for. */
function callOf({ name, contactEmail, contactId, data }: Event): string {
  const isOwn = /^(email|contact|segment)\./.test(name);
  if (contactEmail && !isOwn)
    return curlOf({ method: "POST", path: "/v1/track", body: { email: contactEmail, event: name, data } });
  return curlOf({ path: "/events", query: { eventName: name, ...(contactId ? { contactId } : {}), limit: 1 } });
}
