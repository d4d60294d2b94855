// What this server says of itself, asked again while somebody looks.
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api.ts";
import type { components } from "../../api.gen.ts";

export type Installation = components["schemas"]["Installation"];

const AGAIN_MS = 15_000;

export function useInstallation() {
  return useQuery({
    queryKey: ["installation"],
    queryFn: () => unwrap(api.GET("/installation")),
    refetchInterval: AGAIN_MS,
  });
}
