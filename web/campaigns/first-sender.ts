// The sender of a new campaign: from the last campaign or the brand if the domain is verified, else at another verified
// domain.
import { queryOptions } from "@tanstack/react-query";
import { brandQuery } from "../brand/calls.ts";
import { queries } from "../calls/queries.ts";
import { domainsQuery } from "../settings/domains/calls.ts";
import { domainIn, sendersOf } from "../settings/senders-of.ts";
import { lastCampaignQuery } from "./calls.ts";

export type FirstSender = { readonly from: string; readonly fromName?: string };

/** Null: no domain may send yet. */
export async function firstSender(): Promise<FirstSender | null> {
  const [last, brand, domains] = await Promise.all([
    queries.fetchQuery(lastCampaignQuery),
    queries.fetchQuery(brandQuery),
    queries.fetchQuery(domainsQuery),
  ]);
  const usable = domains.filter(({ verified }) => verified).map(({ domain }) => domain);
  for (const known of [last, brand])
    if (known?.from && usable.includes(domainIn(known.from)))
      return { from: known.from, ...(known.fromName ? { fromName: known.fromName } : {}) };
  const [sender] = sendersOf(domains, null);
  return sender === undefined ? null : { from: `news@${domainIn(sender)}` };
}

/** Not cached: each new campaign reads the sender again. */
export const firstSenderQuery = queryOptions({
  queryKey: ["campaigns", "first sender"],
  queryFn: firstSender,
  gcTime: 0,
});
