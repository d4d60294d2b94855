// The suppression of an address, checked at the door, before anything has changed.
import type { ContactLookup } from "../../../audience/contacts/upsert.ts";
import { AppError } from "../../../base/errors.ts";
import { against, isLiftedBySubscribing, standingOf, whySuppressed } from "../../../audience/suppressions/standing.ts";
import type { SuppressionReason, Suppression } from "../../../audience/suppressions/queries.ts";
import type { Tx } from "../../../store/store.ts";

export type SuppressionQuery = {
  readonly workspace: number;
  readonly email: string;
  readonly isMarketing: boolean;
  /** The mail subscribes the contact, which lifts most suppressions of its address. */
  readonly subscribes?: boolean;
};

type SuppressionClues = Pick<ContactLookup, "someSuppressed" | "someDomains" | "someErased"> & {
  readonly contact: Pick<NonNullable<ContactLookup["contact"]>, "email" | "suppressed" | "subscribed"> | null;
};

/** False: no suppression concerns the recipient. */
export function mayBeSuppressed({ contact, someSuppressed, someDomains }: SuppressionClues): boolean {
  return someSuppressed || someDomains || (contact !== null && contact.suppressed !== null);
}

/**
 * The suppression of the address; null = none. The lookup is skipped unless there may be one: for a suppressed contact,
 * for a new one, and where whole domains are suppressed.
 */
export async function suppressionOf(
  tx: Tx,
  bound: SuppressionQuery,
  known: SuppressionClues,
): Promise<Suppression | null> {
  const { contact, someSuppressed, someDomains, someErased } = known;
  const isPresent = contact?.email === bound.email;
  const own = await suppressionAt(tx, bound, known);
  // A suppression of the person also applies to mail to a former address.
  if (own !== null || contact === null || isPresent || contact.suppressed === null) return own;
  return suppressionAt(tx, { ...bound, email: contact.email }, { contact, someSuppressed, someDomains, someErased });
}

async function suppressionAt(tx: Tx, bound: SuppressionQuery, known: SuppressionClues): Promise<Suppression | null> {
  const { someSuppressed, someDomains, someErased } = known;
  const contact = known.contact?.email === bound.email ? known.contact : null;
  if (!someDomains && (contact ? contact.suppressed === null : !someSuppressed)) return null;
  const { own, domain } = await standingOf(tx, { ...bound, someDomains, someErased });
  const subscribes = bound.subscribes === true && known.contact?.subscribed !== true;
  const isLifted = subscribes && (known.contact === null || contact !== null);
  const stays = isLifted ? own.filter((one) => !isLiftedBySubscribing(one.former ?? one.reason)) : own;
  return against({ own: stays, domain }, bound.isMarketing);
}

/**
 * An erased person leaves only a hash, which no list contains: the suppression is lifted when the address comes back.
 */
const ONCE_MORE =
  'If the person wants email again, create the contact (POST /contacts), and lift its suppression with "suppressed": false (PATCH /contacts/{id}). No list shows it.';

/** A recipient left out of a request that skips suppressed addresses. */
export type RecipientSkip = {
  readonly email: string;
  readonly reason: SuppressionReason;
  /** The id of the contact with the address; null = none. */
  readonly contact: string | null;
};

/** An address, and its suppression. */
type SuppressionHit = { readonly email: string; readonly by: Suppression };

const SKIP = 'send "skipSuppressed": true: the others then get the email.';

/** `those`: all suppressed addresses of a request, at least one. `asked`: the number of addresses in it. */
export function suppressed(those: readonly SuppressionHit[], asked = those.length): AppError {
  const message = those.map(({ email, by }) => `${email}: ${whySuppressed(by)}`).join(" ");
  const [first] = those as readonly [SuppressionHit];
  if (those.length > 1) {
    const emails = those.map(({ email }) => email).join(", ");
    return new AppError("RECIPIENT_SUPPRESSED", message, {
      reason: "several_suppressed",
      values: { emails },
      suggestion: `Leave them out, or ${SKIP}`,
    });
  }
  const values = { email: first.email, why: whySuppressed(first.by) };
  if (first.by.kind === "hash")
    return new AppError("RECIPIENT_SUPPRESSED", message, {
      reason: "suppressed_erased",
      values,
      suggestion: asked > 1 ? `Leave it out, or ${SKIP} ${ONCE_MORE}` : ONCE_MORE,
    });
  const leave = asked > 1 ? { suggestion: `Leave it out, or ${SKIP}` } : {};
  return new AppError("RECIPIENT_SUPPRESSED", message, { reason: "suppressed", values, ...leave });
}
