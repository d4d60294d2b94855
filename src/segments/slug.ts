// The form of a segment's name that stands in the names of its events (interface.md "Internal events").
import { eventTopic } from "../events/topics.ts";

/** `Bob's VIPs!` → `bobs-vips`: lower case, letters and digits of any script, words joined by hyphens; empty if it has none. */
export function slugOf(name: string): string {
  const plain = name.normalize("NFC").toLowerCase().replace(/['’]/g, "");
  return (plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).join("-");
}

/** Whoever listens to one of these listens to the segment by its slug. */
export function slugTopics(slug: string): string[] {
  return [eventTopic(`segment.${slug}.entry`), eventTopic(`segment.${slug}.exit`)];
}
