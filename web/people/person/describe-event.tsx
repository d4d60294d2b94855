// Describes an event of a person's history.
import type { StatusIconName, Tone } from "../../parts/icons/icon.tsx";
import type { TimelineEntry } from "../calls.ts";
import type { Description, TimelineWords } from "./description.ts";
import { MailLink } from "./mail-link.tsx";
import { textOf } from "./values.ts";

type EventEntry = Extract<TimelineEntry, { type: "event" }>["event"];

const EVENT_MARKS: Readonly<Record<string, readonly [StatusIconName, Tone?]>> = {
  "email.delivery": ["delivered", "ok"],
  "email.open": ["opened"],
  "email.click": ["clicked"],
  "email.bounce": ["bounced", "bad"],
  "email.complaint": ["complained", "bad"],
};

export function describeEvent({ name, data, emailId, subject }: EventEntry, words: TimelineWords): Description {
  const { t, mail } = words;
  const choice = describeChoice(name, data, words);
  if (choice) return choice;
  const group = /^segment\..+\.(entry|exit)$/s.exec(name);
  if (group) {
    const segment = String(data?.["segmentName"] ?? name);
    const isEntry = group[1] === "entry";
    return { icon: isEntry ? "plus" : "cross", title: isEntry ? t.past.entered(segment) : t.past.left(segment) };
  }
  if (name === "contact.merged") return { icon: "changed", title: t.past.merged(String(data?.["formerEmail"] ?? "")) };
  const [icon, tone] = EVENT_MARKS[name] ?? (["dot"] as const);
  const said = t.past.events[name];
  const shown = { icon, ...(tone ? { tone } : {}) };
  if (said !== undefined && emailId !== null)
    return {
      ...shown,
      title: (
        <>
          <span className="plain">{said}</span> <MailLink id={emailId}>{subject || mail.noSubject}</MailLink>
        </>
      ),
      proof: name === "email.click" && <p className="mono cut">{String(data?.["link"] ?? "")}</p>,
    };
  const text = data === null ? t.past.long : Object.keys(data).length === 0 ? "" : textOf(data);
  return { ...shown, title: name, proof: text && <p className="mono">{text}</p> };
}

/** A choice of the person: a topic, or a pause. */
function describeChoice(
  name: string,
  data: EventEntry["data"],
  { t, formats, topicNamed }: TimelineWords,
): Description | null {
  if (name === "topic.joined" || name === "topic.left")
    return {
      icon: name === "topic.joined" ? "on" : "unsub",
      title: t.past.topics[name](topicNamed(String(data?.["topic"]))),
    };
  if (name === "contact.paused")
    return { icon: "held", title: t.past.paused(formats.date(new Date(String(data?.["until"])))) };
  return name === "contact.resumed" ? { icon: "on", title: t.past.resumed } : null;
}
