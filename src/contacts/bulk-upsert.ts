// Bulk upsert: the rules of contact.ts for many contacts at once, with a statement for all of them where the outcome is the same.
import { AppError, asRefusal, orRefused } from "../errors.ts";
import { touchEach } from "../events/outbox.ts";
import { Overtaken, type Tx } from "../store/store.ts";
import {
  changeEach,
  changesOf,
  NEW,
  newContact,
  upsertContact,
  type Change,
  type ContactInput,
  type Upserted,
} from "./contact.ts";
import {
  contactByEmail,
  holdContactsByEmail,
  insertContacts,
  lockContactsToChange,
  type Contact,
  type Reason,
} from "./queries.ts";
import { hasSuppressions } from "./suppression-queries.ts";
import { takeReasons } from "./suppression.ts";

/** The contacts of one request, in the order of its inputs; an AppError says why it was refused. */
type Outcome = readonly Upserted[] | AppError;
type Inputs = readonly ContactInput[];

/**
 * As `upsertContacts`, of requests of several workspaces. Workspace by workspace, in one order, so that two transactions never wait for
 * each other.
 */
export async function upsertEverywhere(
  tx: Tx,
  requests: readonly { readonly workspace: number; readonly inputs: Inputs }[],
): Promise<Outcome[]> {
  const outcomes = new Map<Inputs, Outcome>();
  const byWorkspace = Map.groupBy(requests, ({ workspace }) => workspace);
  for (const workspace of [...byWorkspace.keys()].sort((one, other) => one - other)) {
    const theirs = (byWorkspace.get(workspace) as typeof requests).map(({ inputs }) => inputs);
    const done = await upsertContacts(tx, workspace, theirs);
    theirs.forEach((inputs, index) => outcomes.set(inputs, done[index] as Outcome));
  }
  return requests.map(({ inputs }) => outcomes.get(inputs) as Outcome);
}

/**
 * Does what `upsertContact` would do for each input of each request in turn. A refused request changes nothing.
 * `job`: the public id of the import that does it.
 * @throws AppError if only the changes before it make an input of several unacceptable; then nothing counts
 */
export async function upsertContacts(
  tx: Tx,
  workspace: number,
  requests: readonly Inputs[],
  job?: string,
): Promise<Outcome[]> {
  const [known, someSuppressed] = await Promise.all([
    knownAmong(tx, workspace, requests.flat()),
    hasSuppressions(tx, workspace),
  ]);
  const refused = new Map(requests.map((inputs) => [inputs, refusalOf(tx, inputs, known)]));
  const granted = requests.filter((inputs) => !refused.get(inputs));
  const done = await create(tx, workspace, granted.flat(), { known, someSuppressed });
  await amendKnown(tx, { workspace, job }, granted.flat(), known, done);
  const outcomes: Outcome[] = [];
  for (const inputs of requests)
    outcomes.push(refused.get(inputs) ?? (await finish(tx, { workspace, job }, inputs, done)));
  return outcomes;
}

type Known = ReadonlyMap<string, Contact>;
type Done = Map<ContactInput, Upserted>;
type Place = { readonly workspace: number; readonly job: string | undefined };

/** By address, in one order, so that two transactions never wait for each other. Contacts that are about to change are locked. */
async function knownAmong(tx: Tx, workspace: number, inputs: Inputs): Promise<Known> {
  const addresses = [...new Set(inputs.map(({ email }) => email))].sort();
  const seen = await holdContactsByEmail(tx, workspace, addresses);
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
  const changes = orRefused(() => changesOf(contact, input));
  return changes !== null && !(changes instanceof AppError);
}

/** Why a request cannot be carried out; null = it can. */
function refusalOf(tx: Tx, inputs: Inputs, known: Known): AppError | null {
  for (const input of inputs) {
    const contact = known.get(input.email);
    const isSubscribed = orRefused(() =>
      contact ? (changesOf(contact, input)?.subscribed ?? contact.subscribed) : newContact(tx, input, null).subscribed,
    );
    if (isSubscribed instanceof AppError) return isSubscribed;
    if (!isSubscribed && input.unlessSubscribed) return input.unlessSubscribed();
  }
  return null;
}

/** The first input of each address that is unknown, in the order of the addresses. One that another transaction is taking right now is left out. */
async function create(
  tx: Tx,
  workspace: number,
  inputs: Inputs,
  { known, someSuppressed }: { readonly known: Known; readonly someSuppressed: boolean },
): Promise<Done> {
  const first = new Map<string, ContactInput>();
  for (const input of inputs) if (!known.has(input.email) && !first.has(input.email)) first.set(input.email, input);
  const done: Done = new Map();
  if (first.size === 0) return done;
  const addresses = [...first.keys()].sort();
  const reasons = someSuppressed ? await takeReasons(tx, workspace, addresses) : new Map<string, Reason>();
  const contacts = addresses.map((address) =>
    newContact(tx, first.get(address) as ContactInput, reasons.get(address) ?? null),
  );
  const created = await insertContacts(tx, workspace, contacts, (those) => {
    const seqs = those.map(({ seq }) => seq);
    return touchEach(tx, workspace, seqs, NEW);
  });
  for (const contact of created) done.set(first.get(contact.email) as ContactInput, { contact, isNew: true });
  return done;
}

/** The first input of each address that is known, where it changes something; all of those that change nothing. */
async function amendKnown(tx: Tx, { workspace, job }: Place, inputs: Inputs, known: Known, done: Done): Promise<void> {
  const amended = new Map<string, ContactInput>();
  const amendments: Change[] = [];
  for (const input of inputs) {
    const contact = known.get(input.email);
    if (!contact || amended.has(input.email)) continue;
    const changes = changesOf(contact, input);
    if (changes) {
      amended.set(input.email, input);
      amendments.push({ contact, ...changes });
    } else done.set(input, { contact, isNew: false });
  }
  if (amendments.length === 0) return;
  await changeEach(tx, workspace, amendments, job);
  for (const contact of await holdContactsByEmail(tx, workspace, [...amended.keys()]))
    done.set(amended.get(contact.email) as ContactInput, { contact, isNew: false });
}

/**
 * An address that comes again meets the contact that the first input has created or changed; one that another transaction has taken
 * just now, the contact of that one.
 * @throws Overtaken if that contact is to be changed: it would be locked after others that come behind it
 */
async function again(tx: Tx, { workspace, job }: Place, input: ContactInput, done: Done): Promise<Upserted> {
  const isOwn = [...done.values()].some(({ contact }) => contact.email === input.email);
  const taken = isOwn ? null : await contactByEmail(tx, workspace, input.email);
  if (taken && mayChange(taken, input)) throw new Overtaken("Another transaction has just created the contact.");
  return upsertContact(tx, workspace, input, job);
}

async function finish(tx: Tx, place: Place, inputs: Inputs, done: Done): Promise<Outcome> {
  const upserted: Upserted[] = [];
  for (const input of inputs) {
    const one = done.get(input) ?? (await again(tx, place, input, done).catch(asRefusal));
    if (one instanceof AppError && inputs.length > 1) throw one;
    if (one instanceof AppError) return one;
    upserted.push(one);
  }
  return upserted;
}
