// What the list of mails is narrowed to. It lives in the address, in the words of GET /emails; `since` and `until` may
// be "7d" as well.

const FILTERS = [
  ...(["search", "status", "held", "retrying", "sourceType", "campaignId", "templateId"] as const),
  ...(["workflowId", "stepId", "contactId", "domain", "provider", "reason", "failedSince", "happened"] as const),
  ...(["since", "until"] as const),
] as const;

export type FilterName = (typeof FILTERS)[number];
export type Filters = { readonly [Name in FilterName]?: string };
export type MailSearch = Filters & { readonly tab?: string };

/** What an address says; what it says of other things is left out. */
export function mailSearch(given: Readonly<Record<string, unknown>>): MailSearch {
  const known = [...FILTERS, "tab"].flatMap((name) => (given[name] ? [[name, String(given[name])]] : []));
  return Object.fromEntries(known) as MailSearch;
}

export function filtersIn({ tab: _, ...filters }: MailSearch): Filters {
  return filters;
}
