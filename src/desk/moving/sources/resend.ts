// Resend: segments, topics with what each contact says of them, properties, templates with their fallbacks, suppressions.
import { AppError } from "../../../base/errors.ts";
import { fallbacksIn, liquidFrom } from "../../../programs/compat/resend/placeholders.ts";
import { allPages, fieldsOf, filled, isFields, itemsIn, textOf, textsOf, type AnswerFields } from "../fields.ts";
import { pageThrough, type MoveSource, type SourcePage, type SourceRecord } from "../source.ts";
import type { SourceCalls } from "../calls.ts";

const SIZE = 100;
/** Each of them is asked for by itself, at two to five calls a second. */
const PEOPLE = 25;

export const RESEND: MoveSource = {
  title: "Resend",
  keyHint: "The file has an API key with full access, “re_…”.",
  baseUrl: () => "https://api.resend.com",
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  parts: [
    { name: "suppressions", page: (calls, at) => listPage(calls, at, "/suppressions", suppressionOf) },
    { name: "segments", page: (calls, at) => listPage(calls, at, "/segments", segmentOf) },
    { name: "topics", page: (calls, at) => listPage(calls, at, "/topics", topicOf) },
    { name: "people", page: people },
    { name: "members of segments", page: members },
    { name: "templates", page: (calls, at) => listPage(calls, at, "/templates", (item) => templateOf(calls, item)) },
  ],
};

type ResendRecords = (item: AnswerFields) => readonly SourceRecord[] | Promise<readonly SourceRecord[]>;

async function listPage(
  calls: SourceCalls,
  at: string,
  path: string,
  recordsOf: ResendRecords,
  size = SIZE,
): Promise<SourcePage> {
  const { items, next } = pageIn(await calls.ask(pathOf(path, at, size)));
  const records: SourceRecord[] = [];
  for (const item of items) records.push(...(await recordsOf(item)));
  return { records, next };
}

function pathOf(path: string, at: string, size = SIZE): string {
  return `${path}?${new URLSearchParams({ limit: String(size), ...(at === "" ? {} : { after: at }) })}`;
}

function pageIn(answer: unknown) {
  const items = itemsIn(answer, "data");
  const hasMore = fieldsOf(answer)["has_more"] === true;
  return { items, next: hasMore ? textOf(items.at(-1)?.["id"]) || null : null };
}

/** The whole list, asked for once in a run. */
function whole(calls: SourceCalls, path: string): Promise<AnswerFields[]> {
  return allPages(async (at) => pageIn(await calls.once(pathOf(path, at))));
}

function suppressionOf({ email, origin }: AnswerFields): SourceRecord[] {
  const reason = origin === "bounce" || origin === "complaint" ? origin : "manual";
  return [{ kind: "suppression", email: textOf(email), reason }];
}

function segmentOf({ id, name }: AnswerFields): SourceRecord[] {
  return [{ kind: "segment", id: textOf(id), name: textOf(name) }];
}

function topicOf({ id, name, description, default_subscription, visibility }: AnswerFields): SourceRecord[] {
  const topic = { kind: "topic" as const, id: textOf(id), name: textOf(name), description: textOf(description) };
  const otherwise = default_subscription === "opt_in" ? "in" : "out";
  return [{ ...topic, default: otherwise, visible: visibility !== "private" }];
}

/** The list has neither properties nor topics, so each contact is asked for if the account has any. */
async function people(calls: SourceCalls, at: string): Promise<SourcePage> {
  const topics = await whole(calls, "/topics");
  const hasProperties = (await whole(calls, "/contact-properties")).length > 0;
  return listPage(
    calls,
    at,
    "/contacts",
    async ({ id, email, first_name, last_name, unsubscribed, created_at }) => {
      const path = `/contacts/${encodeURIComponent(textOf(id))}`;
      const { properties } = hasProperties ? fieldsOf(await calls.ask(path)) : {};
      const said = topics.length > 0 ? itemsIn(await calls.ask(pathOf(`${path}/topics`, "")), "data") : [];
      return [
        {
          kind: "person",
          email: textOf(email),
          standing: unsubscribed === false ? "subscribed" : "unsubscribed",
          data: filled({ ...valuesOf(properties), first_name, last_name }),
          topics: Object.fromEntries(said.flatMap((one) => choiceIn(one, topics))),
          proof: { addedAt: textOf(created_at) },
        },
      ];
    },
    PEOPLE,
  );
}

/** Of who has said nothing, Resend lists the default. */
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

async function members(calls: SourceCalls, at: string): Promise<SourcePage> {
  const segments = (await whole(calls, "/segments")).map(({ id }) => textOf(id));
  return pageThrough(segments, at, (segment, from) =>
    listPage(calls, from, `/segments/${encodeURIComponent(segment)}/contacts`, ({ email }) => [
      { kind: "member", segment, email: textOf(email) },
    ]),
  );
}

/** The list has no texts. */
async function templateOf(calls: SourceCalls, { id, name }: AnswerFields): Promise<SourceRecord[]> {
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
    return [{ kind: "template", ...about, fields: filled(fields), left: [] }];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const why = error.details.errors?.[0]?.message ?? error.message;
    return [{ kind: "gap", what: "templates", why, example: about.name }];
  }
}
