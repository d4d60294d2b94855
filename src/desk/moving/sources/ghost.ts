// Ghost: newsletters become topics, labels segments. Its templates are themes, which have no counterpart.
import { fieldsOf, filled, idsIn, textOf, type AnswerFields } from "../fields.ts";
import { byNumber, listPart } from "../lists.ts";
import { membersOf, namedOf, segmentOf, type MoveSource, type SourceRecord } from "../source.ts";
import { SourceError } from "../calls.ts";

const TOKEN_SECONDS = 300;

const ORDER = { order: "created_at asc,id asc" };
const LIST = { total: "meta.pagination.total", query: ORDER, paging: byNumber("limit", 100) };
const NEWSLETTERS = { ...LIST, path: "/ghost/api/admin/newsletters/", items: "newsletters" };
const LABELS = { ...LIST, path: "/ghost/api/admin/labels/", items: "labels" };
const MEMBERS = {
  ...{ ...LIST, path: "/ghost/api/admin/members/", items: "members" },
  query: { ...ORDER, include: "newsletters,labels" },
};

export const GHOST: MoveSource = {
  title: "Ghost",
  keyHint: "The file has the Admin API key of a custom integration, “id:secret”.",
  baseUrl: () => null,
  headers: async (key, nowMs) => ({ authorization: `Ghost ${await tokenOf(key, nowMs)}`, "accept-version": "v5.0" }),
  parts: [
    listPart("newsletters", NEWSLETTERS, topicOf),
    listPart("labels", LABELS, segmentOf),
    listPart("people", MEMBERS, personOf),
  ],
};

/** A token for one call (docs.ghost.org, Admin API). */
async function tokenOf(key: string, nowMs: number): Promise<string> {
  const [id = "", secret = ""] = key.split(":");
  if (!/^([0-9a-f]{2})+$/i.test(secret)) throw new SourceError("key", `This is no key of Ghost. ${GHOST.keyHint}`);
  const { SignJWT } = await import("jose");
  const seconds = Math.floor(nowMs / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: "HS256", typ: "JWT", kid: id })
    .setAudience("/admin/")
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + TOKEN_SECONDS)
    .sign(Buffer.from(secret, "hex"));
}

/** A newsletter reaches only the members who have it. */
function topicOf(item: AnswerFields): SourceRecord[] {
  return [{ kind: "topic", ...namedOf(item), default: "out", visible: item["status"] !== "archived" }];
}

function personOf(member: AnswerFields): SourceRecord[] {
  const { name, note, status, created_at } = member;
  const email = textOf(member["email"]);
  const [newsletters, labels] = [idsIn(member["newsletters"]), idsIn(member["labels"])];
  const person: SourceRecord = {
    kind: "person",
    email,
    standing: standingOf(member, newsletters),
    data: filled({ name, note, status }),
    topics: Object.fromEntries(newsletters.map((id) => [id, "in"])),
    proof: { joined_at: textOf(created_at) },
  };
  return [person, ...membersOf(labels, email)];
}

/** Before it had newsletters, Ghost said `subscribed` alone. */
function standingOf({ email_suppression, subscribed, newsletters }: AnswerFields, ids: readonly string[]) {
  const { suppressed, info } = fieldsOf(email_suppression);
  if (suppressed === true) return fieldsOf(info)["reason"] === "spam" ? "complaint" : "bounce";
  return ids.length > 0 || (newsletters === undefined && subscribed === true) ? "subscribed" : "unsubscribed";
}
