// The SMTP address of this server.
import { useQuery } from "@tanstack/react-query";
import { call } from "../../api.ts";
import type { components } from "../../api.gen.ts";

export type Submission = components["schemas"]["Submission"];

export function useSubmission() {
  return useQuery({ queryKey: ["submission"], queryFn: () => call("GET /submission") });
}
