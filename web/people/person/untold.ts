// What a mail itself says already: that it was delivered or came back at once.
import type { Entry } from "../calls.ts";

const SOON_MS = 10 * 60_000;
const OUTCOMES = ["email.delivery", "email.bounce", "email.complaint"];

/** Without outcomes that stand beside their mail. */
export function untold(entries: readonly Entry[]): readonly Entry[] {
  const mails = new Map(
    entries.flatMap((one) => (one.type === "mail" ? [[one.mail.id, Date.parse(one.at)] as const] : [])),
  );
  return entries.filter((entry) => {
    if (entry.type !== "event" || !OUTCOMES.includes(entry.event.name)) return true;
    const left = mails.get(entry.event.emailId ?? "");
    return left === undefined || Date.parse(entry.at) - left > SOON_MS;
  });
}
