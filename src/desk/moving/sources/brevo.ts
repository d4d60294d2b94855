// Brevo: lists become segments, since people do not choose them; attributes data, by their labels where they have some.
import { fieldsOf, filled, itemsIn, nextOffset, numberOf, textOf, textsOf, type AnswerFields } from "../fields.ts";
import { fromBrevo } from "./liquid.ts";
import type { MoveSource, SourcePage, SourceRecord, SourceSuppression } from "../source.ts";
import type { SourceCalls } from "../calls.ts";

type BrevoList = { readonly path: string; readonly list: string; readonly size: number };

const BLOCKED: BrevoList = { path: "/smtp/blockedContacts", list: "contacts", size: 100 };
const LISTS: BrevoList = { path: "/contacts/lists", list: "lists", size: 50 };
const CONTACTS: BrevoList = { path: "/contacts", list: "contacts", size: 500 };
const TEMPLATES: BrevoList = { path: "/smtp/templates", list: "templates", size: 50 };

export const BREVO: MoveSource = {
  title: "Brevo",
  keyHint: "The file has an API key, “xkeysib-…”, and not the key for SMTP.",
  baseUrl: () => "https://api.brevo.com/v3",
  headers: (key) => ({ "api-key": key }),
  parts: [
    { name: "suppressions", page: (calls, at) => offset(calls, at, BLOCKED, suppressionOf) },
    { name: "lists", page: (calls, at) => offset(calls, at, LISTS, segmentOf) },
    { name: "people", page: people },
    { name: "templates", page: (calls, at) => offset(calls, at, TEMPLATES, templateOf) },
  ],
};

async function offset(
  calls: SourceCalls,
  at: string,
  { path, list, size }: BrevoList,
  recordsOf: (item: AnswerFields) => readonly SourceRecord[],
): Promise<SourcePage> {
  const from = Number(at);
  const answer = fieldsOf(await calls.ask(`${path}?limit=${size}&offset=${from}&sort=asc`));
  // An empty list is left out.
  const items = answer["count"] === 0 ? [] : itemsIn(answer, list);
  const total = numberOf(answer["count"]);
  return { records: items.flatMap(recordsOf), next: nextOffset(from, items.length, total), total };
}

const REASONS: Readonly<Record<string, SourceSuppression["reason"]>> = {
  hardBounce: "bounce",
  contactFlaggedAsSpam: "complaint",
  adminBlocked: "manual",
};

/** Who left by a link of a transactional email may come back by subscribing. */
function suppressionOf({ email, reason }: AnswerFields): SourceRecord[] {
  const said = REASONS[textOf(fieldsOf(reason)["code"])];
  const blocked = { kind: "suppression" as const, email: textOf(email) };
  return [said ? { ...blocked, reason: said } : { ...blocked, scope: "marketing", reason: "import" }];
}

function segmentOf({ id, name }: AnswerFields): SourceRecord[] {
  return [{ kind: "segment", id: textOf(id), name: textOf(name) }];
}

async function people(calls: SourceCalls, at: string): Promise<SourcePage> {
  const attributes = itemsIn(await calls.once("/contacts/attributes"), "attributes");
  const labels = new Map(attributes.map(({ name, enumeration }) => [textOf(name), labelsIn(enumeration)]));
  return offset(calls, at, CONTACTS, (contact) => {
    const email = textOf(contact["email"]);
    const left = textsOf(contact["listUnsubscribed"]);
    const lists = textsOf(contact["listIds"]).filter((id) => !left.includes(id));
    const data = Object.fromEntries(
      Object.entries(fieldsOf(contact["attributes"])).map(([name, value]) => [
        name,
        labels.get(name)?.get(textOf(value)) ?? value,
      ]),
    );
    return [
      {
        kind: "person",
        email,
        standing: standingOf(contact, data, { lists, left }),
        data: filled(data),
        proof: { addedAt: textOf(contact["createdAt"]) },
      },
      ...lists.map((segment) => ({ kind: "member" as const, segment, email })),
    ];
  });
}

/** Attributes of a category have numbers, which stand for words. */
function labelsIn(enumeration: unknown): ReadonlyMap<string, string> {
  return new Map(itemsIn(enumeration ?? []).map(({ value, label }) => [textOf(value), textOf(label)]));
}

type BrevoLists = Readonly<Record<"lists" | "left", readonly string[]>>;

/** Campaigns go to those on a list. Who never opted in, by the attribute for it, has said nothing. */
function standingOf({ emailBlacklisted }: AnswerFields, data: AnswerFields, { lists, left }: BrevoLists) {
  if (emailBlacklisted === true) return "unsubscribed";
  if (lists.length === 0) return left.length > 0 ? "unsubscribed" : "pending";
  const isNo = ["OPT_IN", "DOUBLE_OPT-IN"].some((name) => data[name] === false || /^no$/i.test(textOf(data[name])));
  return isNo ? "pending" : "subscribed";
}

function templateOf({ id, name, subject, htmlContent, sender, replyTo }: AnswerFields): SourceRecord[] {
  const [said, html] = [fromBrevo(textOf(subject)), fromBrevo(textOf(htmlContent))];
  const { email, name: fromName } = fieldsOf(sender);
  const reply = textOf(replyTo);
  const fields = {
    ...{ subject: said.text || textOf(name), body: html.text, type: "MARKETING", from: email, fromName },
    replyTo: reply.includes("@") ? reply : "",
  };
  const left = [...said.left, ...html.left];
  return [{ kind: "template", id: textOf(id), name: textOf(name), fields: filled(fields), left }];
}
