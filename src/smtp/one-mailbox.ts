// From and Reply-To: whose mail it is, as readers see it.
import { isDisplayName, parseMailbox, type Mailbox } from "../addresses.ts";
import { addressTokens, inside } from "../emails/mime/address-tokens.ts";
import { decodedWords } from "../emails/mime/encoded-words.ts";

/**
 * The one mailbox of a field (RFC 5322 §3.4), its name before the address or, as in `ada@example.test (Ada)`, in a comment
 * behind it; null if it is anything else. A name that cannot be shown is none.
 */
export function oneMailbox(value: string): Mailbox | null {
  const tokens = addressTokens(value);
  if (tokens === null || tokens.some(({ kind }) => kind === "separator")) return null;
  const comment = tokens.find(({ kind }) => kind === "comment");
  const mailbox = parseMailbox(tokens.map(({ kind, text }) => (kind === "comment" ? " " : text)).join(""));
  if (mailbox === null) return null;
  const name = decodedWords(mailbox.name ?? (comment ? inside(comment).trim() : ""));
  return { address: mailbox.address, name: name !== "" && isDisplayName(name) ? name : null };
}
