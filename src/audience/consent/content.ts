// The content of a row of the ledger.
import type { LedgerChange } from "../../tenant/events/catalog.ts";

/**
 * The way a change came in. `public-key`: a site's own form. `form`: one of our forms. `page`: a page that a mail links
 * to. `one-click`: the button of a mail program. `provider`: the provider that carries our mail. `clock`: a term ended.
 */
export const DOORS = [
  ...(["key", "public-key", "person", "import", "undo", "bulk", "form", "page", "one-click", "bounce"] as const),
  ...(["complaint", "soft-bounces", "provider", "workflow", "command-line", "clock", "system"] as const),
] as const;

export type Door = (typeof DOORS)[number];

/** The wording of a form that a person agreed to. */
export type ConsentWording = { readonly version: number; readonly language: string; readonly text: string };

/** Facts that only some kinds of change have. */
export type LedgerFacts = {
  /** The reason for a suppression. */
  readonly reason?: string;
  /** The key of a topic. */
  readonly topic?: string;
  /** Why a person who signed up by a form did not join a topic. */
  readonly passed?: "unticked" | "not-offered";
  /** The end of a pause or a suppression. */
  readonly until?: string | null;
  /** The mail that a suppression stops. */
  readonly scope?: string;
  /** The address of the contact that was merged. */
  readonly former?: string;
};

/** The hashed content of a row: its text never changes once the row is chained. */
export type LedgerContent = LedgerFacts & {
  readonly what: LedgerChange;
  readonly at: string;
  /** The address at the time of the change. */
  readonly address?: string | undefined;
  /** For an erased person: a keyed hash of the address, the numbers of the rows, and the time of unsubscribing. */
  readonly person?: string;
  readonly rows?: string;
  readonly unsubscribedAt?: string;
  /** Only until the row is chained. */
  readonly cause?: string | undefined;
  readonly door?: Door | undefined;
  /** The key set or user, or the author of the job. */
  readonly by?: LedgerRef;
  /** `by` is a key set that began a job. */
  readonly byKey?: true;
  readonly job?: LedgerRef;
  readonly form?: LedgerRef | undefined;
  readonly workflow?: LedgerRef | undefined;
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly email?: string | undefined;
  readonly source?: string | undefined;
  readonly said?: string | undefined;
  /** `digest` finds the text. */
  readonly wording?: (Pick<ConsentWording, "version" | "language"> & { readonly digest: string }) | undefined;
};

export type LedgerRef = { readonly id: string | null; readonly name: string | null };
