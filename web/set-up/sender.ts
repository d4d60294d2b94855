// An address to send from: of a domain that may.
import type { components } from "../api.gen.ts";
import { domainsQuery } from "./domains/calls.ts";

type Domain = Pick<components["schemas"]["Domain"], "domain" | "verified">;

const LOCAL_PART = "hello";

export function sendersOf(domains: readonly Domain[]): string[] {
  return domains.filter(({ verified }) => verified).map(({ domain }) => `${LOCAL_PART}@${domain}`);
}

/** Of all verified domains. */
export const sendersQuery = { ...domainsQuery, select: sendersOf, throwOnError: false } as const;

/** One that is no better than an example where no domain is verified. */
export function senderFor(domains: readonly Domain[]): string {
  return sendersOf(domains)[0] ?? `${LOCAL_PART}@${domains[0]?.domain ?? "example.com"}`;
}
