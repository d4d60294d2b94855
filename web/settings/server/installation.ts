// Polls the status of this server.
import { useQuery } from "@tanstack/react-query";
import { call } from "../../api.ts";
import type { components } from "../../api.gen.ts";

export type Installation = components["schemas"]["Installation"];

const POLL_MS = 15_000;

export function useInstallation() {
  return useQuery({
    queryKey: ["installation"],
    queryFn: () => call("GET /installation"),
    refetchInterval: POLL_MS,
  });
}
