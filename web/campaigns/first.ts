// Whom a new campaign is from: as the one before, as the brand says, or an address at the first domain that may send.
import { queryOptions } from "@tanstack/react-query";
import { brandQuery } from "../brand/calls.ts";
import { queries } from "../queries.ts";
import { domainsQuery } from "../set-up/domains/calls.ts";
import { lastCampaignQuery } from "./calls.ts";

export type FirstSender = { readonly from: string; readonly fromName?: string };

/** Null: no domain may send yet. */
export async function firstSender(): Promise<FirstSender | null> {
  const [last, brand, domains] = await Promise.all([
    queries.fetchQuery(lastCampaignQuery),
    queries.fetchQuery(brandQuery),
    queries.fetchQuery(domainsQuery),
  ]);
  for (const known of [last, brand])
    if (known?.from) return { from: known.from, ...(known.fromName ? { fromName: known.fromName } : {}) };
  const verified = domains.find((one) => one.verified);
  return verified ? { from: `news@${verified.domain}` } : null;
}

/** Asked anew for each new campaign. */
export const firstSenderQuery = queryOptions({
  queryKey: ["campaigns", "first sender"],
  queryFn: firstSender,
  gcTime: 0,
});
