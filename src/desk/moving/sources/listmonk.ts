// listmonk: public lists become topics, private ones segments; blocklisted people, bounces and templates come as well.
import { fieldsOf, filled, itemsIn, nextNumber, numberOf, pageNumber, textOf, type AnswerFields } from "../fields.ts";
import { fromGo } from "./liquid.ts";
import { worstOf, type MoveSource, type SourcePage, type SourceRecord } from "../source.ts";
import type { SourceCalls } from "../calls.ts";

const SIZE = 500;

export const LISTMONK: MoveSource = {
  title: "listmonk",
  keyHint: "The file has “user:token” of an API user, who may read lists, subscribers, bounces and templates.",
  baseUrl: () => null,
  headers: (key) => ({ authorization: `Basic ${Buffer.from(key).toString("base64")}` }),
  parts: [
    {
      name: "suppressions",
      page: (calls, at) => numbered(calls, at, "/api/bounces?order_by=created_at&order=asc", bounceOf),
    },
    { name: "lists", page: (calls, at) => numbered(calls, at, "/api/lists?order_by=id&order=asc", listOf) },
    {
      name: "people",
      page: (calls, at) => numbered(calls, at, "/api/subscribers?order_by=id&order=asc", personOf),
    },
    { name: "templates", page: templates },
  ],
};

async function numbered(
  calls: SourceCalls,
  at: string,
  path: string,
  recordsOf: (item: AnswerFields) => readonly SourceRecord[],
): Promise<SourcePage> {
  const answer = fieldsOf(await calls.ask(`${path}&page=${pageNumber(at)}&per_page=${SIZE}`));
  const items = itemsIn(answer, "data.results");
  const total = numberOf(fieldsOf(answer["data"])["total"]);
  return {
    records: items.flatMap(recordsOf),
    next: nextNumber(at, items.length, SIZE, total),
    total,
  };
}

/** A soft bounce says nothing of the next email. */
function bounceOf({ email, type }: AnswerFields): SourceRecord[] {
  const reason = type === "hard" ? "bounce" : type === "complaint" ? type : null;
  return reason === null ? [] : [{ kind: "suppression", email: textOf(email), reason }];
}

function listOf({ id, name, description, type }: AnswerFields): SourceRecord[] {
  const list = { id: textOf(id), name: textOf(name), description: textOf(description) };
  return [type === "public" ? { kind: "topic", ...list, default: "out" } : { kind: "segment", ...list }];
}

function personOf(item: AnswerFields): SourceRecord[] {
  const { email, name, attribs, status, created_at } = item;
  const lists = itemsIn(item["lists"] ?? []);
  const address = textOf(email);
  const confirmed = lists.filter((one) => one["subscription_status"] === "confirmed");
  const isOff = status === "blocklisted" || status === "disabled";
  const [first] = confirmed;
  return [
    {
      kind: "person",
      email: address,
      standing: isOff ? "unsubscribed" : standingIn(lists),
      data: filled({ name, ...fieldsOf(attribs) }),
      topics: Object.fromEntries(lists.filter((one) => one["type"] === "public").flatMap(choiceIn)),
      proof: {
        addedAt: textOf(created_at),
        optInAt: textOf(first?.["subscription_created_at"]),
        optInIp: textOf(fieldsOf(first?.["subscription_meta"])["optin_ip"]),
      },
    },
    ...lists
      .filter((one) => one["type"] !== "public" && receives(one))
      .map(({ id }) => ({ kind: "member" as const, segment: textOf(id), email: address })),
  ];
}

/** Lists with double opt-in reach those who confirmed, the others all who have not left. */
function receives({ subscription_status: status, optin }: AnswerFields): boolean {
  return status === "confirmed" || (status === "unconfirmed" && optin !== "double");
}

/** Whoever gets one list is subscribed; what they have left is said by topic. */
function standingIn(lists: readonly AnswerFields[]) {
  if (lists.some(receives)) return "subscribed";
  return worstOf(lists.map((one) => (one["subscription_status"] === "unsubscribed" ? "unsubscribed" : "pending")));
}

/** Who has yet to confirm has said nothing. */
function choiceIn(list: AnswerFields): [string, "in" | "out"][] {
  if (receives(list)) return [[textOf(list["id"]), "in"]];
  return list["subscription_status"] === "unsubscribed" ? [[textOf(list["id"]), "out"]] : [];
}

async function templates(calls: SourceCalls): Promise<SourcePage> {
  const items = itemsIn(await calls.ask("/api/templates"), "data");
  const records = items.map(({ id, name, type, subject, body }): SourceRecord => {
    const [said, html] = [fromGo(textOf(subject)), fromGo(textOf(body))];
    const fields = {
      subject: said.text || textOf(name),
      body: html.text,
      type: type === "tx" ? "TRANSACTIONAL" : "MARKETING",
    };
    return { kind: "template", id: textOf(id), name: textOf(name), fields, left: [...said.left, ...html.left] };
  });
  return { records, next: null };
}
