// Finds people by name or email address.
import { useQuery } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import { nameIn } from "../../base/name-fields.ts";

export type Person = { readonly id: string; readonly name: string; readonly email: string };

const MAX_SHOWN = 20;

export type PreviewPerson = {
  readonly id: string;
  readonly email: string;
  readonly data: Readonly<Record<string, unknown>>;
};

export function usePeople(search: string) {
  return useQuery({
    queryKey: ["contacts", "to look as", search],
    queryFn: async () => {
      const query = { limit: MAX_SHOWN, ...(search === "" ? {} : { search }) };
      const { data } = await call("GET /contacts", query);
      return (data as readonly PreviewPerson[]).map(personOf);
    },
    throwOnError: false,
  });
}

export function personOf({ id, email, data }: PreviewPerson): Person {
  return { id, email, name: nameIn(data) || email };
}
