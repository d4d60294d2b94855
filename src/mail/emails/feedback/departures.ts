// Unsubscriptions through a mail: from everything, or from its topic.
import type { Tx } from "../../../store/store.ts";
import { mailChanged } from "../happened.ts";
import { setLeftTopic, setUnsubscribed } from "../campaign-queries.ts";

/** The reader of this mail unsubscribed through it. */
export async function noteUnsubscribed(tx: Tx, id: string): Promise<void> {
  const mail = await setUnsubscribed(tx, id);
  if (mail) mailChanged(tx, "email.unsubscribed", mail);
}

/** The reader of this mail left its topic through it. */
export async function noteLeftTopic(tx: Tx, id: string): Promise<void> {
  const mail = await setLeftTopic(tx, id);
  if (mail) mailChanged(tx, "email.topic-left", mail);
}
