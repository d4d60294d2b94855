// Brevo: lists become segments, since people do not choose them; attributes data, by their labels where they have some.
import { fieldsOf, filled, itemsIn, textOf, textsOf, type AnswerFields } from "../fields.ts";
import { byOffset, listPart, recordsAt } from "../lists.ts";
import {
  membersOf,
  segmentOf,
  type MoveSource,
  type SourcePage,
  type SourceRecord,
  type SourceSuppression,
} from "../source.ts";
import { fromBrevo, templateIn } from "./liquid.ts";
import type { SourceCalls } from "../calls.ts";

const LIST = { total: "count", query: { sort: "asc" }, paging: byOffset("limit", 50) };
const BLOCKED = { ...LIST, path: "/smtp/blockedContacts", items: "contacts", paging: byOffset("limit", 100) };
const LISTS = { ...LIST, path: "/contacts/lists", items: "lists" };
const CONTACTS = { ...LIST, path: "/contacts", items: "contacts", paging: byOffset("limit", 500) };
const TEMPLATES = { ...LIST, path: "/smtp/templates", items: "templates" };

export const BREVO: MoveSource = {
  title: "Brevo",
  keyHint: "The file has an API key, “xkeysib-…”, and not the key for SMTP.",
  baseUrl: () => "https://api.brevo.com/v3",
  headers: (key) => ({ "api-key": key }),
  parts: [
    listPart("suppressions", BLOCKED, suppressionOf),
    listPart("lists", LISTS, segmentOf),
    { name: "people", page: people },
    listPart("templates", TEMPLATES, templateOf),
  ],
};

const REASONS: Readonly<Record<string, SourceSuppression["reason"]>> = {
  hardBounce: "bounce",
  contactFlaggedAsSpam: "complaint",
  adminBlocked: "manual",
};

/** A person who left by a link of a transactional email may come back by subscribing. */
function suppressionOf({ email, reason }: AnswerFields): SourceRecord[] {
  const said = REASONS[textOf(fieldsOf(reason)["code"])];
  const blocked = { kind: "suppression" as const, email: textOf(email) };
  return [said ? { ...blocked, reason: said } : { ...blocked, scope: "marketing", reason: "import" }];
}

async function people(calls: SourceCalls, at: string): Promise<SourcePage> {
  const attributes = itemsIn(await calls.once("/contacts/attributes"), "attributes");
  const labels = new Map(attributes.map(({ name, enumeration }) => [textOf(name), labelsIn(enumeration)]));
  return recordsAt(calls, at, CONTACTS, (contact) => {
    const email = textOf(contact["email"]);
    const left = textsOf(contact["listUnsubscribed"]);
    const lists = textsOf(contact["listIds"]).filter((id) => !left.includes(id));
    const attributes = Object.entries(fieldsOf(contact["attributes"]));
    const data = Object.fromEntries(
      attributes.map(([name, value]) => [name, labels.get(name)?.get(textOf(value)) ?? value]),
    );
    const standing = standingOf(contact, data, { lists, left });
    const proof = { joined_at: textOf(contact["createdAt"]) };
    return [{ kind: "person", email, standing, data: filled(data), proof }, ...membersOf(lists, email)];
  });
}

/** Attributes of a category have numbers, which stand for words. */
function labelsIn(enumeration: unknown): ReadonlyMap<string, string> {
  return new Map(itemsIn(enumeration ?? []).map(({ value, label }) => [textOf(value), textOf(label)]));
}

type BrevoLists = Readonly<Record<"lists" | "left", readonly string[]>>;

/** Campaigns go to those on a list. A person who never opted in, by the attribute for it, has said nothing. */
function standingOf({ emailBlacklisted }: AnswerFields, data: AnswerFields, { lists, left }: BrevoLists) {
  if (emailBlacklisted === true) return "unsubscribed";
  if (lists.length === 0) return left.length > 0 ? "unsubscribed" : "pending";
  const isNo = ["OPT_IN", "DOUBLE_OPT-IN"].some((name) => data[name] === false || /^no$/i.test(textOf(data[name])));
  return isNo ? "pending" : "subscribed";
}

function templateOf({ htmlContent: body, sender, replyTo, ...item }: AnswerFields): SourceRecord[] {
  const { email: from, name: fromName } = fieldsOf(sender);
  const reply = textOf(replyTo);
  const more = { type: "MARKETING", from, fromName, replyTo: reply.includes("@") ? reply : "" };
  return [templateIn(fromBrevo, { ...item, body }, more)];
}
