// Plunk, hosted or one's own: contacts, segments with their conditions or members, and templates, which need no change.
import { fieldsOf, filled, itemsIn, nextNumber, numberOf, pageNumber, textOf } from "../fields.ts";
import { pageThrough, type MoveSource, type SourcePage, type SourceRecord } from "../source.ts";
import type { SourceCalls } from "../calls.ts";

const SIZE = 100;

export const PLUNK: MoveSource = {
  title: "Plunk",
  keyHint: "The file has the project's secret key, “sk_…”.",
  baseUrl: () => "https://next-api.useplunk.com",
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  parts: [
    { name: "segments", page: segments },
    { name: "people", page: people },
    { name: "members of segments", page: members },
    { name: "templates", page: templates },
  ],
};

async function segments(calls: SourceCalls): Promise<SourcePage> {
  const items = itemsIn(await calls.once("/segments"));
  const records = items.map(({ id, name, description, type, condition }): SourceRecord => {
    const segment = { kind: "segment" as const, id: textOf(id), name: textOf(name), description: textOf(description) };
    return type === "STATIC" ? segment : { ...segment, condition };
  });
  return { records, next: null };
}

async function people(calls: SourceCalls, at: string): Promise<SourcePage> {
  const query = new URLSearchParams({ limit: String(SIZE), ...(at === "" ? {} : { cursor: at }) });
  const answer = fieldsOf(await calls.ask(`/contacts?${query}`));
  const records = itemsIn(answer, "data").map(({ email, subscribed, data, createdAt }): SourceRecord => ({
    kind: "person",
    email: textOf(email),
    standing: subscribed === true ? "subscribed" : "unsubscribed",
    data: filled(fieldsOf(data)),
    proof: { addedAt: textOf(createdAt) },
  }));
  const next = answer["hasMore"] === true ? textOf(answer["cursor"]) || null : null;
  return { records, next, total: numberOf(answer["total"]) };
}

async function members(calls: SourceCalls, at: string): Promise<SourcePage> {
  const lists = itemsIn(await calls.once("/segments")).filter(({ type }) => type === "STATIC");
  return pageThrough(
    lists.map(({ id }) => textOf(id)),
    at,
    async (segment, from) => {
      const path = `/segments/${encodeURIComponent(segment)}/contacts?page=${pageNumber(from)}&pageSize=${SIZE}`;
      const answer = fieldsOf(await calls.ask(path));
      const items = itemsIn(answer, "data");
      const records = items.map(({ email }) => ({ kind: "member" as const, segment, email: textOf(email) }));
      return { records, next: nextNumber(from, items.length, SIZE, numberOf(answer["total"])) };
    },
  );
}

async function templates(calls: SourceCalls, at: string): Promise<SourcePage> {
  const answer = fieldsOf(await calls.ask(`/templates?page=${pageNumber(at)}&pageSize=${SIZE}`));
  const items = itemsIn(answer, "data");
  const records = items.map(({ id, name, description, type, ...rest }): SourceRecord => {
    const { subject, body, from, fromName, replyTo } = rest;
    const kind = type === "HEADLESS" ? "MARKETING" : type;
    const fields = { description, type: kind, subject, body, from, fromName, replyTo };
    return { kind: "template", id: textOf(id), name: textOf(name), fields: filled(fields), left: [] };
  });
  const total = numberOf(answer["total"]);
  return { records, next: nextNumber(at, items.length, SIZE, total), total };
}
