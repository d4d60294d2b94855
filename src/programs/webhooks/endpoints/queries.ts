// The SQL of endpoints.
import { CLOCK_IS_IN_DOUBT } from "../../../store/clock-queries.ts";
import { flag, json } from "../../../store/columns.ts";
import { sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { FormatName } from "../formats/table.ts";

export type Endpoint = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly url: string;
  readonly description: string | null;
  readonly format: FormatName;
  /** As they were given: `email.*`. */
  readonly events: readonly string[];
  /** The tags, one of which a sent email must have; none = all emails. */
  readonly tags: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Encrypted, as is the one before it. */
  readonly secret: string;
  readonly formerUntil: string | null;
  readonly enabled: boolean;
  readonly failingSince: string | null;
  /** When it was switched off because it had failed for days. */
  readonly offAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

type EndpointRow = Omit<Endpoint, "events" | "tags" | "headers" | "enabled"> & {
  readonly events: string;
  readonly tags: string | null;
  readonly headers: string;
  readonly enabled: 0 | 1;
};

const ENDPOINT = sql`seq, id, workspace, url, description, format, types as events, tags, headers, secret,
  former_until as "formerUntil", enabled, failing_since as "failingSince", off_at as "offAt", created_at as "createdAt", updated_at as "updatedAt"`;

function endpointOf(row: EndpointRow): Endpoint {
  const { events, tags, headers, enabled } = row;
  return { ...row, events: json(events), tags: tagsIn(tags), headers: json(headers), enabled: flag(enabled) };
}

function tagsIn(stored: string | null): string[] {
  return stored === null ? [] : json(stored);
}

function storedTags(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : JSON.stringify(tags);
}

async function oneEndpoint(row: Promise<EndpointRow | null>): Promise<Endpoint | null> {
  const found = await row;
  return found && endpointOf(found);
}

export async function endpointsOf(reader: Reader, workspace: number): Promise<Endpoint[]> {
  const rows = await reader.all<EndpointRow>`
    select ${ENDPOINT} from webhook_endpoints where workspace = ${workspace} and deleted_at is null order by seq`;
  return rows.map(endpointOf);
}

export function endpointById(reader: Reader, workspace: number, id: string): Promise<Endpoint | null> {
  return oneEndpoint(reader.get`
    select ${ENDPOINT} from webhook_endpoints where id = ${id} and workspace = ${workspace} and deleted_at is null`);
}

/** The tags of the endpoints among these that get some emails only. */
export async function tagsOf(reader: Reader, endpoints: readonly number[]): Promise<Map<number, string[]>> {
  const rows = await reader.all<{ seq: number; tags: string }>`
    select seq, tags from webhook_endpoints where ${reader.dialect.isAmong(sql`seq`, endpoints)} and tags is not null`;
  return new Map(rows.map(({ seq, tags }) => [seq, tagsIn(tags)]));
}

type EndpointSettings = Pick<Endpoint, "url" | "description" | "format" | "events" | "tags" | "headers" | "enabled">;
type NewEndpoint = EndpointSettings & Pick<Endpoint, "id" | "workspace" | "secret">;

export function insertEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<Endpoint | null> {
  const { id, workspace, url, description, format, events, tags, headers, secret, enabled } = endpoint;
  return oneEndpoint(tx.get`
    insert into webhook_endpoints (
      id, workspace, url, description, format, types, tags, headers, secret, enabled, created_at, updated_at)
    values (${id}, ${workspace}, ${url}, ${description}, ${format}, ${JSON.stringify(events)}, ${storedTags(tags)},
      ${JSON.stringify(headers)}, ${secret}, ${enabled ? 1 : 0}, ${tx.now}, ${tx.now})
    returning ${ENDPOINT}`);
}

/** A change by a person counts as a repair once the endpoint is switched on or gets another URL. */
export function updateEndpoint(tx: Tx, seq: number, settings: EndpointSettings, at: string): Promise<Endpoint | null> {
  const { url, description, format, events, tags, headers, enabled } = settings;
  return oneEndpoint(tx.get`
    update webhook_endpoints set url = ${url}, description = ${description}, format = ${format},
      types = ${JSON.stringify(events)}, tags = ${storedTags(tags)}, headers = ${JSON.stringify(headers)},
      updated_at = ${at},
      failing_since = case when enabled = ${enabled ? 1 : 0} and url = ${url} then failing_since end,
      off_at = case when enabled = ${enabled ? 1 : 0} then off_at end, enabled = ${enabled ? 1 : 0}
    where seq = ${seq} returning ${ENDPOINT}`);
}

export function setSecret(
  tx: Tx,
  seq: number,
  encrypted: string,
  { formerUntil }: { readonly formerUntil: string },
): Promise<Endpoint | null> {
  return oneEndpoint(tx.get`
    update webhook_endpoints set former_secret = secret, former_until = ${formerUntil}, secret = ${encrypted},
      updated_at = ${tx.now}
    where seq = ${seq} returning ${ENDPOINT}`);
}

/** Its deliveries are deleted later, piece by piece. */
export function setDeleted(tx: Tx, seq: number): Promise<number> {
  return tx.run`update webhook_endpoints set deleted_at = ${tx.now}, enabled = 0 where seq = ${seq}`;
}

/** A call got through. */
export function setMended(tx: Tx, seq: number): Promise<number> {
  return tx.run`
    update webhook_endpoints set failing_since = null where seq = ${seq} and failing_since is not null`;
}

export function setFailing(tx: Tx, seq: number): Promise<number> {
  return tx.run`update webhook_endpoints set failing_since = ${tx.now} where seq = ${seq} and failing_since is null`;
}

/** Guarded: 0 if it has not failed since then, or is off already. Nothing happens while the clock is in doubt. */
export function switchOff(tx: Tx, seq: number, failingSince: string): Promise<number> {
  return tx.run`
    update webhook_endpoints set enabled = 0, off_at = ${tx.now}
    where seq = ${seq} and enabled = 1 and failing_since <= ${failingSince} and not ${CLOCK_IS_IN_DOUBT}`;
}

/** Deletes some deliveries of an endpoint that was deleted, and it with the last of them; true if there may be more. */
export async function deleteSome(tx: Tx, most: number): Promise<boolean> {
  const row = await tx.get<{ seq: number }>`
    select seq from webhook_endpoints where deleted_at is not null order by deleted_at limit 1${tx.dialect.skipLocked}`;
  if (!row) return false;
  const deleted = await tx.run`
    delete from webhook_deliveries where seq in (
      select seq from webhook_deliveries where endpoint = ${row.seq} order by id limit ${most})`;
  if (deleted < most) await tx.run`delete from webhook_endpoints where seq = ${row.seq}`;
  return true;
}

/** As by hand, all of a workspace. */
export function switchAllOff(tx: Tx, workspace: number): Promise<number> {
  return tx.run`update webhook_endpoints set enabled = 0 where workspace = ${workspace}`;
}
