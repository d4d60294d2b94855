// The lists that have saved views.

/** Beside that of mails; each with a filter of its own. */
export const OTHER_LISTS = ["people", "campaigns", "events"] as const;
export type ListName = "mails" | (typeof OTHER_LISTS)[number];
