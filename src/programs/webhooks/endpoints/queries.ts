// The SQL of endpoints.
import { CLOCK_IS_IN_DOUBT } from "../../../store/clock-queries.ts";
import { column, only, TableRows, type RecordOf, type RowOf } from "../../../store/columns.ts";
import { sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { FormatName } from "../formats/table.ts";

const TAGS = column.mayBeEmpty<readonly string[]>(() => []);
/** The columns that people set. */
const SETTINGS = {
  url: column.text(),
  description: column.orNull(column.text()),
  format: column.oneOf<FormatName>(),
  /** As they were given: `email.*`. */
  events: column.named("types", column.json<readonly string[]>()),
  /** The tags, one of which a sent email must have; none = all emails. */
  tags: TAGS,
  headers: column.json<Readonly<Record<string, string>>>(),
  enabled: column.flag(),
};
const ROWS = new TableRows("webhook_endpoints", {
  ...SETTINGS,
  seq: column.number(),
  id: column.text(),
  workspace: column.number(),
  /** Encrypted, as is the one before it. */
  secret: column.text(),
  formerUntil: column.orNull(column.text()),
  failingSince: column.orNull(column.text()),
  /** When it was switched off because it had failed for days. */
  offAt: column.orNull(column.text()),
  createdAt: column.text(),
  updatedAt: column.text(),
});

type EndpointSettings = RecordOf<typeof SETTINGS>;
export type Endpoint = RowOf<typeof ROWS>;

export function endpointsOf(reader: Reader, workspace: number): Promise<Endpoint[]> {
  return ROWS.all(reader, sql`where workspace = ${workspace} and deleted_at is null order by seq`);
}

export function endpointById(reader: Reader, workspace: number, id: string): Promise<Endpoint | null> {
  return ROWS.get(reader, sql`where id = ${id} and workspace = ${workspace} and deleted_at is null`);
}

/** No other transaction can change the endpoint until this one ends. */
export function lockEndpoint(tx: Tx, workspace: number, id: string): Promise<Endpoint | null> {
  return ROWS.get(tx, sql`where id = ${id} and workspace = ${workspace} and deleted_at is null${tx.dialect.forUpdate}`);
}

/** The tags of the endpoints among these that get some emails only. */
export async function tagsOf(reader: Reader, endpoints: readonly number[]): Promise<Map<number, string[]>> {
  const rows = await reader.all<{ seq: number; tags: string }>`
    select seq, tags from webhook_endpoints where ${reader.dialect.isAmong(sql`seq`, endpoints)} and tags is not null`;
  return new Map(rows.map(({ seq, tags }) => [seq, [...TAGS.read(tags)]]));
}

type NewEndpoint = EndpointSettings & Pick<Endpoint, "id" | "workspace" | "secret">;

export function insertEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<Endpoint> {
  return ROWS.insert(tx, { ...endpoint, createdAt: tx.now, updatedAt: tx.now });
}

/** `before` is locked. A person repairs an endpoint by switching it on, or by giving it another URL. */
export function updateEndpoint(
  tx: Tx,
  before: Endpoint,
  settings: EndpointSettings,
  updatedAt: string,
): Promise<Endpoint> {
  const isSwitched = settings.enabled !== before.enabled;
  const isRepaired = isSwitched || settings.url !== before.url;
  const [failingSince, offAt] = [isRepaired ? null : before.failingSince, isSwitched ? null : before.offAt];
  return ROWS.update(tx, before.seq, { ...only(SETTINGS, settings), updatedAt, failingSince, offAt });
}

export async function setSecret(
  tx: Tx,
  seq: number,
  encrypted: string,
  { formerUntil }: { readonly formerUntil: string },
): Promise<Endpoint> {
  const [changed] = await ROWS.change(
    tx,
    sql`set former_secret = secret, former_until = ${formerUntil}, secret = ${encrypted}, updated_at = ${tx.now}
      where seq = ${seq}`,
  );
  return changed as Endpoint;
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
