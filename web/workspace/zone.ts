// The time zone for planning: the workspace's, else the computer's.
import { useQuery } from "@tanstack/react-query";
import { isKnownZone, ownZone } from "../zones.ts";
import { workspaceQuery } from "./settings.ts";

export function useZone(): string {
  const { data } = useQuery({ ...workspaceQuery, throwOnError: false });
  const zone = data?.timeZone ?? null;
  return zone !== null && isKnownZone(zone) ? zone : ownZone();
}
