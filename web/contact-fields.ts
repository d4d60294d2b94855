// The fields that contacts have, and how many have them: asked for once, and again after contacts have changed.
import { queryOptions } from "@tanstack/react-query";
import { call } from "./api.ts";
import { FIELDS, isLive } from "./live.ts";
import { greetingKey } from "./name-fields.ts";
import { queries } from "./queries.ts";

/** Without notices. */
const STALE_MS = 60_000;
const DATA = "data.";

export const contactFieldsQuery = queryOptions({
  queryKey: [FIELDS],
  queryFn: ({ signal }) => call("GET /contacts/fields", { signal }),
  staleTime: () => (isLive.get() ? Infinity : STALE_MS),
  throwOnError: false,
});

type ContactFields = Awaited<ReturnType<NonNullable<typeof contactFieldsQuery.queryFn>>>;

/** The keys of data, those that most contacts have first. */
export function dataKeys(answer: ContactFields | undefined) {
  return (answer?.fields ?? []).flatMap(({ field, coverage }) =>
    field.startsWith(DATA) ? [{ key: field.slice(DATA.length), coverage }] : [],
  );
}

/** As Liquid reads a key: those that are not identifiers need quotes. */
export function pathOf(key: string): string {
  return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? key : `data[${JSON.stringify(key)}]`;
}

/** The keys of data; none if they cannot be asked for. */
export async function knownKeys() {
  return dataKeys(await queries.fetchQuery(contactFieldsQuery).catch(() => undefined));
}

/** What Liquid calls the name by which a new email greets people. */
export async function greetingPath(): Promise<string> {
  return pathOf(greetingKey(await knownKeys()));
}
