// The recipients of a campaign as a file, some at a time.
import { guarded } from "../../../audience/csv/cell.ts";
import { csvLine } from "../../../audience/csv/syntax.ts";
import type { Store } from "../../../store/store.ts";
import type { Campaign } from "../queries.ts";
import { recipientRecord } from "../recipients/recipient-record.ts";
import type { RecipientFilter } from "./queries.ts";
import { listRecipients } from "./recipients.ts";

const RECIPIENTS_A_BATCH = 500;

const COLUMNS = [
  ...(["email", "state", "reason", "refusal", "contactId", "emailId", "queuedAt", "sentAt", "deliveredAt"] as const),
  ...(["openedAt", "clickedAt", "bouncedAt", "bounceType", "complainedAt", "unsubscribedAt", "failedAt"] as const),
  ...(["skippedAt", "cancelledAt", "leftTopicAt"] as const),
];

/** The lines of the file. An erased person has a line without an address. */
export async function* exportedRecipients(
  store: Store,
  campaign: Campaign,
  filter: RecipientFilter,
  search: string,
): AsyncGenerator<string> {
  yield csvLine([...COLUMNS]);
  for (let cursor: string | null = null; ;) {
    const terms = { limit: RECIPIENTS_A_BATCH, cursor, search };
    const page = await listRecipients(store, campaign, filter, terms);
    const records = page.recipients.map((one) => recipientRecord(one, campaign));
    if (records.length > 0)
      yield records.map((one) => csvLine(COLUMNS.map((column) => guarded(one[column] ?? "")))).join("");
    if (page.cursor === null) return;
    cursor = page.cursor;
  }
}
