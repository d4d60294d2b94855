// Which steps of a first start are done: read from the server, so it is the same in every browser.
import { useQuery } from "@tanstack/react-query";
import { overviewQuery } from "../overview/calls.ts";
import { configurationQuery } from "../settings/server/configuration-calls.ts";
import type { FirstStartStep } from "./step-names.ts";

/** The server may be restarted with another file at any moment. */
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

/** Undefined while it is not known. */
export function useDone(): Readonly<Record<FirstStartStep, boolean | undefined>> {
  const address = useSetting(ADDRESS);
  const transport = useSetting(TRANSPORT);
  const { data: overview } = useQuery(overviewQuery);
  return {
    address: address && address.source !== "DEFAULT",
    // A file that sets it decides, also if it says "capture".
    way: transport && transport.source !== "DEFAULT",
    domain: overview?.firstSteps.domainVerified,
    next: overview?.firstSteps.mailSent,
  };
}
