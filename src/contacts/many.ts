// Many contacts at once: the rules of contact.ts, with one statement for all of them where that says the same.
import { AppError } from "../errors.ts";
import { touchEach } from "../events/outbox.ts";
import type { Tx } from "../store/store.ts";
import { amend, NEW, newContact, upsertContact, type ContactWish } from "./contact.ts";
import { insertContacts, lockContactsByEmail, type NewContact } from "./queries.ts";
import { takeReasons } from "./suppression.ts";

/** What became of one wish; an AppError says why nothing did. */
type Outcome = "created" | "updated" | AppError;

/** Does what `upsertContact` would do for each wish in turn; answers one outcome a wish. A wish that is refused changes nothing. */
export async function upsertContacts(
  tx: Tx,
  workspace: number,
  wishes: readonly ContactWish[],
): Promise<readonly Outcome[]> {
  if (wishes.length === 0) return [];
  const outcomes = new Map<ContactWish, Outcome>();
  const first = new Map<string, ContactWish>();
  for (const wish of wishes) if (!first.has(wish.email)) first.set(wish.email, wish);
  for (const contact of await lockContactsByEmail(tx, workspace, [...first.keys()])) {
    const wish = first.get(contact.email) as ContactWish;
    outcomes.set(wish, await outcomeOf(() => amend(tx, workspace, contact, wish).then(() => "updated")));
  }
  await create(
    tx,
    workspace,
    [...first.values()].filter((wish) => !outcomes.has(wish)),
    outcomes,
  );
  // An address that comes again meets the contact that the first wish has made or changed.
  for (const wish of wishes) {
    if (!outcomes.has(wish)) outcomes.set(wish, await outcomeOf(() => upsertOne(tx, workspace, wish)));
  }
  return wishes.map((wish) => outcomes.get(wish) as Outcome);
}

/** Those whose address is just being taken by somebody else get no outcome. */
async function create(
  tx: Tx,
  workspace: number,
  wishes: readonly ContactWish[],
  outcomes: Map<ContactWish, Outcome>,
): Promise<void> {
  const contacts = new Map<string, NewContact>();
  for (const wish of wishes) {
    const outcome = await outcomeOf(async () => {
      contacts.set(wish.email, newContact(tx, workspace, wish, null));
      return "created";
    });
    if (outcome !== "created") outcomes.set(wish, outcome);
  }
  if (contacts.size === 0) return;
  // Only now: a wish that is refused must not use up what is known of its address.
  const reasons = await takeReasons(tx, workspace, [...contacts.keys()]);
  for (const wish of wishes) {
    const reason = reasons.get(wish.email);
    if (reason && contacts.has(wish.email)) contacts.set(wish.email, newContact(tx, workspace, wish, reason));
  }
  const made = new Map(
    (await insertContacts(tx, workspace, [...contacts.values()])).map(({ email, seq }) => [email, seq]),
  );
  for (const wish of wishes) if (made.has(wish.email)) outcomes.set(wish, "created");
  await touchEach(tx, workspace, [...made.values()], NEW);
}

async function upsertOne(tx: Tx, workspace: number, wish: ContactWish): Promise<Outcome> {
  return (await upsertContact(tx, workspace, wish)).isNew ? "created" : "updated";
}

async function outcomeOf(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
