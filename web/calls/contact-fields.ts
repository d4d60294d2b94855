// The fields of contacts, and how many contacts have each: fetched once, and again after contacts have changed.
import { queryOptions } from "@tanstack/react-query";
import { call } from "./api.ts";
import { FIELDS, isLive } from "./live.ts";
import { greetingKey } from "../base/name-fields.ts";
import { queries } from "./queries.ts";

/** Without the live stream, which marks the answer as stale after a change. */
const STALE_MS = 60_000;
const DATA = "data.";

export const contactFieldsQuery = queryOptions({
  queryKey: [FIELDS],
  queryFn: ({ signal }) => call("GET /contacts/fields", { signal }),
  staleTime: () => (isLive.get() ? Infinity : STALE_MS),
  throwOnError: false,
});

type ContactFields = Awaited<ReturnType<NonNullable<typeof contactFieldsQuery.queryFn>>>;

/** The keys of contact data, those that most contacts have first. */
export function dataKeys(answer: ContactFields | undefined) {
  return (answer?.fields ?? []).flatMap(({ field, coverage }) =>
    field.startsWith(DATA) ? [{ key: field.slice(DATA.length), coverage }] : [],
  );
}

/** The key as a Liquid path: a key that is not an identifier needs quotes. */
export function pathOf(key: string): string {
  return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? key : `data[${JSON.stringify(key)}]`;
}

/** The keys of contact data; empty if the call fails. */
export async function knownKeys() {
  return dataKeys(await queries.fetchQuery(contactFieldsQuery).catch(() => undefined));
}

/** The Liquid path of the name in the greeting of a new email. */
export async function greetingPath(): Promise<string> {
  return pathOf(greetingKey(await knownKeys()));
}
