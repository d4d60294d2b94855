// Filters of the attempts: all, or those that have finally failed.

export const OUTCOMES = ["all", "failed"] as const;
export type DeliveryOutcome = (typeof OUTCOMES)[number];
