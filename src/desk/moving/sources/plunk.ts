// Plunk, hosted or self-hosted: contacts, segments with their conditions or members, and templates, which need no
// change.
import { fieldsOf, filled, idsIn, textOf, type AnswerFields } from "../fields.ts";
import { byCursor, byNumber, listPart, membersPart, ONE_PAGE, wholeList } from "../lists.ts";
import { namedOf, segmentOf, type MoveSource, type SourceRecord } from "../source.ts";
import type { SourceCalls } from "../calls.ts";

const LIST = { items: "data", total: "total", paging: byNumber("pageSize", 100) };
const SEGMENTS = { path: "/segments", items: "", paging: ONE_PAGE };
const CONTACTS = {
  ...{ ...LIST, path: "/contacts" },
  paging: byCursor("cursor", 100, ({ answer }) => {
    const { hasMore, cursor } = fieldsOf(answer);
    return hasMore === true ? textOf(cursor) || null : null;
  }),
};

export const PLUNK: MoveSource = {
  title: "Plunk",
  keyHint: "The file has the project's secret key, “sk_…”.",
  baseUrl: () => "https://next-api.useplunk.com",
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  parts: [
    listPart("segments", SEGMENTS, (item) =>
      segmentOf(item).map((one) => (item["type"] === "STATIC" ? one : { ...one, condition: item["condition"] })),
    ),
    listPart("people", CONTACTS, personOf),
    membersPart(LIST, listsIn),
    listPart("templates", { ...LIST, path: "/templates" }, templateOf),
  ],
};

function personOf({ email, subscribed, data, createdAt }: AnswerFields): SourceRecord[] {
  const standing = subscribed === true ? "subscribed" : "unsubscribed";
  const proof = { joined_at: textOf(createdAt) };
  return [{ kind: "person", email: textOf(email), standing, data: filled(fieldsOf(data)), proof }];
}

async function listsIn(calls: SourceCalls): Promise<string[]> {
  return idsIn((await wholeList(calls, SEGMENTS)).filter(({ type }) => type === "STATIC"));
}

function templateOf(item: AnswerFields): SourceRecord[] {
  const { description, subject, body, from, fromName, replyTo } = item;
  const type = item["type"] === "HEADLESS" ? "MARKETING" : item["type"];
  const fields = filled({ description, type, subject, body, from, fromName, replyTo });
  return [{ kind: "template", ...namedOf(item), fields }];
}
