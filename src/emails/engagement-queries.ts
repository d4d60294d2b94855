// The SQL of opens and clicks.
import type { Reader, Tx } from "../store/store.ts";
import type { EmailStatus, MailRow } from "./queries.ts";

/** What is told of a mail in its events. */
export type MailFacts = Pick<
  MailRow,
  | "seq"
  | "id"
  | "workspace"
  | "contact"
  | "contact_email"
  | "to_address"
  | "source_type"
  | "rendered_subject"
  | "subject"
  | "from_address"
  | "from_name"
  | "template_id"
  | "campaign_id"
  | "message_id"
>;

/** For signed tokens, which name the mail alone. */
export function mailFacts(reader: Reader, id: string): Promise<MailFacts | null> {
  return reader.get<MailFacts>`
    select e.seq, e.id, e.workspace, e.contact, p.email as contact_email, e.to_address, e.source_type, e.subject as rendered_subject, c.subject, c.from_address,
      c.from_name, c.template_id, c.message_id, k.id as campaign_id
    from emails e join contents c on c.seq = e.content left join contacts p on p.seq = e.contact
      left join campaigns k on k.seq = e.campaign
    where e.id = ${id}`;
}

type Opened = { readonly opens: number; readonly opened_at: string };

/** Null for a mail that has not left, or that has been opened `most` times. */
export function addOpen(tx: Tx, seq: number, most: number): Promise<Opened | null> {
  return tx.get<Opened>`
    update emails set opens = opens + 1, opened_at = coalesce(opened_at, ${tx.now})
    where seq = ${seq} and opens < ${most} and status not in (${NOT_LEFT[0]}, ${NOT_LEFT[1]}) returning opens, opened_at`;
}

type Clicked = { readonly clicks: number };

export function addClick(tx: Tx, seq: number, most: number): Promise<Clicked | null> {
  return tx.get<Clicked>`
    update emails set clicks = clicks + 1, clicked_at = coalesce(clicked_at, ${tx.now})
    where seq = ${seq} and clicks < ${most} and status not in (${NOT_LEFT[0]}, ${NOT_LEFT[1]}) returning clicks`;
}

/** A mail that is handed over may be opened before that is recorded; one that was never handed over cannot be. */
const NOT_LEFT: readonly [EmailStatus, EmailStatus] = ["QUEUED", "RECEIVED"];

export type MachineVisit = {
  readonly kind: "open" | "click";
  readonly at: string;
  readonly link: string | null;
};

/** Others who write of this mail wait until this transaction is over. Null if its person was erased. */
export function lockMail(tx: Tx, seq: number): Promise<{ seq: number } | null> {
  return tx.get`select seq from emails where seq = ${seq} and to_address <> ''${tx.dialect.forUpdate}`;
}

/** The mail must be locked. Answers 0 once there are `most`. */
export function insertMachineVisit(
  tx: Tx,
  email: number,
  { kind, link }: Omit<MachineVisit, "at">,
  most: number,
): Promise<number> {
  return tx.run`
    insert into machine_visits (email, number, kind, at, link)
    select ${email}, count(*) + 1, ${kind}, ${tx.now}, ${link} from machine_visits where email = ${email}
    having count(*) < ${most}`;
}

export function machineVisits(reader: Reader, email: number): Promise<MachineVisit[]> {
  return reader.all<MachineVisit>`select kind, at, link from machine_visits where email = ${email} order by number`;
}
