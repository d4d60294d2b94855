// Ghost: newsletters become topics, labels segments. Its templates are themes, which have no counterpart.
import { fieldsOf, filled, itemsIn, numberOf, pageNumber, textOf, type AnswerFields } from "../fields.ts";
import type { MoveSource, SourcePage, SourceRecord } from "../source.ts";
import { SourceError, type SourceCalls } from "../calls.ts";

const TOKEN_SECONDS = 300;

export const GHOST: MoveSource = {
  title: "Ghost",
  keyHint: "The file has the Admin API key of a custom integration, “id:secret”.",
  baseUrl: () => null,
  headers: async (key, nowMs) => ({ authorization: `Ghost ${await tokenOf(key, nowMs)}`, "accept-version": "v5.0" }),
  parts: [
    { name: "newsletters", page: (calls, at) => listPage(calls, at, "newsletters", topicOf) },
    { name: "labels", page: (calls, at) => listPage(calls, at, "labels", segmentOf) },
    { name: "people", page: (calls, at) => listPage(calls, at, "members", personOf) },
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

async function listPage(
  calls: SourceCalls,
  at: string,
  what: string,
  recordsOf: (item: AnswerFields) => readonly SourceRecord[],
): Promise<SourcePage> {
  const query = new URLSearchParams({ limit: "100", page: String(pageNumber(at)), order: "created_at asc,id asc" });
  if (what === "members") query.set("include", "newsletters,labels");
  const answer = fieldsOf(await calls.ask(`/ghost/api/admin/${what}/?${query}`));
  const { next, total } = fieldsOf(fieldsOf(answer["meta"])["pagination"]);
  return { records: itemsIn(answer, what).flatMap(recordsOf), next: textOf(next) || null, total: numberOf(total) };
}

/** Of whom a newsletter is not said, it is not sent to. */
function topicOf({ id, name, description, status }: AnswerFields): SourceRecord[] {
  const topic = { kind: "topic" as const, id: textOf(id), name: textOf(name), description: textOf(description) };
  return [{ ...topic, default: "out", visible: status !== "archived" }];
}

function segmentOf({ id, name }: AnswerFields): SourceRecord[] {
  return [{ kind: "segment", id: textOf(id), name: textOf(name) }];
}

function personOf(member: AnswerFields): SourceRecord[] {
  const { name, note, status, created_at } = member;
  const email = textOf(member["email"]);
  const newsletters = itemsIn(member["newsletters"] ?? []).map(({ id }) => textOf(id));
  return [
    {
      kind: "person",
      email,
      standing: standingOf(member, newsletters),
      data: filled({ name, note, status }),
      topics: Object.fromEntries(newsletters.map((id) => [id, "in"])),
      proof: { addedAt: textOf(created_at) },
    },
    ...itemsIn(member["labels"] ?? []).map(({ id }) => ({ kind: "member" as const, segment: textOf(id), email })),
  ];
}

/** Before it had newsletters, Ghost said `subscribed` alone. */
function standingOf({ email_suppression, subscribed, newsletters }: AnswerFields, ids: readonly string[]) {
  const { suppressed, info } = fieldsOf(email_suppression);
  if (suppressed === true) return fieldsOf(info)["reason"] === "spam" ? "complaint" : "bounce";
  return ids.length > 0 || (newsletters === undefined && subscribed === true) ? "subscribed" : "unsubscribed";
}
