// SendGrid's suppressions, to be read: what bounced, what was complained about, and who wants no marketing email.
import { parseAddress } from "../../addresses.ts";
import { iso } from "../../clock.ts";
import { contactByEmail } from "../../contacts/queries.ts";
import type { contactShape } from "../../contacts/record.ts";
import {
  bouncedPage,
  complainedPage,
  returnedTo,
  type Page,
  type Returned,
  type Span,
} from "../../emails/returned-queries.ts";
import { invalidParameter } from "../../errors.ts";
import type { Reader } from "../../store/store.ts";
import { refuseFilters } from "../fields.ts";
import type { Asked, OwnCalls } from "../own-calls.ts";

type Shown = typeof contactShape.static;

/** Bounces are for good, blocks for now. */
export const RETURNED = ["bounces", "blocks", "spam_reports"] as const;
export type Kind = (typeof RETURNED)[number];

const SECOND_MS = 1_000;
const LARGEST_PAGE = 500;
const FARTHEST = 10_000;
/** Of our own lists. */
const PAGE = 100;
const MOST_OF_ONE = 100;
/** Before and after all times that a mail may have. */
const ALWAYS: Span = { since: "", until: "9999" };

function recordOf(kind: Kind, { toAddress, error, at }: Returned) {
  const common = { created: Math.floor(Date.parse(at) / SECOND_MS), email: toAddress };
  if (kind === "spam_reports") return { ...common, ip: "" };
  const [status = ""] = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(error ?? "") ?? [];
  return { ...common, reason: error ?? "", status };
}

export async function returned(reader: Reader, workspace: number, kind: Kind, request: Request) {
  const [span, page] = [spanIn(request), pageIn(request)];
  refuseFilters(request, ["limit", "offset", "start_time", "end_time"]);
  const type = kind === "bounces" ? "Permanent" : "Transient";
  const found =
    kind === "spam_reports"
      ? await complainedPage(reader, workspace, span, page)
      : await bouncedPage(reader, { workspace, type }, span, page);
  return found.map((one) => recordOf(kind, one));
}

/** Of one address. */
export async function returnedFor(reader: Reader, workspace: number, kind: Kind, text: string) {
  const address = parseAddress(text);
  const contact = address && (await contactByEmail(reader, workspace, address));
  const found = contact ? await returnedTo(reader, contact.seq, MOST_OF_ONE) : [];
  const type = kind === "bounces" ? "Permanent" : "Transient";
  return found
    .filter((one) =>
      kind === "spam_reports" ? one.complainedAt !== null : one.status === "BOUNCED" && one.bounceType === type,
    )
    .map((one) => recordOf(kind, { ...one, at: kind === "spam_reports" ? (one.complainedAt ?? one.at) : one.at }));
}

/** Those who want no marketing email. */
export async function unsubscribed(ours: OwnCalls, asked: Asked) {
  const { limit, offset } = pageIn(asked.request);
  refuseFilters(asked.request, ["limit", "offset"]);
  const found: Shown[] = [];
  for (let cursor: string | null | undefined; cursor !== null && found.length < offset + limit;) {
    const query = { status: "UNSUBSCRIBED", limit: String(PAGE), cursor };
    const page = await ours.also<{ data: Shown[]; cursor: string | null }>("listContacts", asked, { query });
    found.push(...page.data);
    ({ cursor } = page);
  }
  return found
    .slice(offset, offset + limit)
    .map(({ email, updatedAt }) => ({ created: Math.floor(Date.parse(updatedAt) / SECOND_MS), email }));
}

export async function unsubscribedOne(reader: Reader, workspace: number, text: string) {
  const address = parseAddress(text);
  const contact = address && (await contactByEmail(reader, workspace, address));
  return contact && !contact.subscribed ? { recipient_email: contact.email } : {};
}

function spanIn({ url }: Request): Span {
  const query = new URL(url).searchParams;
  const at = (name: string) => {
    const seconds = query.get(name) === null ? null : Number(query.get(name));
    if (seconds !== null && !(Math.abs(seconds) < END_OF_TIME_SECONDS))
      throw invalidParameter(name, "This must be a number of seconds since 1970.");
    return seconds === null ? null : iso(seconds * SECOND_MS);
  };
  return { since: at("start_time") ?? ALWAYS.since, until: at("end_time") ?? ALWAYS.until };
}

/** ISO dates of later years have a sign. */
const END_OF_TIME_SECONDS = 253_402_300_800;

function pageIn({ url }: Request): Page {
  const query = new URL(url).searchParams;
  const [limit, offset] = [Number(query.get("limit") ?? LARGEST_PAGE), Number(query.get("offset") ?? 0)];
  if (!Number.isInteger(limit) || limit < 1 || limit > LARGEST_PAGE)
    throw invalidParameter("limit", `A page has 1 to ${LARGEST_PAGE} addresses.`);
  if (!Number.isInteger(offset) || offset < 0 || limit + offset > FARTHEST)
    throw invalidParameter("offset", `A list goes on to its ${FARTHEST}th address.`);
  return { limit, offset };
}
