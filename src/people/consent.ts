// Who or what changed a contact's consent: derived from the event, and from what happened at the same time.
import type { Contact } from "../contacts/queries.ts";
import type { Reader } from "../store/store.ts";
import { notedAt, startersOf, unsubscribedAt, type ToldEvent } from "./past-queries.ts";
import type { Consent } from "./record.ts";

/** By the numbers of the events. A change and what it follows from are one transaction, so they have one time. */
export async function consentOf(
  reader: Reader,
  workspace: number,
  { seq: contact, id }: Pick<Contact, "seq" | "id">,
  changes: readonly ToldEvent[],
): Promise<ReadonlyMap<number, Consent>> {
  if (changes.length === 0) return new Map();
  const moments = [...new Set(changes.map(({ createdAt }) => createdAt))];
  const noted = new Map((await notedAt(reader, id, moments)).map((one) => [one.at, one.name]));
  const links = new Map((await unsubscribedAt(reader, contact, moments)).map((mail) => [mail.at, mail.id]));
  const jobs = [...new Set(changes.flatMap(({ job }) => job ?? []))];
  const starters = await startersOf(reader, workspace, jobs);
  return new Map(
    changes.map(({ seq, name, data, job, createdAt }) => {
      const subscribed = name === "contact.subscribed";
      const reason = data?.["reason"] === "bounce" || data?.["reason"] === "complaint" ? data["reason"] : null;
      const byLink = subscribed || reason !== null ? null : (links.get(createdAt) ?? null);
      const by = (job === null ? noted.get(createdAt) : starters.get(job)) ?? null;
      return [seq, { subscribed, reason, by, emailId: byLink }];
    }),
  );
}
