// The SMTP address of this server.
import { useQuery } from "@tanstack/react-query";
import type { components } from "../../api.gen.ts";
import { query } from "../../calls/query.ts";

export type Submission = components["schemas"]["Submission"];

export function useSubmission() {
  return useQuery(query("GET /submission"));
}
