// API calls for sender domains, and the DNS check that repeats while the page is open.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import type { components } from "../../api.gen.ts";
import { queries } from "../../calls/queries.ts";
import { query } from "../../calls/query.ts";
import { allPages, PAGE_SIZE } from "../all-pages.ts";

export type Domain = components["schemas"]["Domain"];
export type DnsRecord = components["schemas"]["DnsRecord"];

export type Information = Domain["information"][number];

export const CHECK_SECONDS = 5;

export const domainsQuery = queryOptions({
  queryKey: ["domains", "all"],
  queryFn: () => allPages((page) => call("GET /domains", { page, pageSize: PAGE_SIZE })),
});

export const domainQuery = (id: string) => query("GET /domains/{id}", { id });

/** Checks the DNS every few seconds while the page is visible; the server limits it across pages. */
export function useVerification(id: string, mayCheck: boolean) {
  return useQuery({
    queryKey: ["look", id],
    enabled: mayCheck,
    refetchInterval: CHECK_SECONDS * 1_000,
    staleTime: 0,
    retry: false,
    throwOnError: false,
    queryFn: async () => {
      const domain = await call("POST /domains/{id}/verify", { id, maxAgeSeconds: CHECK_SECONDS - 1 });
      cacheDomain(domain);
      return domain;
    },
  });
}

/** Shows an answer without a refetch. */
export function cacheDomain(domain: Domain): void {
  queries.setQueryData(domainQuery(domain.id).queryKey, domain);
  queries.setQueryData(domainsQuery.queryKey, (known) => known?.map((one) => (one.id === domain.id ? domain : one)));
}
