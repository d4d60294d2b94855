// Every event that Posthorn itself emits (interface.md "Internal events"). All other names belong to callers of /v1/track.

export const INTERNAL_EVENTS = [
  "email.sent",
  "email.delivery",
  "email.open",
  "email.click",
  "email.bounce",
  "email.complaint",
  "email.received",
  "contact.subscribed",
  "contact.unsubscribed",
] as const;

export type InternalEvent = (typeof INTERNAL_EVENTS)[number];

/** True for names that cannot be tracked by hand: those above, and every `segment.<slug>.entry` or `.exit`. */
export function isReservedEvent(name: string): boolean {
  return (INTERNAL_EVENTS as readonly string[]).includes(name) || /^segment\..*\.(entry|exit)$/s.test(name);
}
