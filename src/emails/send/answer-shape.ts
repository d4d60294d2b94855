// What is answered of a mail that was accepted.
import { t } from "elysia";
import { emailAddressShape, idShape } from "../../http/answer-shapes.ts";
import type { Addressee } from "../door/request.ts";
import type { Sent } from "./send.ts";

export const acceptedShape = t.Object({ contact: t.Object({ id: idShape, email: emailAddressShape }), email: idShape });

export type Accepted = { readonly emails: readonly (typeof acceptedShape.static)[]; readonly group?: string };

export function acceptedOf({ mails, group }: Sent): Accepted {
  const emails = mails.map(({ contact, email }) => {
    const { id, email: address } = contact as Addressee;
    return { contact: { id, email: address }, email };
  });
  return group === undefined ? { emails } : { emails, group };
}
