// The answer for an accepted mail.
import { t } from "elysia";
import { emailAddressShape, idShape } from "../../../http/answer-shapes.ts";
import { reasonShape } from "../../../audience/suppressions/record.ts";
import type { MailContact } from "../door/request.ts";
import type { RecipientSkip } from "../door/suppressed.ts";
import type { SendOutcome } from "./send.ts";

export const acceptedShape = t.Object({ contact: t.Object({ id: idShape, email: emailAddressShape }), email: idShape });

export const skippedShape = t.Array(t.Object({ email: emailAddressShape, reason: reasonShape }), {
  description: "With `skipSuppressed`: who was left out, and why the address is suppressed. Otherwise it is not there.",
});

export type AcceptanceBody = {
  readonly emails: readonly (typeof acceptedShape.static)[];
  readonly group?: string;
  readonly skipped?: readonly Pick<RecipientSkip, "email" | "reason">[];
};

export function acceptedOf({ mails, group, skipped }: SendOutcome): AcceptanceBody {
  const emails = mails.map(({ contact, email }) => {
    const { id, email: address } = contact as MailContact;
    return { contact: { id, email: address }, email };
  });
  const leftOut = skipped && { skipped: skipped.map(({ email, reason }) => ({ email, reason })) };
  return { emails, ...(group === undefined ? {} : { group }), ...leftOut };
}
