// Suppressions of a stream: of each one, contacts that bounced or complained; of broadcast, unsubscribed ones as well.
import { parseAddress } from "../../addresses.ts";
import { contactByEmail } from "../../contacts/queries.ts";
import type { contactShape } from "../../contacts/record.ts";
import { AppError, asRefusal, invalidField, invalidParameter } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import { listIn, objectIn, textIn, type Fields } from "../fields.ts";
import type { Asked, OwnCalls } from "../own-calls.ts";

type Shown = typeof contactShape.static;
type Ours = { readonly ours: OwnCalls; readonly store: Store };

/** Its people are those who want marketing mail. Of the other streams we know nothing. */
const BROADCAST = "broadcast";
/** A longer list is a job. */
const MOST_DUMPED = 10_000;
const PAGE = "100";
const MOST_CHANGED = 50;

const REASON: Readonly<Record<string, string>> = { bounce: "HardBounce", complaint: "SpamComplaint" };

function recordOf({ email, suppressed, updatedAt }: Pick<Shown, "email" | "suppressed" | "updatedAt">) {
  const reason = REASON[suppressed ?? ""] ?? "ManualSuppression";
  return { EmailAddress: email, SuppressionReason: reason, Origin: "Recipient", CreatedAt: updatedAt };
}

/** @throws AppError INVALID_PARAMETERS if there are too many */
export async function dump({ ours }: Ours, asked: Asked) {
  const filter = new Map(
    [...new URL(asked.request.url).searchParams].map(([name, value]) => [name.toLowerCase(), value]),
  );
  const isMeant = ({ EmailAddress, SuppressionReason, Origin, CreatedAt }: ReturnType<typeof recordOf>) =>
    [
      ["emailaddress", EmailAddress],
      ["suppressionreason", SuppressionReason],
      ["origin", Origin],
    ].every(([name = "", value]) => (filter.get(name) ?? value) === value) &&
    CreatedAt >= (filter.get("fromdate") ?? "") &&
    // A day as a whole.
    CreatedAt.slice(0, filter.get("todate")?.length) <= (filter.get("todate") ?? CreatedAt);
  const statuses = asked.params["stream"] === BROADCAST ? ["SUPPRESSED", "UNSUBSCRIBED"] : ["SUPPRESSED"];
  const found: Shown[] = [];
  for (const status of statuses)
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { status, limit: PAGE, cursor };
      const page = await ours.also<{ data: Shown[]; cursor: string | null }>("listContacts", asked, { query });
      found.push(...page.data);
      if (found.length > MOST_DUMPED)
        throw invalidParameter("stream", `There are more than ${MOST_DUMPED} suppressions: export the contacts.`);
      ({ cursor } = page);
    }
  return { Suppressions: found.map(recordOf).filter(isMeant) };
}

type Change = (address: string) => Promise<unknown>;

/** Each by itself; what is refused is said for the address. */
async function each({ body }: Asked, done: string, change: Change) {
  const entries = listIn("Suppressions", objectIn("request", body)["Suppressions"]);
  if (entries.length === 0 || entries.length > MOST_CHANGED)
    throw invalidField("Suppressions", `A call has 1 to ${MOST_CHANGED} addresses.`, "invalid");
  const addresses = entries.map((one, at) =>
    textIn(`Suppressions.${at}.EmailAddress`, objectIn(`Suppressions.${at}`, one)["EmailAddress"]),
  );
  const Suppressions = [];
  for (const EmailAddress of addresses)
    Suppressions.push(
      await change(EmailAddress)
        .then(() => ({ EmailAddress, Status: done, Message: null }))
        .catch((error) => ({ EmailAddress, Status: "Failed", Message: asRefusal(error).message })),
    );
  return { Suppressions };
}

export function suppress({ ours }: Ours, asked: Asked) {
  return each(asked, "Suppressed", async (email) => {
    if (asked.params["stream"] !== BROADCAST) throw invalidField("stream", NOT_BY_HAND, "unsupported");
    await ours.also("upsertContact", asked, { body: { email, subscribed: false } });
  });
}

const NOT_BY_HAND =
  "Posthorn keeps no address from transactional email by hand. The stream broadcast stops marketing email.";

/** Of broadcast, the contact is subscribed again. */
export function release({ ours, store }: Ours, asked: Asked) {
  const isBroadcast = asked.params["stream"] === BROADCAST;
  return each(asked, "Deleted", async (text) => {
    const { workspace } = asked.caller;
    const address = parseAddress(text);
    const contact = address && (await store.read((reader) => contactByEmail(reader, workspace, address)));
    const isSuppressed = contact && (contact.suppressed !== null || (isBroadcast && !contact.subscribed));
    if (!isSuppressed) throw new AppError("CONTACT_NOT_FOUND", "The address is not suppressed.");
    const body: Fields = isBroadcast ? { subscribed: true } : { suppressed: false };
    await ours.also("updateContact", asked, { params: { id: contact.id }, body });
  });
}
