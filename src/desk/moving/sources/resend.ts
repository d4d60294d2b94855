// Resend: segments, topics with what each contact says of them, properties, templates with their fallbacks,
// suppressions.
import { AppError } from "../../../base/errors.ts";
import { fallbacksIn, liquidFrom } from "../../../programs/compat/resend/placeholders.ts";
import { fieldsOf, filled, idsIn, isFields, itemsIn, textOf, textsOf, type AnswerFields } from "../fields.ts";
import { byCursor, listPart, membersPart, recordsAt, wholeList } from "../lists.ts";
import { namedOf, segmentOf, type MoveSource, type SourcePage, type SourceRecord } from "../source.ts";
import type { SourceCalls } from "../calls.ts";

const LIST = { items: "data", paging: paging(100) };
/** Each contact takes calls of its own, at two to five calls a second. */
const CONTACTS = { ...LIST, path: "/contacts", paging: paging(25) };
const SEGMENTS = { ...LIST, path: "/segments" };
const TOPICS = { ...LIST, path: "/topics" };

export const RESEND: MoveSource = {
  title: "Resend",
  keyHint: "The file has an API key with full access, “re_…”.",
  baseUrl: () => "https://api.resend.com",
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  parts: [
    listPart("suppressions", { ...LIST, path: "/suppressions" }, suppressionOf),
    listPart("segments", SEGMENTS, segmentOf),
    listPart("topics", TOPICS, topicOf),
    { name: "people", page: people },
    membersPart(LIST, async (calls) => idsIn(await wholeList(calls, SEGMENTS))),
    listPart("templates", { ...LIST, path: "/templates" }, templateOf),
  ],
};

function paging(size: number) {
  return byCursor("after", size, ({ answer, items }) =>
    fieldsOf(answer)["has_more"] === true ? textOf(items.at(-1)?.["id"]) || null : null,
  );
}

function suppressionOf({ email, origin }: AnswerFields): SourceRecord[] {
  const reason = origin === "bounce" || origin === "complaint" ? origin : "manual";
  return [{ kind: "suppression", email: textOf(email), reason }];
}

function topicOf(item: AnswerFields): SourceRecord[] {
  const otherwise = item["default_subscription"] === "opt_in" ? "in" : "out";
  return [{ kind: "topic", ...namedOf(item), default: otherwise, visible: item["visibility"] !== "private" }];
}

/** The list has neither properties nor topics, so each contact is requested by itself if the account has any. */
async function people(calls: SourceCalls, at: string): Promise<SourcePage> {
  const topics = await wholeList(calls, TOPICS);
  const hasProperties = (await wholeList(calls, { ...LIST, path: "/contact-properties" })).length > 0;
  return recordsAt(calls, at, CONTACTS, async ({ id, email, first_name, last_name, unsubscribed, created_at }) => {
    const path = `/contacts/${encodeURIComponent(textOf(id))}`;
    const { properties } = hasProperties ? fieldsOf(await calls.ask(path)) : {};
    const said = topics.length > 0 ? itemsIn(await calls.ask(`${path}/topics?limit=100`), "data") : [];
    return [
      {
        kind: "person",
        email: textOf(email),
        standing: unsubscribed === false ? "subscribed" : "unsubscribed",
        data: filled({ ...valuesOf(properties), first_name, last_name }),
        topics: Object.fromEntries(said.flatMap((one) => choiceIn(one, topics))),
        proof: { joined_at: textOf(created_at) },
      },
    ];
  });
}

/** The choice on a topic; none where it is the default, which Resend lists for people who have chosen nothing. */
function choiceIn({ id, subscription }: AnswerFields, topics: readonly AnswerFields[]): [string, "in" | "out"][] {
  const topic = topics.find((one) => one["id"] === id);
  if (topic?.["default_subscription"] === subscription) return [];
  return [[textOf(id), subscription === "opt_in" ? "in" : "out"]];
}

/** A property may have its type beside its value. */
function valuesOf(properties: unknown): AnswerFields {
  return Object.fromEntries(
    Object.entries(fieldsOf(properties)).map(([name, value]) => [name, isFields(value) ? value["value"] : value]),
  );
}

/** The list has no texts. */
async function templateOf({ id, name }: AnswerFields, calls: SourceCalls): Promise<SourceRecord[]> {
  const template = fieldsOf(await calls.ask(`/templates/${encodeURIComponent(textOf(id))}`));
  const { subject, html, text, alias, from, reply_to, variables } = template;
  const about = { id: textOf(id), name: textOf(name), alias: textOf(alias) };
  try {
    const fallbacks = fallbacksIn(variables ?? []);
    const fields = {
      type: "TRANSACTIONAL",
      subject: liquidFrom("subject", textOf(subject) || about.name, fallbacks),
      body: liquidFrom("html", textOf(html), fallbacks),
      text: liquidFrom("text", textOf(text), fallbacks),
      from,
      replyTo: textsOf(reply_to)[0] ?? textOf(reply_to),
    };
    return [{ kind: "template", ...about, fields: filled(fields) }];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const why = error.details.errors?.[0]?.message ?? error.message;
    return [{ kind: "gap", what: "templates", why, example: about.name }];
  }
}
