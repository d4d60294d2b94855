// listmonk: public lists become topics, private ones segments; blocklisted people, bounces and templates come as well.
import { fieldsOf, filled, idsIn, itemsIn, textOf, type AnswerFields } from "../fields.ts";
import { byNumber, listPart, ONE_PAGE } from "../lists.ts";
import { membersOf, namedOf, segmentOf, type MoveSource, type SourceRecord } from "../source.ts";
import { fromGo, templateIn } from "./liquid.ts";

const LIST = { items: "data.results", total: "data.total", paging: byNumber("per_page", 500) };
const BOUNCES = { ...LIST, path: "/api/bounces", query: { order_by: "created_at", order: "asc" } };
const LISTS = { ...LIST, path: "/api/lists", query: { order_by: "id", order: "asc" } };
const SUBSCRIBERS = { ...LISTS, path: "/api/subscribers" };
const TEMPLATES = { path: "/api/templates", items: "data", paging: ONE_PAGE };

export const LISTMONK: MoveSource = {
  title: "listmonk",
  keyHint: "The file has “user:token” of an API user, who may read lists, subscribers, bounces and templates.",
  baseUrl: () => null,
  headers: (key) => ({ authorization: `Basic ${btoa(key)}` }),
  parts: [
    listPart("suppressions", BOUNCES, bounceOf),
    listPart("lists", LISTS, listOf),
    listPart("people", SUBSCRIBERS, personOf),
    listPart("templates", TEMPLATES, ({ type, ...item }) => [
      templateIn(fromGo, item, { type: type === "tx" ? "TRANSACTIONAL" : "MARKETING" }),
    ]),
  ],
};

/** A soft bounce says nothing of the next email. */
function bounceOf({ email, type }: AnswerFields): SourceRecord[] {
  const reason = type === "hard" ? "bounce" : type === "complaint" ? type : null;
  return reason === null ? [] : [{ kind: "suppression", email: textOf(email), reason }];
}

function listOf(item: AnswerFields): SourceRecord[] {
  return item["type"] === "public" ? [{ kind: "topic", ...namedOf(item), default: "out" }] : segmentOf(item);
}

function personOf(item: AnswerFields): SourceRecord[] {
  const { name, attribs, status, created_at } = item;
  const email = textOf(item["email"]);
  const lists = itemsIn(item["lists"] ?? []);
  const isPublic = ({ type }: AnswerFields) => type === "public";
  const isOff = status === "blocklisted" || status === "disabled";
  const confirmed = fieldsOf(lists.find((one) => one["subscription_status"] === "confirmed"));
  const person: SourceRecord = {
    kind: "person",
    email,
    standing: isOff ? "unsubscribed" : standingIn(lists),
    data: filled({ name, ...fieldsOf(attribs) }),
    topics: Object.fromEntries(lists.filter(isPublic).flatMap(choiceIn)),
    proof: {
      joined_at: textOf(created_at),
      optin_time: textOf(confirmed["subscription_created_at"]),
      optin_ip: textOf(fieldsOf(confirmed["subscription_meta"])["optin_ip"]),
    },
  };
  const segments = idsIn(lists.filter((one) => !isPublic(one) && receives(one)));
  return [person, ...membersOf(segments, email)];
}

/** Lists with double opt-in reach those who confirmed, the others all who have not left. */
function receives({ subscription_status: status, optin }: AnswerFields): boolean {
  return status === "confirmed" || (status === "unconfirmed" && optin !== "double");
}

function isLeft({ subscription_status: status }: AnswerFields): boolean {
  return status === "unsubscribed";
}

/** One list that a person gets is enough to be subscribed; the topics say which lists the person has left. */
function standingIn(lists: readonly AnswerFields[]) {
  return lists.some(receives) ? "subscribed" : lists.some(isLeft) ? "unsubscribed" : "pending";
}

/** A person who has yet to confirm has said nothing. */
function choiceIn(list: AnswerFields): [string, "in" | "out"][] {
  return receives(list) ? [[textOf(list["id"]), "in"]] : isLeft(list) ? [[textOf(list["id"]), "out"]] : [];
}
