// What a report says of one recipient, in whichever form it came.
import type { Blame } from "../../emails/blame.ts";

export type RecipientReport = {
  /** As the report has it; null if it names no recipient. */
  readonly recipient: string | null;
  readonly action: "failed" | "delayed" | "delivered" | "relayed" | "expanded";
  /** RFC 3463; null if there is none. */
  readonly status: string | null;
  /** On one line, at most 500 characters; never empty. */
  readonly diagnostic: string;
  readonly blame: Blame;
};
