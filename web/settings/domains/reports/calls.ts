// API calls for the reports on a domain.
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../api.ts";
import type { components } from "../../../api.gen.ts";

export type Reports = components["schemas"]["DomainReports"];
export type Source = components["schemas"]["ReportSource"];
export type ReceivedReport = components["schemas"]["ReceivedReport"];

export const SHOWN_REPORTS = 20;

export function reportsQuery(id: string, days: number) {
  return queryOptions({
    queryKey: ["domains", "reports", id, days],
    queryFn: () => call("GET /domains/{id}/reports", { id, days }),
  });
}

export function receivedQuery(id: string) {
  return queryOptions({
    queryKey: ["domains", "received", id],
    queryFn: () => call("GET /domains/{id}/reports/received", { id, page: 1, pageSize: SHOWN_REPORTS }),
  });
}
