// Keeps `contacts.suppressed` in step with the suppressions of addresses, and emits an event for each change.
import type { ConsentAct, LedgerEntry } from "../consent/consent.ts";
import { happenedToContact } from "../consent/happened.ts";
import { happened } from "../../tenant/events/happened.ts";
import { touchEach } from "../../tenant/events/outbox.ts";
import { contactSubject } from "../../tenant/events/subjects.ts";
import type { Tx } from "../../store/store.ts";
import { contactsWith, markContacts, type Suppression } from "./queries.ts";
import { inForceAmong, kindOf } from "./standing.ts";

type SuppressionFacts = Pick<Suppression, "id" | "kind" | "target" | "reason" | "scope" | "until">;

type SuppressionChange = {
  readonly workspace: number;
  readonly those: readonly SuppressionFacts[];
  /** All remaining suppressions, by address. */
  readonly at: ReadonlyMap<string, readonly Pick<Suppression, "reason" | "scope" | "until">[]>;
  readonly act: ConsentAct;
  readonly isAdded: boolean;
};

/**
 * The contacts with these addresses, locked. Called before their suppressions change, since transactions that create
 * contacts lock existing rows first, and again for contacts created in between.
 */
export async function contactsAt(tx: Tx, workspace: number, those: readonly Pick<Suppression, "target">[]) {
  const emails = [...new Set(those.flatMap(({ target }) => (kindOf(target) === "address" ? target : [])))];
  return emails.length === 0 ? [] : contactsWith(tx, workspace, emails);
}

/** Gives each contact the reason of its address's strongest suppression; notifies webhooks and the ledger. */
export async function keepInStep(tx: Tx, { workspace, those, at, act, isAdded }: SuppressionChange): Promise<void> {
  const contacts = await contactsAt(tx, workspace, those);
  const byEmail = new Map(contacts.map((contact) => [contact.email, contact]));
  const marks = contacts.flatMap(({ seq, email, suppressed: before }) => {
    const [strongest] = inForceAmong(at.get(email) ?? [], tx.now);
    const suppressed = strongest?.reason ?? null;
    return before === suppressed ? [] : { seq, suppressed };
  });
  marks.sort((one, other) => one.seq - other.seq);
  if (marks.length > 0) await markContacts(tx, marks);
  const seqs = marks.map(({ seq }) => seq);
  await touchEach(tx, seqs, { workspace, subjects: [contactSubject("updatedAt")] });
  const told = those.map((one) =>
    tellSuppression(tx, { workspace, contact: byEmail.get(one.target) ?? null, act, isAdded }, one),
  );
  await Promise.all(told);
}

type SuppressionNotice = {
  readonly workspace: number;
  readonly contact: LedgerEntry["contact"] | null;
  readonly act: ConsentAct;
  readonly isAdded: boolean;
};

/** Notifies webhooks and, for a contact, the ledger. */
export async function tellSuppression(
  tx: Tx,
  { workspace, contact, act, isAdded }: SuppressionNotice,
  one: SuppressionFacts,
): Promise<void> {
  const { reason, scope, until } = one;
  const name = isAdded ? "suppression.added" : "suppression.removed";
  if (!contact) return happened(tx, name, { workspace }, suppressionData(one));
  const facts = { reason, scope, ...(until ? { until } : {}) };
  await happenedToContact(tx, name, { workspace, contact, act }, suppressionData(one), facts);
}

function suppressionData({ id: suppressionId, kind, target, reason, scope, until }: SuppressionFacts) {
  const address = kind === "address" ? target : null;
  return { suppressionId, address, domain: kind === "domain" ? target : null, reason, scope, until };
}
