// The simulated fate of mail to simulator addresses, recorded by the same verbs as a real one.
import type { Tx } from "../../../store/store.ts";
import { keptContent } from "../content/queries.ts";
import { findLeftMail, markComplained, markDelivered, markReturned } from "./feedback.ts";
import { fateOf, SIMULATED_AT } from "../health/simulated-addresses.ts";
import type { MailToSend } from "../queries.ts";
import { recordVisits } from "./visits.ts";

const NO_MAILBOX = { reason: "550 5.1.1 Simulated: there is no such mailbox", byCarrier: false };
const MAILBOX_FULL = { reason: "452 4.2.2 Simulated: the mailbox is full", byCarrier: false };

/** The events after the mail was accepted. Opens and clicks follow only if they are tracked. */
export async function playFate(tx: Tx, { id, toAddress, tracking, content }: MailToSend): Promise<void> {
  const fate = fateOf(toAddress);
  if (fate === null) return;
  const mail = await findLeftMail(tx, id);
  if (mail === null || mail === "early") return;
  if (fate === "bounced") return markReturned(tx, mail, NO_MAILBOX, "Permanent");
  if (fate === "soft-bounced") return markReturned(tx, mail, MAILBOX_FULL, "Transient");
  await markDelivered(tx, mail);
  if (fate === "complained") return markComplained(tx, mail);
  if (!tracking || (fate !== "opened" && fate !== "clicked")) return;
  const visit = { emailId: id, isMachine: false };
  const opened = { ...visit, link: null };
  if (fate === "opened") return void (await recordVisits(tx, [opened]));
  const link = firstLink((await keptContent(tx, content))?.html ?? "");
  await recordVisits(tx, [opened, { ...visit, link }]);
}

/** Unchanged from the content. */
function firstLink(html: string): string {
  return /\bhref=["'](https?:[^"']*)["']/i.exec(html)?.[1] ?? `https://${SIMULATED_AT}/`;
}
