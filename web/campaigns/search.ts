// The search parameters of the screens of campaigns.
export const STATUSES = ["DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED"] as const;
export type CampaignStatus = (typeof STATUSES)[number];
/** `make`: the dialog for a new campaign is open. */
export type CampaignsSearch = { readonly search?: string; readonly status?: CampaignStatus; readonly make?: true };
export const TABS = ["write", "audience", "check", "results"] as const;
export type CampaignTab = (typeof TABS)[number];
/** `part`, `link`: the number whose people are listed. `find`: their search. `course`: the kind in the chart. */
export type CampaignSearch = {
  readonly tab?: CampaignTab | undefined;
  readonly part?: string;
  readonly link?: string;
  readonly find?: string;
  readonly course?: string;
};
