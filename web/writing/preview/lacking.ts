// Who lacks the variables that a mail names: how many of everybody, and the next of them.
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api.ts";
import { personOf, type Contact, type Person } from "./people.ts";

const MOST_SAMPLES = 20;
/** Names asked about; a mail that has more is asked about the first. */
const MOST_NAMES = 10;
const STALE_MS = 60_000;

/** A condition wants a filter; every address has this. */
const EVERYBODY = { groups: [{ filters: [{ field: "email", operator: "contains" as const, value: "@" }] }] };

/** After the one who is shown, round and round, among the newest who lack one; null: nobody lacks any. */
export async function nextLacking(names: readonly string[], after: Person | null): Promise<Person | null> {
  const groups = names.slice(0, MOST_NAMES).map((name) => ({
    filters: [{ field: `data.${name}`, operator: "notExists" as const }],
  }));
  const body = { condition: { logic: "OR" as const, groups }, sample: MOST_SAMPLES };
  const { sample = [] } = await unwrap(api.POST("/segments/preview", { body }));
  const people = sample as readonly Contact[];
  const next = people[(people.findIndex(({ id }) => id === after?.id) + 1) % people.length];
  return next ? personOf(next) : null;
}

export type Lack = { readonly name: string; readonly people: number; readonly of: number; readonly isAbout: boolean };

/** Those that somebody lacks, the most lacked first. */
export function useLacks(names: readonly string[]): readonly Lack[] {
  const missing = names.slice(0, MOST_NAMES);
  const { data } = useQuery({
    queryKey: ["contacts", "lacking", missing],
    queryFn: () => unwrap(api.POST("/segments/preview", { body: { condition: EVERYBODY, missing } })),
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
