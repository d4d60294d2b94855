// Sender domains, asked of the server; and the look at their records that is repeated while the page is open.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api.ts";
import type { components } from "../../api.gen.ts";
import { queries } from "../../queries.ts";
import { everyPage, PAGE_SIZE } from "../every-page.ts";

export type Domain = components["schemas"]["Domain"];
export type DnsRecord = components["schemas"]["DnsRecord"];

export const LOOK_SECONDS = 5;

export const domainsQuery = queryOptions({
  queryKey: ["domains", "all"],
  queryFn: () => everyPage((page) => unwrap(api.GET("/domains", { params: { query: { page, pageSize: PAGE_SIZE } } }))),
});

export function domainQuery(id: string) {
  return queryOptions({
    queryKey: ["domains", "one", id],
    queryFn: () => unwrap(api.GET("/domains/{id}", { params: { path: { id } } })),
  });
}

/** Asks the name servers every few seconds, as long as somebody looks; ten open pages ask no more often than one. */
export function useLook(id: string, may: boolean) {
  return useQuery({
    queryKey: ["look", id],
    enabled: may,
    refetchInterval: LOOK_SECONDS * 1_000,
    staleTime: 0,
    retry: false,
    throwOnError: false,
    queryFn: async () => {
      const query = { maxAgeSeconds: LOOK_SECONDS - 1 };
      const domain = await unwrap(api.POST("/domains/{id}/verify", { params: { path: { id }, query } }));
      takeUp(domain);
      return domain;
    },
  });
}

/** What an answer says of a domain is shown at once. */
export function takeUp(domain: Domain): void {
  queries.setQueryData(domainQuery(domain.id).queryKey, domain);
  queries.setQueryData(domainsQuery.queryKey, (known) => known?.map((one) => (one.id === domain.id ? domain : one)));
}
