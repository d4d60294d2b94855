// The SQL of deliveries to endpoints.
import { C_PRESENT } from "../../../audience/contacts/queries.ts";
import { json } from "../../../store/columns.ts";
import { sqlList, sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { FormatName } from "../formats/table.ts";

/** The deliveries among these that may be sent: of an enabled endpoint, or sent by hand. */
export async function admitted(reader: Reader, deliveries: readonly number[]): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`
    select d.seq from webhook_deliveries d join webhook_endpoints p on p.seq = d.endpoint
    where d.seq in (${sqlList(deliveries)}) and p.deleted_at is null and (p.enabled = 1 or d.by_hand = 1)`;
  return rows.map(({ seq }) => seq);
}

export function cancelDue(tx: Tx, deliveries: readonly number[]): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = 'CANCELLED', due_at = null
    where seq in (${sqlList(deliveries)}) and due_at is not null and due_at <= ${tx.now}`;
}

export type EndpointCall = {
  readonly seq: number;
  /** The id of the event. */
  readonly id: string;
  readonly type: string;
  /** JSON text. */
  readonly data: string;
  readonly createdAt: string;
  readonly workspaceId: string;
  readonly endpoint: number;
  readonly url: string;
  readonly format: FormatName;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
  readonly formerSecret: string | null;
  readonly formerUntil: string | null;
  readonly failingSince: string | null;
};

/** Without calls about people who are being erased: they are deleted with them. */
export async function endpointCalls(reader: Reader, deliveries: readonly number[]): Promise<EndpointCall[]> {
  const rows = await reader.all<Omit<EndpointCall, "headers"> & { readonly headers: string }>`
    select d.seq, e.id, e.type, e.data, e.created_at as "createdAt", w.id as "workspaceId", p.seq as endpoint, p.url,
      p.format, p.headers, p.secret, p.former_secret as "formerSecret", p.former_until as "formerUntil",
      p.failing_since as "failingSince"
    from webhook_deliveries d
    join webhook_endpoints p on p.seq = d.endpoint
    join webhook_events e on e.seq = d.event
    join workspaces w on w.seq = d.workspace
    left join contacts c on c.seq = e.contact
    where d.seq in (${sqlList(deliveries)}) and (e.contact is null or ${C_PRESENT})`;
  return rows.map((row) => ({ ...row, headers: json(row.headers) }));
}

type DeliveryState = "DUE" | "CALLING" | "DELIVERED" | "FAILED" | "CANCELLED";

export type ListedDelivery = {
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly state: DeliveryState;
  readonly attemptCount: number;
  readonly dueAt: string | null;
  readonly lastAt: string | null;
  readonly status: number | null;
  readonly durationMs: number | null;
};

const LISTED = sql`d.seq, d.id, e.type, e.created_at as "createdAt", d.state, d.attempts as "attemptCount", d.due_at as "dueAt",
  a.at as "lastAt", a.status, a.duration_ms as "durationMs"`;
const JOINED = sql`
  join webhook_events e on e.seq = d.event
  left join contacts c on c.seq = e.contact
  left join webhook_attempts a on a.delivery = d.seq and a.number = d.attempts`;

type DeliveryFilter = { readonly endpoint: number; readonly failed: boolean; readonly before: string | null };

/** Newest events first. */
export function deliveriesOf(
  reader: Reader,
  { endpoint, failed, before }: DeliveryFilter,
  limit: number,
): Promise<ListedDelivery[]> {
  const only = failed ? sql` and d.state = 'FAILED'` : sql``;
  const older = before === null ? sql`` : sql` and d.id < ${before}`;
  return reader.all<ListedDelivery>`
    select ${LISTED} from webhook_deliveries d ${JOINED}
    where d.endpoint = ${endpoint}${only}${older} and (e.contact is null or ${C_PRESENT}) order by d.id desc limit ${limit}`;
}

export type FoundDelivery = ListedDelivery & {
  readonly contactId: string | null;
  /** JSON text. */
  readonly data: string;
};

export function deliveryById(reader: Reader, endpoint: number, id: string): Promise<FoundDelivery | null> {
  return reader.get<FoundDelivery>`
    select ${LISTED}, c.id as "contactId", e.data from webhook_deliveries d ${JOINED}
    where d.endpoint = ${endpoint} and d.id = ${id} and (e.contact is null or ${C_PRESENT})`;
}

/** Sends a settled delivery again, or a waiting one now, with a new retry schedule. */
export function setSentAgain(tx: Tx, delivery: number, maxAttempts: number): Promise<number> {
  return tx.run`
    update webhook_deliveries set state = 'DUE', due_at = ${tx.now}, tries = 0, by_hand = 1
    where seq = ${delivery} and state <> 'CALLING' and attempts < ${maxAttempts}`;
}

/** For an event sent to one endpoint alone, by hand. */
export function insertDelivery(tx: Tx, event: number, endpoint: number): Promise<number> {
  return tx.run`
    insert into webhook_deliveries (id, workspace, endpoint, event, origin, state, due_at, by_hand)
    select id, workspace, ${endpoint}, seq, ${`endpoint ${endpoint}`}, 'DUE', ${tx.now}, 1 from webhook_events
    where seq = ${event}`;
}
