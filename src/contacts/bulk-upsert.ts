// Bulk upsert: the rules of contact.ts for many contacts at once, with a statement for all of them where the outcome is the same.
import { AppError } from "../errors.ts";
import { touchEach } from "../events/outbox.ts";
import type { Tx } from "../store/store.ts";
import { amend, changesOf, NEW, newContact, upsertContact, type ContactInput, type Upserted } from "./contact.ts";
import { contactsByEmail, insertContacts, lockContactsToChange, type Contact } from "./queries.ts";
import { takeReasons } from "./suppression.ts";

/** The contacts of one request, in the order of its inputs; an AppError says why it was refused. */
type Outcome = readonly Upserted[] | AppError;
type Inputs = readonly ContactInput[];

/**
 * Does what `upsertContact` would do for each input of each request in turn. A refused request changes nothing.
 * @throws AppError if only the changes before it make an input of several unacceptable; then nothing counts
 */
export async function upsertContacts(tx: Tx, workspace: number, requests: readonly Inputs[]): Promise<Outcome[]> {
  const known = await knownAmong(tx, workspace, requests.flat());
  const refused = new Map(requests.map((inputs) => [inputs, refusalOf(tx, inputs, known)]));
  const granted = requests.filter((inputs) => !refused.get(inputs));
  const done = await create(tx, workspace, granted.flat(), known);
  await amendKnown(tx, workspace, granted.flat(), known, done);
  const outcomes: Outcome[] = [];
  for (const inputs of requests) outcomes.push(refused.get(inputs) ?? (await finish(tx, workspace, inputs, done)));
  return outcomes;
}

type Known = ReadonlyMap<string, Contact>;
type Done = Map<ContactInput, Upserted>;

/** By address, in one order, so that two transactions never wait for each other. Whoever is about to change is locked. */
async function knownAmong(tx: Tx, workspace: number, inputs: Inputs): Promise<Known> {
  const addresses = [...new Set(inputs.map(({ email }) => email))].sort();
  const seen = await contactsByEmail(tx, workspace, addresses);
  const known = new Map(seen.map((contact) => [contact.email, contact]));
  const changing = new Set<number>();
  for (const input of inputs) {
    const contact = known.get(input.email);
    if (contact && mayChange(contact, input)) changing.add(contact.seq);
  }
  if (changing.size === 0) return known;
  for (const { seq, email } of seen) if (changing.has(seq)) known.delete(email);
  for (const contact of await lockContactsToChange(
    tx,
    [...changing].sort((one, other) => one - other),
  ))
    known.set(contact.email, contact);
  return known;
}

function mayChange(contact: Contact, input: ContactInput): boolean {
  const changes = valueOf(() => changesOf(contact, input));
  return changes !== null && !(changes instanceof AppError);
}

/** Why a request cannot be carried out; null = it can. */
function refusalOf(tx: Tx, inputs: Inputs, known: Known): AppError | null {
  for (const input of inputs) {
    const contact = known.get(input.email);
    const isSubscribed = valueOf(() =>
      contact ? (changesOf(contact, input)?.subscribed ?? contact.subscribed) : newContact(tx, input, null).subscribed,
    );
    if (isSubscribed instanceof AppError) return isSubscribed;
    if (!isSubscribed && input.unlessSubscribed) return input.unlessSubscribed();
  }
  return null;
}

function valueOf<Value>(work: () => Value): Value | AppError {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** The first input of each address that is unknown. One that another transaction is taking right now is left out. */
async function create(tx: Tx, workspace: number, inputs: Inputs, known: Known): Promise<Done> {
  const first = new Map<string, ContactInput>();
  for (const input of inputs) if (!known.has(input.email) && !first.has(input.email)) first.set(input.email, input);
  const done: Done = new Map();
  if (first.size === 0) return done;
  const addresses = [...first.keys()];
  const reasons = await takeReasons(tx, workspace, addresses);
  const contacts = addresses.map((address) =>
    newContact(tx, first.get(address) as ContactInput, reasons.get(address) ?? null),
  );
  const created = await insertContacts(tx, workspace, contacts);
  for (const contact of created) done.set(first.get(contact.email) as ContactInput, { contact, isNew: true });
  await touchEach(
    tx,
    workspace,
    created.map(({ seq }) => seq),
    NEW,
  );
  return done;
}

/** The first input of each address that is known, where it changes something; all of those that change nothing. */
async function amendKnown(tx: Tx, workspace: number, inputs: Inputs, known: Known, done: Done): Promise<void> {
  const amended = new Map<string, ContactInput>();
  for (const input of inputs) {
    const contact = known.get(input.email);
    if (!contact || amended.has(input.email)) continue;
    if (await amend(tx, workspace, contact, input)) amended.set(input.email, input);
    else done.set(input, { contact, isNew: false });
  }
  if (amended.size === 0) return;
  for (const contact of await contactsByEmail(tx, workspace, [...amended.keys()]))
    done.set(amended.get(contact.email) as ContactInput, { contact, isNew: false });
}

/** An address that comes again meets the contact that the first input has created or changed. */
async function finish(tx: Tx, workspace: number, inputs: Inputs, done: Done): Promise<Outcome> {
  const upserted: Upserted[] = [];
  for (const input of inputs) {
    const one = done.get(input) ?? (await outcomeOf(() => upsertContact(tx, workspace, input)));
    if (one instanceof AppError && inputs.length > 1) throw one;
    if (one instanceof AppError) return one;
    upserted.push(one);
  }
  return upserted;
}

async function outcomeOf(work: () => Promise<Upserted>): Promise<Upserted | AppError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
