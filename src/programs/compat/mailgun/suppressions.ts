// Mailgun's lists of suppressions: bounces, complaints and unsubscribes are suppressed addresses of the workspace.
import { iso } from "../../../base/clock.ts";
import { AppError, invalidField, invalidParameter } from "../../../base/errors.ts";
import { addressesBeside } from "../../../audience/suppressions/listing-queries.ts";
import type { Suppression } from "../../../audience/suppressions/queries.ts";
import type { WholeForm } from "../../../http/body/whole-form.ts";
import type { Reader, Store } from "../../../store/store.ts";
import { listIn, objectIn, refuseFilters, textIn, type JsonFields } from "../fields.ts";
import type { CompatRequest, OwnCalls } from "../own-calls.ts";
import { bounceErrors, newestOnList, onListAt, type SuppressionListName } from "../suppression-lists.ts";
import { domainMeant } from "./domain.ts";

export type ListDeps = {
  readonly store: Store;
  readonly ours: OwnCalls;
  /** The URL of the list. */
  readonly addressOf: (request: Request) => string;
};

const LARGEST_PAGE = 1_000;
const DEFAULT_PAGE = 100;
const MOST_ADDED = 100;

const WORDS: Readonly<Record<SuppressionListName, { readonly one: string; readonly reason: string }>> = {
  bounces: { one: "Bounced address", reason: "bounce" },
  complaints: { one: "Spam complaint", reason: "complaint" },
  unsubscribes: { one: "Address", reason: "manual" },
};

async function recordsOf(
  reader: Reader,
  workspace: number,
  { list, those }: { readonly list: SuppressionListName; readonly those: readonly Suppression[] },
) {
  const isBounces = list === "bounces";
  const errors = isBounces ? await bounceErrors(reader, workspace, those) : new Map<string, string>();
  return those.map(({ target: address, createdAt, note }) => {
    const error = errors.get(address) ?? note ?? "";
    return {
      address,
      ...(isBounces ? { code: /^\s*([245]\d\d)\b/.exec(error)?.[1] ?? "550", error } : {}),
      ...(list === "unsubscribes" ? { tags: ["*"] } : {}),
      created_at: new Date(createdAt).toUTCString().replace("GMT", "UTC"),
    };
  });
}

/** Newest first. `pivot`: the number after which a page goes on, as its address may be taken off meanwhile. */
export async function listed({ store, addressOf }: ListDeps, asked: CompatRequest, list: SuppressionListName) {
  const {
    request,
    caller: { workspace },
  } = asked;
  refuseFilters(request, ["limit", "page", "address", "pivot"]);
  const query = new URL(request.url).searchParams;
  const limit = Number(query.get("limit") ?? DEFAULT_PAGE);
  if (!Number.isInteger(limit) || limit < 1 || limit > LARGEST_PAGE)
    throw invalidParameter("limit", `A page has 1 to ${LARGEST_PAGE} addresses.`);
  const pivot = query.get("page") === "next" ? Number(query.get("pivot") ?? Number.NaN) : null;
  if (!["", "first", "next"].includes(query.get("page") ?? "") || (pivot !== null && !Number.isSafeInteger(pivot)))
    throw invalidParameter("page", "A list is read onward, by the addresses that its pages name.");
  const now = iso(store.clock.nowMs());
  const found = await store.read(
    async (reader) => {
      await domainMeant(reader, asked);
      const beside = { workspace, now, than: pivot, isNewer: false, limit };
      const those = await newestOnList(list, limit, (reason) => addressesBeside(reader, { ...beside, reason }));
      return { items: await recordsOf(reader, workspace, { list, those }), last: those.at(-1)?.seq };
    },
    { longFor: workspace },
  );
  const last = found.last ?? pivot ?? 0;
  const address = found.items.at(-1)?.address ?? "";
  const pageAt = (place: Readonly<Record<string, string>>) =>
    `${addressOf(request)}?${new URLSearchParams({ ...place, limit: String(limit) })}`;
  const paging = { first: pageAt({ page: "first" }), next: pageAt({ page: "next", address, pivot: String(last) }) };
  return { items: found.items, paging };
}

async function meant(reader: Reader, asked: CompatRequest, list: SuppressionListName, nowMs: number) {
  await domainMeant(reader, asked);
  const { workspace } = asked.caller;
  return onListAt(reader, list, { workspace, address: asked.params["address"] ?? "", nowMs });
}

function notListed(list: SuppressionListName) {
  return new AppError("SUPPRESSION_NOT_FOUND", `Address not found in ${list} table`);
}

/** @throws AppError SUPPRESSION_NOT_FOUND */
export async function listedAt({ store }: ListDeps, asked: CompatRequest, list: SuppressionListName) {
  const [record] = await store.read(async (reader) => {
    const those = await meant(reader, asked, list, store.clock.nowMs());
    return recordsOf(reader, asked.caller.workspace, { list, those });
  });
  if (!record) throw notListed(list);
  return record;
}

/** The address gets email again. @throws AppError SUPPRESSION_NOT_FOUND */
export async function takenOff({ store, ours }: ListDeps, asked: CompatRequest, list: SuppressionListName) {
  const those = await store.read((reader) => meant(reader, asked, list, store.clock.nowMs()));
  const [first] = those;
  if (!first) throw notListed(list);
  for (const { id } of those) await ours.also("liftSuppression", asked, { params: { id } });
  return { message: `${WORDS[list].one} has been removed`, address: first.target };
}

/** One address as a form, or several as JSON. */
export async function added(deps: ListDeps, asked: CompatRequest, list: SuppressionListName) {
  await deps.store.read((reader) => domainMeant(reader, asked));
  const entries = entriesIn(asked.body as WholeForm);
  if (entries.length === 0 || entries.length > MOST_ADDED)
    throw invalidField("address", `A call has 1 to ${MOST_ADDED} addresses.`, "invalid");
  const read = entries.map(({ address, error, tag, tags }) => {
    if ([tag, tags].some((one) => one != null && !["*", ""].includes(String(one))))
      throw invalidField("tags", "An address is suppressed for all email: leave tags out.", "unsupported");
    return {
      address: textIn("address", address),
      note: error ? textIn("error", error).slice(0, LONGEST_NOTE) : undefined,
    };
  });
  for (const body of read)
    await deps.ours.also("addSuppression", asked, { body: { ...body, reason: WORDS[list].reason } });
  const [first, ...others] = read;
  return others.length === 0
    ? { message: `${WORDS[list].one} has been added to the ${list} table`, address: first?.address }
    : { message: `${read.length} addresses have been added to the ${list} table` };
}

const LONGEST_NOTE = 500;

function entriesIn({ texts, json }: WholeForm): readonly JsonFields[] {
  if (json !== undefined) return listIn("request", json).map((one, at) => objectIn(String(at), one));
  return [Object.fromEntries(Object.entries(texts).map(([name, values]) => [name, values.at(-1)]))];
}
