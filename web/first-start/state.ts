// The steps of a first start that are done, by the state of the server: the same in every browser.
import { useQuery } from "@tanstack/react-query";
import { overviewQuery } from "../overview/calls.ts";
import { configurationQuery } from "../settings/server/configuration-calls.ts";
import type { FirstStartStep } from "./step-names.ts";

/** Polling: the server may be restarted with another configuration file. */
const LOOK_MS = 5_000;

export const ADDRESS = "http.base_url";
export const TRANSPORT = "delivery.transport";

export function useConfiguration() {
  return useQuery(configurationQuery(LOOK_MS));
}

/** `key`: as in the file. Undefined while loading. */
export function useSetting(key: string) {
  return useConfiguration().data?.data.find((one) => one.key === key);
}

/** Undefined while loading. */
export function useDone(): Readonly<Record<FirstStartStep, boolean | undefined>> {
  const address = useSetting(ADDRESS);
  const transport = useSetting(TRANSPORT);
  const { data: overview } = useQuery(overviewQuery);
  return {
    address: address && address.source !== "DEFAULT",
    // Any value that is set counts, "capture" as well.
    way: transport && transport.source !== "DEFAULT",
    domain: overview?.firstSteps.domainVerified,
    next: overview?.firstSteps.mailSent,
  };
}
