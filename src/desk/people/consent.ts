// The cause of a change of a contact's consent, and its mail.
import type { Contact } from "../../audience/contacts/queries.ts";
import type { Reader } from "../../store/store.ts";
import { causesAmong } from "./causes.ts";
import { unsubscribedAt, type ToldEvent } from "./past-queries.ts";
import type { ConsentSummary } from "./record.ts";

/** By the numbers of the events. A change and its consequence are one transaction, so they have one time. */
export async function consentOf(
  reader: Reader,
  workspace: number,
  { seq: contact }: Pick<Contact, "seq">,
  changes: readonly ToldEvent[],
): Promise<ReadonlyMap<number, ConsentSummary>> {
  if (changes.length === 0) return new Map();
  const moments = [...new Set(changes.map(({ createdAt }) => createdAt))];
  const links = new Map((await unsubscribedAt(reader, contact, moments)).map((mail) => [mail.at, mail.id]));
  const causes = changes.map(({ cause }) => cause);
  const causeOf = await causesAmong(reader, workspace, causes);
  return new Map(
    changes.map(({ seq, name, data, cause, createdAt }) => {
      const subscribed = name === "contact.subscribed";
      const reason = data?.["reason"] === "bounce" || data?.["reason"] === "complaint" ? data["reason"] : null;
      const byLink = subscribed || reason !== null ? null : (links.get(createdAt) ?? null);
      return [seq, { subscribed, reason, ...causeOf(cause), emailId: byLink }];
    }),
  );
}
