// Opens and clicks of mails that have left (docs/tracking.md): simultaneous visits are recorded together.
import type { Tx } from "../../../store/store.ts";
import { isErased } from "../email.ts";
import { happenedToMail } from "../happened.ts";
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
  const told: (() => Promise<void>)[] = [];
  const changed = new Set<string>();
  for (const { emailId, link } of visits) {
    const mail = current.get(emailId);
    if (!mail || (link === null ? mail.opens : mail.clicks) >= MAX_VISITS) continue;
    const visited = link === null ? countOpen(tx, mail) : countClick(tx, mail, link);
    current.set(emailId, visited.mail);
    changed.add(emailId);
    told.push(visited.tell);
  }
  if (told.length === 0) return;
  for (const mail of mails)
    if (mail.isPerhaps && changed.has(mail.id) && (await setKnownSent(tx, mail.seq)) > 0)
      told.unshift(() => happenedToMail(tx, "email.sent", mail, { sentAt: tx.now }));
  await queries.setVisits(
    tx,
    mails.flatMap(({ id }) => (changed.has(id) ? (current.get(id) ?? []) : [])),
  );
  await Promise.all(told.map((tell) => tell()));
}

type CountedVisit = { readonly mail: VisitedMail; readonly tell: () => Promise<void> };

function countOpen(tx: Tx, mail: VisitedMail): CountedVisit {
  const [opens, openedAt] = [mail.opens + 1, mail.openedAt ?? tx.now];
  const isFirstOpen = opens === 1;
  const name = isFirstOpen ? "email.first-open" : "email.open";
  const tell = () => happenedToMail(tx, name, mail, { openedAt, opens, isFirstOpen });
  return { mail: { ...mail, opens, openedAt }, tell };
}

function countClick(tx: Tx, mail: VisitedMail, link: string): CountedVisit {
  const clicks = mail.clicks + 1;
  const isFirstClick = clicks === 1;
  const name = isFirstClick ? "email.first-click" : "email.click";
  const tell = () => happenedToMail(tx, name, mail, { link, clickedAt: tx.now, clicks, isFirstClick });
  return { mail: { ...mail, clicks, clickedAt: mail.clickedAt ?? tx.now }, tell };
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
