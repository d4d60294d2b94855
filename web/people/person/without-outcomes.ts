// Drops history entries that repeat the outcome already shown on their email.
import type { TimelineEntry } from "../calls.ts";

const CLOSE_MS = 10 * 60_000;
const OUTCOMES = ["email.delivery", "email.bounce", "email.complaint"];

export function withoutOutcomes(entries: readonly TimelineEntry[]): readonly TimelineEntry[] {
  const mails = new Map(
    entries.flatMap((one) => (one.type === "mail" ? [[one.mail.id, Date.parse(one.at)] as const] : [])),
  );
  return entries.filter((entry) => {
    if (entry.type !== "event" || !OUTCOMES.includes(entry.event.name)) return true;
    const left = mails.get(entry.event.emailId ?? "");
    return left === undefined || Date.parse(entry.at) - left > CLOSE_MS;
  });
}
