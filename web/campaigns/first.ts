// Whom a new campaign is from: as the one before or as the brand says, if their domain may send, else an address that
// may.
import { queryOptions } from "@tanstack/react-query";
import { brandQuery } from "../brand/calls.ts";
import { queries } from "../queries.ts";
import { domainsQuery } from "../set-up/domains/calls.ts";
import { domainIn, sendersOf } from "../set-up/senders-of.ts";
import { lastCampaignQuery } from "./calls.ts";

export type FirstSender = { readonly from: string; readonly fromName?: string };

/** Null: no domain may send yet. */
export async function firstSender(): Promise<FirstSender | null> {
  const [last, brand, domains] = await Promise.all([
    queries.fetchQuery(lastCampaignQuery),
    queries.fetchQuery(brandQuery),
    queries.fetchQuery(domainsQuery),
  ]);
  const may = domains.filter(({ verified }) => verified).map(({ domain }) => domain);
  for (const known of [last, brand])
    if (known?.from && may.includes(domainIn(known.from)))
      return { from: known.from, ...(known.fromName ? { fromName: known.fromName } : {}) };
  const [sender] = sendersOf(domains, null);
  return sender === undefined ? null : { from: `news@${domainIn(sender)}` };
}

/** Asked anew for each new campaign. */
export const firstSenderQuery = queryOptions({
  queryKey: ["campaigns", "first sender"],
  queryFn: firstSender,
  gcTime: 0,
});
