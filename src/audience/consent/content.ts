// What a row of the ledger says.

/** What changed. `asked` … `expired`: of a double opt-in. `agreed`: to the wording of a form. */
export const CHANGES = [
  ...(["subscribed", "unsubscribed", "asked", "confirmed", "declined", "expired", "agreed"] as const),
  ...([
    "topic-joined",
    "topic-left",
    "topic-unsaid",
    "paused",
    "resumed",
    "suppressed",
    "unsuppressed",
    "merged",
    "unmerged",
    "erased",
  ] as const),
] as const;

/**
 * By which way. `public-key`: a site's own form. `form`: one of ours. `page`: where a mail's links lead. `one-click`: by
 * the button of a mail program. `provider`: at the provider that carries our mail. `clock`: a time was over.
 */
export const DOORS = [
  ...(["key", "public-key", "person", "import", "undo", "bulk", "form", "page", "one-click", "bounce"] as const),
  ...(["complaint", "soft-bounces", "provider", "workflow", "command-line", "clock", "system"] as const),
] as const;

export type ConsentChange = (typeof CHANGES)[number];
export type Door = (typeof DOORS)[number];

/** What a form said when somebody agreed to it. */
export type ConsentWording = { readonly version: number; readonly language: string; readonly text: string };

/** Facts of one kind of change. */
export type LedgerFacts = {
  /** Why an address is suppressed. */
  readonly reason?: string;
  /** Of a topic: its key. */
  readonly topic?: string;
  /** Why somebody is out of a topic who has signed up by a form, and was never in. */
  readonly passed?: "unticked" | "not-offered";
  /** Until when a pause or a suppression lasts. */
  readonly until?: string | null;
  /** What mail a suppression stops. */
  readonly scope?: string;
  /** The address of the contact that was merged. */
  readonly former?: string;
};

/** What is hashed: its text stays as it is once it is chained. */
export type LedgerContent = LedgerFacts & {
  readonly what: ConsentChange;
  readonly at: string;
  /** The address at that time. */
  readonly address?: string;
  /** Of an erased person: a keyed hash of the address, the numbers of the rows, and when everything was left. */
  readonly person?: string;
  readonly rows?: string;
  readonly unsubscribedAt?: string;
  /** Until it is chained. */
  readonly cause?: string | undefined;
  readonly door?: Door;
  /** Of the key set or the user, or of who began the job. */
  readonly by?: LedgerRef;
  /** `by` is a key set that began a job. */
  readonly byKey?: true;
  readonly job?: LedgerRef;
  readonly form?: LedgerRef;
  readonly workflow?: LedgerRef;
  readonly ip?: string;
  readonly userAgent?: string;
  readonly email?: string;
  readonly source?: string;
  readonly said?: string;
  /** The text is found by its digest. */
  readonly wording?: Pick<ConsentWording, "version" | "language"> & { readonly digest: string };
};

export type LedgerRef = { readonly id: string | null; readonly name: string | null };
