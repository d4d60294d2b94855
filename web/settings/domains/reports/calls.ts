// API calls for the reports on a domain.
import type { components } from "../../../api.gen.ts";
import { query } from "../../../calls/query.ts";

export type Reports = components["schemas"]["DomainReports"];
export type Source = components["schemas"]["ReportSource"];
export type ReceivedReport = components["schemas"]["ReceivedReport"];

export const SHOWN_REPORTS = 20;

export const reportsQuery = (id: string, days: number) => query("GET /domains/{id}/reports", { id, days });

export const receivedQuery = (id: string) =>
  query("GET /domains/{id}/reports/received", { id, page: 1, pageSize: SHOWN_REPORTS });
