// The time zone for planning: the workspace's, otherwise the computer's.
import { useQuery } from "@tanstack/react-query";
import { isKnownZone, ownZone } from "../base/zones.ts";
import { workspaceQuery } from "./workspace.ts";

export function useZone(): string {
  const zone = useWorkspaceZone() ?? null;
  return zone !== null && isKnownZone(zone) ? zone : ownZone();
}

/** Null = not set; undefined = loading. */
export function useWorkspaceZone(): string | null | undefined {
  return useQuery({ ...workspaceQuery, throwOnError: false }).data?.timeZone;
}
