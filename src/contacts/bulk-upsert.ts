// Bulk upsert: the rules of contact.ts for many contacts, with one statement for all of them where the outcome is the same.
import { AppError } from "../errors.ts";
import { touchEach } from "../events/outbox.ts";
import type { Tx } from "../store/store.ts";
import { amend, NEW, newContact, upsertContact, type ContactInput } from "./contact.ts";
import { insertContacts, lockContactsByEmail, type NewContact } from "./queries.ts";
import { takeReasons } from "./suppression.ts";

/** An AppError says why an input was refused. */
type Outcome = "created" | "updated" | AppError;

/** Does what `upsertContact` would do for each input in turn; answers an outcome for each. A refused input changes nothing. */
export async function upsertContacts(
  tx: Tx,
  workspace: number,
  inputs: readonly ContactInput[],
): Promise<readonly Outcome[]> {
  if (inputs.length === 0) return [];
  const outcomes = new Map<ContactInput, Outcome>();
  const first = new Map<string, ContactInput>();
  for (const input of inputs) if (!first.has(input.email)) first.set(input.email, input);
  for (const contact of await lockContactsByEmail(tx, workspace, [...first.keys()])) {
    const input = first.get(contact.email) as ContactInput;
    outcomes.set(input, await outcomeOf(() => amend(tx, workspace, contact, input).then(() => "updated")));
  }
  const unknown = [...first.values()].filter((input) => !outcomes.has(input));
  await create(tx, workspace, unknown, outcomes);
  // An address that comes again meets the contact that the first input has created or changed.
  for (const input of inputs)
    if (!outcomes.has(input)) outcomes.set(input, await outcomeOf(() => upsertOne(tx, workspace, input)));
  return inputs.map((input) => outcomes.get(input) as Outcome);
}

/** An address that another transaction is taking right now gets no outcome. */
async function create(
  tx: Tx,
  workspace: number,
  inputs: readonly ContactInput[],
  outcomes: Map<ContactInput, Outcome>,
): Promise<void> {
  const contacts = new Map<string, NewContact>();
  for (const input of inputs) {
    const outcome = await outcomeOf(async () => {
      contacts.set(input.email, newContact(tx, input, null));
      return "created";
    });
    if (outcome !== "created") outcomes.set(input, outcome);
  }
  if (contacts.size === 0) return;
  // Only now: a refused input must not use up what is known of its address.
  const reasons = await takeReasons(tx, workspace, [...contacts.keys()]);
  for (const input of inputs) {
    const reason = reasons.get(input.email);
    if (reason && contacts.has(input.email)) contacts.set(input.email, newContact(tx, input, reason));
  }
  const created = await insertContacts(tx, workspace, [...contacts.values()]);
  for (const input of inputs) if (created.has(input.email)) outcomes.set(input, "created");
  await touchEach(tx, workspace, [...created.values()], NEW);
}

async function upsertOne(tx: Tx, workspace: number, input: ContactInput): Promise<Outcome> {
  return (await upsertContact(tx, workspace, input)).isNew ? "created" : "updated";
}

async function outcomeOf(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
