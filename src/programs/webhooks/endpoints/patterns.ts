// The types of events for endpoints, and the subjects by which they are found.
import { EVENT_TYPES, isOwnEvent, typeOf } from "../../../tenant/events/catalog.ts";
import type { FieldError } from "../../../base/errors.ts";
import type { Occurrence } from "../../../tenant/events/dispatch.ts";
import { contactSubject, eventSubject, typeSubject } from "../../../tenant/events/subjects.ts";
import type { Labels } from "../../../base/labels.ts";
import { FORMATS, hasType, type FormatName } from "../formats/table.ts";

const KINDS = [...new Set(EVENT_TYPES.map((type) => type.slice(0, type.indexOf("."))))];

/** The patterns for endpoints: a type, all of a kind, or all there are. */
export const PATTERNS: readonly string[] = ["*", ...KINDS.map((kind) => `${kind}.*`), ...EVENT_TYPES];

/** The types of the format that match these patterns. */
export function typesOf(patterns: readonly string[], format: FormatName): string[] {
  return EVENT_TYPES.filter((type) => hasType(format, type) && patterns.some((pattern) => isMeant(type, pattern)));
}

/** Faults of patterns that match no type of the format; `field`: their list. */
export function patternFaults(field: string, patterns: readonly string[], format: FormatName): FieldError[] {
  return patterns.flatMap((pattern, index) => {
    if (typesOf([pattern], format).length > 0) return [];
    return [{ field: `${field}.${index}`, message: lacks(format, pattern), code: "not_in_format" }];
  });
}

/** The message that a format lacks this type. */
export function lacks(format: FormatName, type: string): string {
  return `${FORMATS[format].title} has no webhook for ${type}.`;
}

function isMeant(type: string, pattern: string): boolean {
  return pattern === "*" || pattern === type || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)));
}

/** The creation or change of a contact is no event: the change itself is sent. */
export function subjectOf(type: string): string {
  if (type === "contact.created") return contactSubject("new");
  if (type === "contact.updated") return contactSubject("updatedAt");
  return isOwnEvent(type) ? eventSubject(type) : typeSubject(type);
}

/** Only emails that were sent have tags: tags narrow no other type of event. */
export function isMeantByTags(tags: readonly string[], type: string, data: unknown): boolean {
  if (!type.startsWith("email.") || type === "email.received") return true;
  const { tags: its = [] } = data as Partial<Labels>;
  return its.some((tag) => tags.includes(tag));
}

/** The type of an occurrence; null = none that endpoints get. */
export function typeOfOccurrence({ event, notice, subjects }: Occurrence): string | null {
  if (notice !== null) return notice.type;
  if (event !== null) return typeOf(event.name);
  return typeOfChange(subjects);
}

/** The type of a contact's change; null = none that endpoints get. */
export function typeOfChange(subjects: readonly string[]): "contact.created" | "contact.updated" | null {
  if (subjects.includes(contactSubject("new"))) return "contact.created";
  return subjects.includes(contactSubject("updatedAt")) ? "contact.updated" : null;
}
