// Which attempts are listed: all, or those after which nothing more happens by itself.

export const OUTCOMES = ["all", "failed"] as const;
export type Outcome = (typeof OUTCOMES)[number];
