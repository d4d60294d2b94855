// Opens and clicks of mails that have left (docs/tracking.md): simultaneous visits are recorded together.
import { emitAll, type NewEvent } from "../../../tenant/events/emit.ts";
import { countMail } from "../../statistics/counting.ts";
import type { Tx } from "../../../store/store.ts";
import { eventAbout, isErased } from "../email.ts";
import { setKnownSent } from "../soft-bounces/feedback-queries.ts";
import * as queries from "../visit-queries.ts";
import type { VisitedMail } from "../visit-queries.ts";

export type MailVisit = {
  /** Public id of the mail. */
  readonly emailId: string;
  /** The link that was followed; null = the pixel was fetched. */
  readonly link: string | null;
  readonly isMachine: boolean;
};

/** Further opens, or clicks, of a mail are not counted. */
const MAX_VISITS = 1_000;
const MAX_MACHINE_VISITS = 100;

/**
 * Counts the visits, in order. Each open and click of a person emits email.open or email.click with the total so far; a
 * machine's visit is recorded and emits nothing. Visits to a mail that is gone or of an erased person are ignored, and
 * a person's visits to a mail that has not left yet; a visit to one that was perhaps delivered makes it SENT. Answers
 * null for each: visitors get no result.
 */
export async function recordVisits(tx: Tx, visits: readonly MailVisit[]): Promise<null[]> {
  const ids = visits.map(({ emailId }) => emailId);
  const mails = (await queries.lockVisited(tx, ids)).filter((mail) => !isErased(mail));
  await recordMachines(
    tx,
    visits.filter(({ isMachine }) => isMachine),
    mails,
  );
  await countPeople(
    tx,
    visits.filter(({ isMachine }) => !isMachine),
    mails.filter(({ hasLeft }) => hasLeft),
  );
  return visits.map(() => null);
}

async function countPeople(tx: Tx, visits: readonly MailVisit[], mails: readonly VisitedMail[]): Promise<void> {
  const current = new Map(mails.map((mail) => [mail.id, mail]));
  const events: NewEvent[] = [];
  const changed = new Set<string>();
  for (const { emailId, link } of visits) {
    const mail = current.get(emailId);
    if (!mail || (link === null ? mail.opens : mail.clicks) >= MAX_VISITS) continue;
    if ((link === null ? mail.opens : mail.clicks) === 0) countMail(tx, link === null ? "opened" : "clicked", mail);
    const visited = link === null ? opened(tx, mail) : clicked(tx, mail, link);
    current.set(emailId, visited.mail);
    changed.add(emailId);
    events.push(visited.event);
  }
  if (events.length === 0) return;
  for (const mail of mails)
    if (mail.isPerhaps && changed.has(mail.id) && (await setKnownSent(tx, mail.seq)) > 0) {
      countMail(tx, "sent", mail);
      events.unshift(eventAbout(mail, "email.sent", { sentAt: tx.now }));
    }
  await queries.setVisits(
    tx,
    mails.flatMap(({ id }) => (changed.has(id) ? (current.get(id) ?? []) : [])),
  );
  await emitAll(tx, events);
}

type VisitEvent = { readonly mail: VisitedMail; readonly event: NewEvent };

function opened({ now }: Tx, mail: VisitedMail): VisitEvent {
  const [opens, openedAt] = [mail.opens + 1, mail.openedAt ?? now];
  const event = eventAbout(mail, "email.open", { openedAt, opens, isFirstOpen: opens === 1 });
  return { mail: { ...mail, opens, openedAt }, event };
}

function clicked({ now }: Tx, mail: VisitedMail, link: string): VisitEvent {
  const clicks = mail.clicks + 1;
  const event = eventAbout(mail, "email.click", { link, clickedAt: now, clicks, isFirstClick: clicks === 1 });
  return { mail: { ...mail, clicks, clickedAt: mail.clickedAt ?? now }, event };
}

async function recordMachines(tx: Tx, visits: readonly MailVisit[], mails: readonly VisitedMail[]): Promise<void> {
  if (visits.length === 0 || mails.length === 0) return;
  const seqs = new Map(mails.map(({ id, seq }) => [id, seq]));
  const made = new Map(await queries.countMachineVisits(tx, [...seqs.values()]));
  const rows: queries.NewMachineVisit[] = [];
  for (const { emailId, link } of visits) {
    const email = seqs.get(emailId);
    const number = ((email && made.get(email)) ?? 0) + 1;
    if (email === undefined || number > MAX_MACHINE_VISITS) continue;
    made.set(email, number);
    rows.push({ email, number, kind: link === null ? "open" : "click", at: tx.now, link });
  }
  await queries.insertMachineVisits(tx, rows);
}
