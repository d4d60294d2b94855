// Suppressions of a stream: the suppressed addresses; for broadcast, unsubscribed contacts as well.
import { parseAddress } from "../../../base/addresses.ts";
import { contactByAddress } from "../../../audience/contacts/queries.ts";
import { suppressionsAt } from "../../../audience/suppressions/queries.ts";
import { AppError, asRefusal, invalidField, invalidParameter } from "../../../base/errors.ts";
import type { Store } from "../../../store/store.ts";
import { listIn, objectIn, textIn } from "../fields.ts";
import type { CompatCall, CompatRequest, OwnCalls } from "../own-calls.ts";

type SuppressionDeps = { readonly ours: OwnCalls; readonly store: Store };

export function suppressionCalls(deps: SuppressionDeps): readonly CompatCall[] {
  const path = "/message-streams/:stream/suppressions";
  return [
    { method: "GET", path: `${path}/dump`, own: "listContacts", work: (asked) => dump(deps, asked) },
    { method: "POST", path, own: "upsertContact", work: (asked) => suppress(deps, asked) },
    { method: "POST", path: `${path}/delete`, own: "updateContact", work: (asked) => release(deps, asked) },
  ];
}

/** The stream of people who want marketing mail; transactional email is in the others. */
const BROADCAST = "broadcast";
/** A longer list is a job. */
const MOST_DUMPED = 10_000;
const PAGE = "100";
const MOST_CHANGED = 50;

const REASON: Readonly<Record<string, string>> = {
  bounce: "HardBounce",
  "soft-bounces": "HardBounce",
  complaint: "SpamComplaint",
};

/** `reason` null: the person unsubscribed. */
function postmarkSuppression(email: string, reason: string | null, createdAt: string) {
  const SuppressionReason = REASON[reason ?? ""] ?? "ManualSuppression";
  const isByHand = reason === "manual" || reason === "import";
  return { EmailAddress: email, SuppressionReason, Origin: isByHand ? "Customer" : "Recipient", CreatedAt: createdAt };
}

/** Each page of one of our lists. @throws AppError INVALID_PARAMETERS if there are too many */
async function allOf<One>(list: (cursor?: string) => Promise<{ data: One[]; cursor: string | null }>): Promise<One[]> {
  const found: One[] = [];
  for (let page = await list(); ; page = await list(page.cursor ?? undefined)) {
    found.push(...page.data);
    if (found.length > MOST_DUMPED)
      throw invalidParameter("stream", `There are more than ${MOST_DUMPED}: use GET /suppressions/export instead.`);
    if (page.cursor === null) return found;
  }
}

/** @throws AppError INVALID_PARAMETERS if there are too many */
async function dump({ ours }: SuppressionDeps, asked: CompatRequest) {
  const filter = new Map(
    [...new URL(asked.request.url).searchParams].map(([name, value]) => [name.toLowerCase(), value]),
  );
  const isMeant = ({ EmailAddress, SuppressionReason, Origin, CreatedAt }: ReturnType<typeof postmarkSuppression>) =>
    [
      ["emailaddress", EmailAddress],
      ["suppressionreason", SuppressionReason],
      ["origin", Origin],
    ].every(([name = "", value]) => (filter.get(name) ?? value) === value) &&
    CreatedAt >= (filter.get("fromdate") ?? "") &&
    // Compared as a whole day.
    CreatedAt.slice(0, filter.get("todate")?.length) <= (filter.get("todate") ?? CreatedAt);
  const suppressed = await allOf((cursor) =>
    ours.also("listSuppressions", asked, { query: { kind: "address", limit: PAGE, cursor } }),
  );
  const unsubscribed =
    asked.params["stream"] === BROADCAST
      ? await allOf((cursor) =>
          ours.also("listContacts", asked, { query: { status: "UNSUBSCRIBED", limit: PAGE, cursor } }),
        )
      : [];
  const found = [
    ...suppressed.map(({ address, reason, createdAt }) => postmarkSuppression(address as string, reason, createdAt)),
    ...unsubscribed.map(({ email, updatedAt }) => postmarkSuppression(email, null, updatedAt)),
  ];
  return { Suppressions: found.filter(isMeant) };
}

type AddressChange = (address: string) => Promise<unknown>;

/** Changes each address by itself; a refusal is reported for its address. */
async function each({ body }: CompatRequest, done: string, change: AddressChange) {
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

/** On broadcast, the contact is unsubscribed; on other streams, the address gets no email at all. */
function suppress({ ours }: SuppressionDeps, asked: CompatRequest) {
  return each(asked, "Suppressed", (email) =>
    asked.params["stream"] === BROADCAST
      ? ours.also("upsertContact", asked, { body: { email, subscribed: false } })
      : ours.also("addSuppression", asked, { body: { address: email } }),
  );
}

/** On broadcast, the contact is subscribed again. */
function release({ ours, store }: SuppressionDeps, asked: CompatRequest) {
  const { workspace } = asked.caller;
  const isBroadcast = asked.params["stream"] === BROADCAST;
  return each(asked, "Deleted", async (text) => {
    const address = parseAddress(text) ?? "";
    const contact = isBroadcast && (await store.read((reader) => contactByAddress(reader, workspace, address)));
    if (contact && (contact.suppressed !== null || !contact.subscribed))
      return ours.also("updateContact", asked, { params: { id: contact.id }, body: { subscribed: true } });
    const own = await store.read((reader) => suppressionsAt(reader, workspace, [address]));
    if (own.length === 0) throw new AppError("CONTACT_NOT_FOUND", "The address is not suppressed.");
    for (const { id } of own) await ours.also("liftSuppression", asked, { params: { id } });
  });
}
