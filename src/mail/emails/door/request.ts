// A request to the door: mails with one content, for one or more recipients.
import type { Mailbox } from "../../../base/addresses.ts";
import type { Variables } from "../../../audience/contacts/data.ts";
import type { Contact } from "../../../audience/contacts/queries.ts";
import type { SenderScope } from "../../../tenant/domains/domain.ts";
import type { MailContent, RequestOrigin } from "../content/queries.ts";
import type { RecipientRole, SourceType } from "../shape.ts";

/** Addresses, which become contacts; contacts; or an address without a contact, such as that of a test copy. */
export type MailAddressees =
  | { readonly addresses: readonly Recipient[] }
  | { readonly contacts: readonly MailContact[] }
  | { readonly stranger: string };
/** `role`: its role in a group. `variables`: those of this recipient alone, over the contact's data. */
export type Recipient = Mailbox & { readonly role?: RecipientRole; readonly variables?: Variables };
export type MailContact = Pick<Contact, "seq" | "id" | "email" | "subscribed" | "topics" | "pausedUntil" | "data">;

export type MailRequest<Whom extends MailAddressees = MailAddressees> = {
  readonly sender: SenderScope;
  readonly sourceType: SourceType;
  /** The content, or the seq that `keepContent` answered. */
  readonly content: MailContent | { readonly kept: number };
  /** Each gets one mail. */
  readonly to: Whom;
  /** The public id of a new group: these addresses get one message, rendered for the first of them. */
  readonly group?: string | undefined;
  /** The part of the request's data that is stored with each new contact. */
  readonly contactData?: Variables;
  /** The part of the request's data that this mail uses. */
  readonly variables?: Variables;
  readonly subscribed?: boolean | undefined;
  /** The cause, as events name it. */
  readonly cause?: string | null | undefined;
  /** The earliest time of sending; null = immediately. */
  readonly sendAtMs?: number | null;
  /** Other requests have the same content: it is stored once, and each mail has its own `variables`. */
  readonly shared?: true;
  /** A test copy: it needs no consent, and leaves ahead of marketing mail. */
  readonly test?: true;
  /** The contact whose data a test copy shows, instead of its recipient's. */
  readonly renderedFor?: MailContact;
  /** Its text is for the recipient alone: no other person may read it. */
  readonly private?: true;
  /**
   * Transactional mail that the door accepts even for a suppressed address. `always`: it leaves, too; `later`: it is
   * skipped at the hand-over, so that the answer here does not reveal the suppression.
   */
  readonly passesSuppressions?: "always" | "later" | undefined;
  /**
   * Suppressed addresses are left out, and the others get the mail; else a single one refuses the request. `some`: the
   * request is refused if no recipient is left.
   */
  readonly skipsSuppressed?: "some" | "all" | undefined;
  readonly origin?: RequestOrigin;
  /** The workflow that sends it. */
  readonly workflowId?: string;
  /** The step of that workflow. */
  readonly stepId?: string;
  /** The campaign that sends it. */
  readonly campaign?: { readonly seq: number; readonly id: string };
};
