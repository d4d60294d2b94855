// Bulk upsert: the rules of contact.ts for many contacts at once, with a statement for all of them where the outcome is the same.
import { AppError, asRefusal, orRefused } from "../errors.ts";
import { putAllInOutbox, wantedAmong } from "../events/outbox.ts";
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

/** What is there before anything changes: the contacts that exist, and whether anybody has been erased who must not get mail. */
type Found = { readonly seen: readonly Contact[]; readonly someSuppressed: boolean };
/** By workspace. */
export type FoundEverywhere = ReadonlyMap<number, Found>;

/** Looks the contacts up for `judgeEverywhere`; may be asked with other statements. */
export async function findEverywhere(
  tx: Tx,
  wanted: readonly { readonly workspace: number; readonly emails: readonly string[] }[],
): Promise<FoundEverywhere> {
  const found = byWorkspace(wanted).map(async ([workspace, theirs]) => {
    const emails = theirs.flatMap((one) => one.emails);
    return [workspace, await find(tx, workspace, emails)] as const;
  });
  return new Map(await Promise.all(found));
}

type Upserts = readonly { readonly workspace: number; readonly inputs: Inputs }[];

/** `refusals`: of each request why it is refused, or null. `upsert` carries out the others, once. */
type Judged = { readonly refusals: readonly (AppError | null)[]; readonly upsert: () => Promise<Outcome[]> };

/**
 * The first half of `upsertEverywhere`: locks the contacts that are about to change, and judges the requests. A request that is not
 * refused here is refused by `upsert` only where another transaction has just created its contact.
 */
export async function judgeEverywhere(tx: Tx, requests: Upserts, found: FoundEverywhere): Promise<Judged> {
  const judged: JudgedInWorkspace[] = [];
  for (const [workspace, theirs] of byWorkspace(requests)) {
    const inputs = theirs.map((one) => one.inputs);
    judged.push(await judge(tx, { workspace, job: undefined }, inputs, found.get(workspace) as Found));
  }
  const refused = new Map(judged.flatMap((one) => [...one.refused]));
  const upsert = async () => {
    const outcomes = new Map<Inputs, Outcome>();
    for (const one of judged) for (const [inputs, outcome] of await carryOut(tx, one)) outcomes.set(inputs, outcome);
    return requests.map(({ inputs }) => outcomes.get(inputs) as Outcome);
  };
  return { refusals: requests.map(({ inputs }) => refused.get(inputs) ?? null), upsert };
}

/** As `upsertContacts`, of requests of several workspaces. */
export async function upsertEverywhere(tx: Tx, requests: Upserts): Promise<Outcome[]> {
  const wanted = requests.map(({ workspace, inputs }) => ({ workspace, emails: emailsOf(inputs) }));
  const { upsert } = await judgeEverywhere(tx, requests, await findEverywhere(tx, wanted));
  return upsert();
}

/** In one order, so that two transactions never wait for each other. */
function byWorkspace<One extends { readonly workspace: number }>(those: readonly One[]): [number, One[]][] {
  return [...Map.groupBy(those, ({ workspace }) => workspace)].sort(([one], [other]) => one - other);
}

function emailsOf(inputs: Inputs): string[] {
  return inputs.map(({ email }) => email);
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
  const found = await find(tx, workspace, requests.flatMap(emailsOf));
  const outcomes = await carryOut(tx, await judge(tx, { workspace, job }, requests, found));
  return requests.map((inputs) => outcomes.get(inputs) as Outcome);
}

type Known = ReadonlyMap<string, Contact>;
type Done = Map<ContactInput, Upserted>;
type Place = { readonly workspace: number; readonly job: string | undefined };
type JudgedInWorkspace = {
  readonly place: Place;
  readonly known: Known;
  readonly someSuppressed: boolean;
  readonly refused: ReadonlyMap<Inputs, AppError | null>;
};

/** By address, in one order, so that two transactions never wait for each other. */
async function find(tx: Tx, workspace: number, emails: readonly string[]): Promise<Found> {
  const [seen, someSuppressed] = await Promise.all([
    holdContactsByEmail(tx, workspace, [...new Set(emails)].sort()),
    hasSuppressions(tx, workspace),
  ]);
  return { seen, someSuppressed };
}

async function judge(
  tx: Tx,
  place: Place,
  requests: readonly Inputs[],
  { seen, someSuppressed }: Found,
): Promise<JudgedInWorkspace> {
  const known = await knownAmong(tx, requests.flat(), seen);
  const coming = new Set<string>();
  const refused = new Map(requests.map((inputs) => [inputs, refusalOf(tx, inputs, { known, coming })]));
  return { place, known, someSuppressed, refused };
}

async function carryOut(tx: Tx, judged: JudgedInWorkspace): Promise<ReadonlyMap<Inputs, Outcome>> {
  const { place, known, refused } = judged;
  const granted = [...refused].flatMap(([inputs, refusal]) => (refusal ? [] : inputs));
  const done = await create(tx, place.workspace, granted, judged);
  await amendKnown(tx, place, granted, known, done);
  const outcomes = new Map<Inputs, Outcome>();
  for (const [inputs, refusal] of refused) outcomes.set(inputs, refusal ?? (await finish(tx, place, inputs, done)));
  return outcomes;
}

/** Contacts that are about to change are locked. */
async function knownAmong(tx: Tx, inputs: Inputs, seen: readonly Contact[]): Promise<Known> {
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

/** `coming`: the new addresses of the requests before it, whose contacts will be there. */
type Before = { readonly known: Known; readonly coming: Set<string> };

/** Why a request cannot be carried out; null = it can. */
function refusalOf(tx: Tx, inputs: Inputs, { known, coming }: Before): AppError | null {
  for (const input of inputs) {
    const contact = known.get(input.email);
    const isSubscribed = orRefused(() =>
      contact ? (changesOf(contact, input)?.subscribed ?? contact.subscribed) : newContact(tx, input, null).subscribed,
    );
    if (isSubscribed instanceof AppError) return isSubscribed;
    if (!isSubscribed && input.unlessSubscribed) return input.unlessSubscribed();
    const refusal = coming.has(input.email) ? null : (input.admit?.(contact) ?? null);
    if (refusal) return refusal;
  }
  for (const { email } of inputs) if (!known.has(email)) coming.add(email);
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
  const [created, wanted] = await Promise.all([
    insertContacts(tx, workspace, contacts),
    wantedAmong(tx, [{ workspace, topics: NEW }]),
  ]);
  const changes = created.map(({ seq }) => ({ workspace, contact: seq, topics: NEW, event: null }));
  tx.deferred(putAllInOutbox(tx, changes, wanted));
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
    done.set(amended.get(contact.email) as ContactInput, { contact, isNew: false, before: known.get(contact.email) });
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
