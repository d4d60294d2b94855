// The search parameters of the list of suppressions.
export const REASONS = ["bounce", "complaint", "soft-bounces", "manual", "import", "erased"] as const;
export const DIALOGS = ["add", "import"] as const;
export type SuppressionReason = (typeof REASONS)[number];
/** `open`: the dialog that is open. */
export type SuppressionsSearch = {
  readonly search?: string;
  readonly reason?: SuppressionReason;
  readonly open?: "add" | "import";
};
