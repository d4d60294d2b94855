// The search parameters of the screens of campaigns.
export const STATUSES = ["DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED"] as const;
export type CampaignStatus = (typeof STATUSES)[number];
/** `make`: the dialog for a new one is open. */
export type CampaignsSearch = { readonly search?: string; readonly status?: CampaignStatus; readonly make?: true };
export const TABS = ["write", "audience", "check", "results"] as const;
export type CampaignTab = (typeof TABS)[number];
/** Which number is open as a list of people. */
export type CampaignSearch = {
  readonly tab?: CampaignTab | undefined;
  readonly part?: string;
  readonly link?: string;
  readonly find?: string;
  readonly course?: string;
};
