// The topics that can be listened to: events by name, changes of a part of a contact, changes of the members of a
// segment.

/** The event of this name was emitted. */
export function eventTopic(name: string): string {
  return `event:${name}`;
}

type ContactPart = "new" | "email" | "subscribed" | "status" | "updatedAt";

/** `new`: the contact was made, with all that it has. `updatedAt`: whatever has changed. */
export function contactTopic(part: ContactPart): string {
  return `contact:${part}`;
}

/** The contact's data under this key of the top level has changed. */
export function dataTopic(key: string): string {
  return `contact:data.${key}`;
}

/** A contact has entered or left this segment. */
export function segmentTopic(segment: number): string {
  return `segment:${segment}`;
}
