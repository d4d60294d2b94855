// The SQL of suppressions, and of their marks on contacts.
import { changing, insertion } from "../../store/row-statement.ts";
import { sqlList, sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

export const REASONS = ["bounce", "complaint", "soft-bounces", "manual", "import", "erased"] as const;
export type SuppressionReason = (typeof REASONS)[number];
/** All mail, or only marketing mail. */
export type SuppressionScope = "all" | "marketing";
/** `hash`: the keyed hash of an erased person's address. */
export type SuppressionKind = "address" | "domain" | "hash";

export type Suppression = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly kind: SuppressionKind;
  readonly target: string;
  readonly reason: SuppressionReason;
  /** The reason before the erasure, for a hash. */
  readonly former: SuppressionReason | null;
  readonly scope: SuppressionScope;
  /** Null = without an end. */
  readonly until: string | null;
  readonly note: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const SUPPRESSION = sql`seq, id, workspace, kind, target, reason, former, scope, until, note, created_at as "createdAt",
  updated_at as "updatedAt"`;

export function suppressionById(reader: Reader, workspace: number, id: string): Promise<Suppression | null> {
  return reader.get`select ${SUPPRESSION} from suppressions where workspace = ${workspace} and id = ${id}`;
}

/** Suppressions with one of these targets, whether in force or not. */
export function suppressionsAt(reader: Reader, workspace: number, targets: readonly string[]): Promise<Suppression[]> {
  return reader.all`
    select ${SUPPRESSION} from suppressions
    where workspace = ${workspace} and ${reader.dialect.isOneOf(sql`target`, targets)}`;
}

export async function hasErased(reader: Reader, workspace: number): Promise<boolean> {
  const row = await reader.get`
    select 1 from suppressions where workspace = ${workspace} and reason = 'erased' limit 1`;
  return row !== null;
}

const NEW = insertion(
  "suppressions",
  {
    id: "text",
    workspace: "bigint",
    kind: "text",
    target: "text",
    reason: "text",
    scope: "text",
    until: "text",
    note: "text",
    created_at: "text",
    updated_at: "text",
  },
  "on conflict (workspace, target, scope) do nothing returning target",
);

/** Answers the targets of inserted suppressions. */
export async function insertSuppressions(
  tx: Tx,
  rows: readonly Omit<Suppression, "seq" | "former">[],
): Promise<string[]> {
  const made = await tx.runEach<{ target: string }>(
    NEW,
    rows.map((row) => [
      row.id,
      row.workspace,
      row.kind,
      row.target,
      row.reason,
      row.scope,
      row.until,
      row.note,
      row.createdAt,
      row.updatedAt,
    ]),
  );
  return made.map(({ target }) => target);
}

const CHANGED = changing(
  "suppressions",
  { seq: "bigint", reason: "text", scope: "text", until: "text", note: "text", created: "text", now: "text" },
  ({ seq, reason, scope, until, note, created, now }) => ({
    set: `reason = ${reason}, scope = ${scope}, until = ${until}, note = ${note}, created_at = ${created}, updated_at = ${now}`,
    where: `suppressions.seq = ${seq}`,
    returning: "suppressions.seq",
  }),
);

export async function updateSuppressions(tx: Tx, rows: readonly Omit<Suppression, "former">[]): Promise<void> {
  await tx.runEach(
    CHANGED,
    rows.map(({ seq, reason, scope, until, note, createdAt }) => [seq, reason, scope, until, note, createdAt, tx.now]),
  );
}

export function deleteSuppressions(tx: Tx, seqs: readonly number[]): Promise<number> {
  return tx.run`delete from suppressions where seq in (${sqlList(seqs)})`;
}

/** A hash becomes the address that it was computed from, or vice versa. */
export function setTarget(
  tx: Tx,
  seq: number,
  { kind, target, reason, former }: Pick<Suppression, "kind" | "target" | "reason" | "former">,
): Promise<number> {
  return tx.run`
    update suppressions set kind = ${kind}, target = ${target}, reason = ${reason}, former = ${former}, note = null,
      updated_at = ${tx.now}
    where seq = ${seq}`;
}

type SuppressionMark = { readonly seq: number; readonly email: string; readonly suppressed: SuppressionReason | null };

/** The contacts with these addresses. */
export function contactsWith(tx: Tx, workspace: number, emails: readonly string[]): Promise<SuppressionMark[]> {
  return tx.all`
    select seq, email, suppressed from contacts
    where workspace = ${workspace} and ${tx.dialect.isOneOf(sql`email`, emails)} order by seq${tx.dialect.forChange}`;
}

const MARKS = changing("contacts", { seq: "bigint", reason: "text", now: "text" }, ({ seq, reason, now }) => ({
  set: `suppressed = ${reason}, updated_at = ${now}`,
  where: `contacts.seq = ${seq}`,
  returning: "contacts.seq",
}));

export async function markContacts(tx: Tx, marks: readonly Omit<SuppressionMark, "email">[]): Promise<void> {
  await tx.runEach(
    MARKS,
    marks.map(({ seq, suppressed }) => [seq, suppressed, tx.now]),
  );
}

export async function nextEnd(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ until: string }>`
    select until from suppressions where until is not null order by until limit 1`;
  return row?.until ?? null;
}

/** Locks suppressions that have ended, so that no other process lifts them. */
export function lockEnded(tx: Tx, most: number): Promise<Suppression[]> {
  return tx.all`
    select ${SUPPRESSION} from suppressions where until is not null and until <= ${tx.now}
    order by until limit ${most}${tx.dialect.skipLocked}`;
}

/** Deletes some of a workspace's suppressions; answers how many. */
export function deleteSuppressionsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from suppressions where seq in (
      select seq from suppressions where workspace = ${workspace} order by seq limit ${most})`;
}

/** The scope of a complaint's suppression in this workspace. */
export async function complaintScope(reader: Reader, workspace: number): Promise<SuppressionScope> {
  const row = await reader.get<{ scope: SuppressionScope }>`
    select complaint_scope as scope from workspaces where seq = ${workspace}`;
  return row?.scope ?? "marketing";
}
