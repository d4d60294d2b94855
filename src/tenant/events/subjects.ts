// The subjects that can be listened to: events by name or type, changes of a part of a contact, changes of the members
// of a segment.
import { isOwnEvent, typeOf, type ContactPart } from "./catalog.ts";

/** The event of this name was emitted. */
export function eventSubject(name: string): string {
  return `event:${name}`;
}

/** Not a subject of changes: its listener needs the last event with this tag, which is not pruned. */
export function taggedSubject(name: string, tag: string): string {
  return `tagged:${name}:${tag}`;
}

/** An event of this type has happened, under any name: endpoints listen to types. */
export function typeSubject(type: string): string {
  return `type:${type}`;
}

/** The subjects of the event with this name. A custom event may have the name of its type. */
export function subjectsOfEvent(name: string): readonly string[] {
  return isOwnEvent(name) ? [eventSubject(name)] : [eventSubject(name), typeSubject(typeOf(name))];
}

export function contactSubject(part: ContactPart): string {
  return `contact:${part}`;
}

/** The contact's data under this key of the top level has changed. */
export function dataSubject(key: string): string {
  return `contact:data.${key}`;
}

/** The contact's choice about the topic with this key has changed. */
export function choiceSubject(key: string): string {
  return `contact:topic.${key}`;
}

/** A contact has entered or left this segment. */
export function segmentSubject(segment: number): string {
  return `segment:${segment}`;
}
