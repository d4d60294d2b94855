// The filters of the list of emails. They are in the URL, named as in GET /emails; `since` and `until` may also be
// "7d", and `metadata` is "key=value".

const FILTERS = [
  ...([
    "search",
    "status",
    "held",
    "retrying",
    "scheduled",
    "keyId",
    "sourceType",
    "campaignId",
    "templateId",
  ] as const),
  ...([
    "workflowId",
    "stepId",
    "contactId",
    "domain",
    "tag",
    "metadata",
    "provider",
    "way",
    "reason",
    "failedSince",
    "happened",
  ] as const),
  ...(["since", "until"] as const),
] as const;

export type MailFilter = (typeof FILTERS)[number];
export type MailFilters = { readonly [Name in MailFilter]?: string };
export type MailSearch = MailFilters & { readonly tab?: string | undefined };

/** Parses the search parameters and drops unknown ones. */
export function mailSearch(given: Readonly<Record<string, unknown>>): MailSearch {
  const known = [...FILTERS, "tab"].flatMap((name) => (given[name] ? [[name, String(given[name])]] : []));
  return Object.fromEntries(known) as MailSearch;
}

export function filtersIn({ tab: _, ...filters }: MailSearch): MailFilters {
  return filters;
}
