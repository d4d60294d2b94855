// The SMTP address of this server.
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api.ts";
import type { components } from "../../api.gen.ts";

export type Submission = components["schemas"]["Submission"];

export function useSubmission() {
  return useQuery({ queryKey: ["submission"], queryFn: () => unwrap(api.GET("/submission")) });
}
