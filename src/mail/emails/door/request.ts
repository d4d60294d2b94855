// A request to the door: mails with one content, for one or more recipients.
import type { Mailbox } from "../../../base/addresses.ts";
import type { Variables } from "../../../audience/contacts/data.ts";
import type { Contact } from "../../../audience/contacts/queries.ts";
import type { SenderScope } from "../../../tenant/domains/domain.ts";
import type { MailContent, RequestOrigin } from "../content/queries.ts";
import type { RecipientRole, SourceType } from "../shape.ts";

/** Addresses, which become contacts; contacts; or an address that stays a stranger's, such as that of a test copy. */
export type To =
  | { readonly addresses: readonly Recipient[] }
  | { readonly contacts: readonly MailContact[] }
  | { readonly stranger: string };
/** `role`: in its group. */
export type Recipient = Mailbox & { readonly role?: RecipientRole };
export type MailContact = Pick<Contact, "seq" | "id" | "email" | "subscribed" | "topics" | "pausedUntil" | "data">;

export type MailRequest<Whom extends To = To> = {
  readonly sender: SenderScope;
  readonly sourceType: SourceType;
  /** What its mails say; or what `keepContent` answered. */
  readonly content: MailContent | { readonly kept: number };
  /** One mail each. */
  readonly to: Whom;
  /** The public id of a new group: these addresses get one message, rendered for the first of them. */
  readonly group?: string | undefined;
  /** The part of the request's data that is kept with each new contact. */
  readonly contactData?: Variables;
  /** The part of the request's data that this mail uses. */
  readonly variables?: Variables;
  readonly subscribed?: boolean | undefined;
  /** Who says so, as events have it. */
  readonly cause?: string | null | undefined;
  /** Not before this; null = at once. */
  readonly sendAtMs?: number | null;
  /** Other requests have the same content: it is stored once, and each mail has its own `variables`. */
  readonly shared?: true;
  /** A test copy: it needs no consent, and leaves ahead of marketing mail. */
  readonly test?: true;
  /** Whose data a test copy shows, in place of its recipient's. */
  readonly renderedFor?: MailContact;
  /** Its text is for the recipient alone: nobody else may read it. */
  readonly private?: true;
  /**
   * Transactional mail that the door takes whatever suppresses the address. `always`: it leaves, too; `later`: it is
   * skipped at the hand-over, so that nobody learns of it here.
   */
  readonly passesSuppressions?: "always" | "later" | undefined;
  /**
   * Those whose addresses are suppressed are left out, and the others get it; else one of them refuses the request.
   * `some`: it is refused if nobody is left.
   */
  readonly skipsSuppressed?: "some" | "all" | undefined;
  readonly origin?: RequestOrigin;
  /** The workflow that sends it. */
  readonly workflowId?: string;
  /** And its step. */
  readonly stepId?: string;
  /** The campaign that sends it. */
  readonly campaign?: { readonly seq: number; readonly id: string };
};
