// SendGrid's lists of suppressions: bounces, spam reports and global unsubscribes are suppressed addresses, and the
// unsubscribed are among the last. Blocks are emails that bounced for now: at SendGrid, too, they suppress no address.
import { parseAddress } from "../../../base/addresses.ts";
import { iso } from "../../../base/clock.ts";
import { contactByAddress } from "../../../audience/contacts/queries.ts";
import {
  bouncedPage,
  returnedTo,
  type ReturnRow,
  type ReturnPeriod,
} from "../../../mail/emails/feedback/returned-queries.ts";
import { addressesSince } from "../../../audience/suppressions/listing-queries.ts";
import type { Suppression } from "../../../audience/suppressions/queries.ts";
import type { Reader, Store } from "../../../store/store.ts";
import { refuseFilters } from "../fields.ts";
import type { CompatRequest, OwnCalls } from "../own-calls.ts";
import { bounceErrors, isOnList, newestOnList, onListAt, type SuppressionListName } from "../suppression-lists.ts";
import { pageIn, seconds, spanIn } from "./paging.ts";

export type Deps = { readonly ours: OwnCalls; readonly store: Store };

/** Our list for each list of SendGrid. */
const LISTS = {
  bounces: "bounces",
  spam_reports: "complaints",
  unsubscribes: "unsubscribes",
} as const satisfies Readonly<Record<string, SuppressionListName>>;
export type SendgridListName = keyof typeof LISTS;
/** The lists that show returned emails. */
export const RETURNED = ["bounces", "spam_reports"] as const;

/** The page size of our own lists. */
const PAGE = 100;
const MOST_OF_ONE = 100;

export function isMeant(kind: SendgridListName, one: Suppression): boolean {
  return isOnList(LISTS[kind], one);
}

function returnedRecord(toAddress: string, at: string, error: string | null) {
  const [status = ""] = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(error ?? "") ?? [];
  return { created: seconds(at), email: toAddress, reason: error ?? "", status };
}

async function recordsOf(reader: Reader, workspace: number, kind: SendgridListName, those: readonly Suppression[]) {
  const dated = those.map(({ createdAt, target }) => ({ created: seconds(createdAt), email: target }));
  if (kind === "unsubscribes") return dated;
  if (kind === "spam_reports") return dated.map((one) => ({ ...one, ip: "" }));
  const errors = await bounceErrors(reader, workspace, those);
  return those.map((one) => returnedRecord(one.target, one.createdAt, errors.get(one.target) ?? one.note));
}

/** The newest `most` of a list. */
async function newest(
  { store }: Deps,
  workspace: number,
  kind: SendgridListName,
  { most, ...span }: ReturnPeriod & { most: number },
) {
  const of = { workspace, now: iso(store.clock.nowMs()), ...span };
  return store.read(
    (reader) => newestOnList(LISTS[kind], most, (reason) => addressesSince(reader, { ...of, reason }, most)),
    { longFor: workspace },
  );
}

export async function suppressed(
  deps: Deps,
  { caller: { workspace }, request }: CompatRequest,
  kind: (typeof RETURNED)[number],
) {
  const [span, { limit, offset }] = [spanIn(request), pageIn(request)];
  refuseFilters(request, ["limit", "offset", "start_time", "end_time"]);
  const found = await newest(deps, workspace, kind, { ...span, most: offset + limit });
  return deps.store.read((reader) => recordsOf(reader, workspace, kind, found.slice(offset)));
}

/** The suppressions of one address; none = it is not on the list. */
export async function suppressedAt(
  { store }: Deps,
  { caller: { workspace }, params }: CompatRequest,
  kind: SendgridListName,
) {
  return store.read(async (reader) => {
    const at = { workspace, address: params["email"] ?? "", nowMs: store.clock.nowMs() };
    return recordsOf(reader, workspace, kind, await onListAt(reader, LISTS[kind], at));
  });
}

/** Emails that bounced for now. */
export function blocked({ store }: Deps, { caller: { workspace }, request }: CompatRequest) {
  const [span, page] = [spanIn(request), pageIn(request)];
  refuseFilters(request, ["limit", "offset", "start_time", "end_time"]);
  return store.read(async (reader) =>
    (await bouncedPage(reader, { workspace, type: "Transient" }, span, page)).map(blockRecord),
  );
}

export function blockedAt({ store }: Deps, { caller: { workspace }, params }: CompatRequest) {
  return store.read(async (reader) => {
    const address = parseAddress(params["email"] ?? "");
    const contact = address && (await contactByAddress(reader, workspace, address));
    const found = contact ? await returnedTo(reader, contact.seq, MOST_OF_ONE) : [];
    return found.filter((one) => one.status === "BOUNCED" && one.bounceType === "Transient").map(blockRecord);
  });
}

function blockRecord({ toAddress, at, error }: ReturnRow) {
  return returnedRecord(toAddress, at, error);
}

/** Contacts without marketing email, after the addresses that get no email at all. */
export async function unsubscribed(deps: Deps, asked: CompatRequest) {
  const { limit, offset } = pageIn(asked.request);
  const span = spanIn(asked.request);
  refuseFilters(asked.request, ["limit", "offset", "start_time", "end_time"]);
  const most = offset + limit;
  const { workspace } = asked.caller;
  const first = await newest(deps, workspace, "unsubscribes", { ...span, most });
  const found = await deps.store.read((reader) => recordsOf(reader, workspace, "unsubscribes", first));
  for (let cursor: string | null | undefined; cursor !== null && found.length < most;) {
    const query = { status: "UNSUBSCRIBED", limit: String(PAGE), cursor };
    const page = await deps.ours.also("listContacts", asked, {
      query,
    });
    const left = page.data.filter(({ updatedAt }) => updatedAt >= span.since && updatedAt <= span.until);
    found.push(...left.map(({ email, updatedAt }) => ({ created: seconds(updatedAt), email })));
    ({ cursor } = page);
  }
  return found.slice(offset, most);
}

/** The entry of one address, if it is among them. */
export async function unsubscribedOne(deps: Deps, asked: CompatRequest) {
  const address = parseAddress(asked.params["email"] ?? "");
  if (address === null) return {};
  const { workspace } = asked.caller;
  const contact = await deps.store.read((reader) => contactByAddress(reader, workspace, address));
  const isLeft = (contact && !contact.subscribed) || (await suppressedAt(deps, asked, "unsubscribes")).length > 0;
  return isLeft ? { recipient_email: address } : {};
}
