// What of a first start is done, and where it is set: read from the server, so it holds in every browser.
import { useQuery } from "@tanstack/react-query";
import { overviewQuery } from "../overview/calls.ts";
import { configurationQuery } from "../settings/server/configuration-calls.ts";
import type { FirstStartStep } from "./step-names.ts";

/** The server is started again meanwhile: it is asked until it says something else. */
const POLL_MS = 5_000;
/** While the seconds are counted until a setting goes back. */
const SECOND_MS = 1_000;

export const ADDRESS = "http.base_url";

export function useConfiguration() {
  return useQuery({
    ...configurationQuery,
    refetchInterval: ({ state }) => (state.data?.unconfirmed ? SECOND_MS : POLL_MS),
  });
}

/** `key`: as in the file. Undefined while loading. */
export function useSetting(key: string) {
  return useConfiguration().data?.data.find((one) => one.key === key);
}

/** Undefined while it is not known. */
export function useDone(): Readonly<Record<FirstStartStep, boolean | undefined>> {
  const address = useSetting(ADDRESS);
  const transport = useSetting("delivery.transport");
  const { data: overview } = useQuery(overviewQuery);
  return {
    address: address && address.source !== "DEFAULT",
    // Who has it written down wants no email to leave.
    way: transport && transport.source !== "DEFAULT",
    domain: overview?.firstSteps.domainVerified,
    next: overview?.firstSteps.mailSent,
  };
}
