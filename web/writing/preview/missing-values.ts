// The number of people who lack a variable of the email, and the next of them.
import { useQuery } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import { personOf, type PreviewPerson, type Person } from "./people.ts";

const MAX_SAMPLES = 20;
/** Only this many variables are checked. */
const MAX_NAMES = 10;
const STALE_MS = 60_000;

/** The API needs a filter; this one matches all contacts. */
const EVERYBODY = { groups: [{ filters: [{ field: "email", operator: "contains" as const, value: "@" }] }] };

/** The next person who lacks a variable, among the newest, cyclic; null = none. */
export async function nextLacking(names: readonly string[], after: Person | null): Promise<Person | null> {
  const groups = names.slice(0, MAX_NAMES).map((name) => ({
    filters: [{ field: `data.${name}`, operator: "notExists" as const }],
  }));
  const body = { condition: { logic: "OR" as const, groups }, sample: MAX_SAMPLES };
  const { sample = [] } = await call("POST /segments/preview", { body });
  const people = sample as readonly PreviewPerson[];
  const next = people[(people.findIndex(({ id }) => id === after?.id) + 1) % people.length];
  return next ? personOf(next) : null;
}

export type Lack = { readonly name: string; readonly people: number; readonly of: number; readonly isAbout: boolean };

/** Variables that people lack, the most frequent first. */
export function useLacks(names: readonly string[]): readonly Lack[] {
  const missing = names.slice(0, MAX_NAMES);
  const { data } = useQuery({
    queryKey: ["contacts", "lacking", missing],
    queryFn: () => call("POST /segments/preview", { body: { condition: EVERYBODY, missing } }),
    enabled: missing.length > 0,
    staleTime: STALE_MS,
    throwOnError: false,
  });
  if (!data?.missing || missing.length === 0) return [];
  const { contacts: of, approximate: isAbout } = data;
  return data.missing
    .map(({ name, contacts: people }) => ({ name, people, of, isAbout }))
    .filter(({ people }) => people > 0)
    .toSorted((one, other) => other.people - one.people);
}
