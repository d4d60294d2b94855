// A message in a bounce mailbox: what it is, which mails of ours it may be about, and to whom it was delivered. No
// server said so to us, so all of it stands in the message. Knows no store.
import addressparser from "nodemailer/lib/addressparser";
import { parseAddress } from "../../../base/addresses.ts";
import { fieldsIn, takenApart, valueIn } from "../../../content/mime/message-bytes.ts";
import { marksIn, UUID, type MailMarks } from "./complaint.ts";
import { readNotice, type DeliveryNotice } from "./notice.ts";

export type ReturnedMessage = {
  /** Null: it is no report. */
  readonly marks: MailMarks | null;
  /** '' = the null sender. The author, if the server of the mailbox does not say: an unknown one proves no server. */
  readonly sender: string | null;
  /** The addresses it was delivered to, and then those it names: the first list with an address of ours counts. */
  readonly recipients: readonly (readonly string[])[];
};

const REPORTS: readonly DeliveryNotice["kind"][] = ["bounce", "unexplained", "delivered", "delayed", "complaint"];

/** Reports answer the mail that they are about, some servers with nothing else of it. */
const ANSWERED = new RegExp(`^(?:in-reply-to|references|x-ms-exchange-parent-message-id):\\s*<${UUID}@`, "gim");

const DELIVERED = /^(delivered-to|x-original-to|envelope-to|x-envelope-to|x-delivered-to)$/;
const NAMED = /^(to|cc|bcc|resent-to)$/;
const MOST_ADDRESSES = 50;

/** Never throws. */
export async function readReturned(raw: Buffer): Promise<ReturnedMessage> {
  const { header } = takenApart(raw);
  const fields = fieldsIn(header).map((field) => ({
    name: field
      .slice(0, Math.max(0, field.indexOf(":")))
      .trim()
      .toLowerCase(),
    value: valueIn(field),
  }));
  const [path, author] = ["return-path", "from"].map((wanted) => fields.find(({ name }) => name === wanted));
  const [sender = path ? "" : null] = addressesIn([(path ?? author)?.value ?? ""]);
  const recipients = [DELIVERED, NAMED].map((names) =>
    addressesIn(fields.filter(({ name }) => names.test(name)).map(({ value }) => value)),
  );
  const notice = await readNotice(raw, { addressees: [], sender });
  if (!REPORTS.includes(notice.kind)) return { marks: null, sender, recipients };
  const marks = await marksIn(raw);
  const answered = [...header.matchAll(ANSWERED)].map(([, id = ""]) => id.toLowerCase());
  const named = notice.recipients.flatMap(({ recipient }) => parseAddress(recipient ?? "") ?? []);
  return {
    marks: { ...marks, ids: [...marks.ids, ...answered], recipients: [...marks.recipients, ...named] },
    sender,
    recipients,
  };
}

function addressesIn(values: readonly string[]): string[] {
  const named = values.flatMap((value) => addressparser(value, { flatten: true }));
  const addresses = named.flatMap(({ address }) => parseAddress(address ?? "") ?? []);
  return [...new Set(addresses)].slice(0, MOST_ADDRESSES);
}
