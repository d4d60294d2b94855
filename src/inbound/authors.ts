// Who a message says has written it: every mailbox of every field From (RFC 5322 §3.6.2).
import addressparser from "nodemailer/lib/addressparser";
import { parseAddress } from "../addresses.ts";
import { takenApart } from "../emails/mime/message-bytes.ts";
import { headerFields } from "./header-fields.ts";

/**
 * One for each mailbox, in the form that `parseAddress` answers; null for what is no address that mail can go to, for one in a
 * group, and for a field without any. The first counts as the sender; of several, a signature may cover one and a reader show another, so DMARC fails.
 */
export function authorsOf(raw: Buffer): readonly (string | null)[] {
  const fields = headerFields(takenApart(raw).header).filter(({ name }) => name === "from");
  return fields.flatMap((field) => {
    const value = Buffer.from(field.raw.slice(field.raw.indexOf(":") + 1), "latin1").toString("utf8");
    const mailboxes = addressparser(value.replace(/\r\n/g, "")).flatMap((one) =>
      one.group ? one.group.map(() => null) : parseAddress(one.address),
    );
    return mailboxes.length === 0 ? [null] : mailboxes;
  });
}
