// The audit log: who changed what. Changes by a person through the routes are noted at the door, in the same
// transaction.
import { iso, MINUTE_MS } from "../../../base/clock.ts";
import { newId } from "../../../base/ids.ts";
import type { Tx } from "../../../store/store.ts";
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";
import { addToEntry, insertEntry, lastChange, type NewEntry } from "./audit-queries.ts";

export type AuditTarget = {
  readonly id: string | null;
  readonly kind: string | null;
  readonly name: string | null;
};

export type AuditAct = {
  readonly by: ChangeAuthor;
  readonly action: string;
  /** 0 = none: it concerns the installation. */
  readonly workspace?: number;
  /** Only its id is known where it is no record of a workspace. */
  readonly target?: AuditTarget | string | null;
  /** The changed fields; empty = it is no change of fields. */
  readonly fields?: readonly string[];
  readonly reason?: string | null | undefined;
  readonly requestId?: string | null;
};

/** Signalled when there is a new entry. */
export const CHANGE_NOTED = "change noted";

/** Changes by one person of one record that follow each other within this time are one sitting. */
const SITTING_MS = 10 * MINUTE_MS;

export async function noteAct(
  tx: Tx,
  { by, action, workspace, target = null, fields = [], reason = null, requestId }: AuditAct,
): Promise<void> {
  const { id, kind, name } = typeof target === "string" ? { id: target, kind: null, name: null } : (target ?? NOTHING);
  const entry = {
    id: newId(tx.nowMs),
    workspace: workspace || null,
    kind: by.kind,
    actor: by.id,
    actorName: by.name,
    action,
    target: id,
    targetKind: kind,
    targetName: name,
    fields,
    reason,
    requestId: requestId ?? null,
  };
  if (fields.length === 0 || !(await joinSitting(tx, entry))) await insertEntry(tx, entry);
  tx.signal(CHANGE_NOTED);
}

const NOTHING = { id: null, kind: null, name: null };

/** True if the change joins the entry of the one before it. */
async function joinSitting(tx: Tx, entry: NewEntry): Promise<boolean> {
  const last = await lastChange(tx, entry, iso(tx.nowMs - SITTING_MS));
  if (!last) return false;
  const fields = [...new Set([...last.fields, ...entry.fields])];
  return (await addToEntry(tx, last.seq, fields)) > 0;
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** The record in the path of a call. */
export function recordInPath(request: Request): { readonly kind: string | null; readonly id: string | null } {
  const { pathname } = new URL(request.url);
  const [kind = null] = pathname
    .replace(/^\/compat\/\w+/, "")
    .split("/")
    .filter((part) => part !== "" && part !== "v1");
  return { kind, id: ID.exec(pathname)?.[0] ?? null };
}

/** Ways out have names for ids. */
const WAYS = /^\/installation\/ways\/?([a-z0-9]*)/;

/** The record that a call changed: the one in its path, or a new one. */
export function targetOf(request: Request, answer: unknown, nameBefore: string | null): AuditTarget | null {
  const { kind, id: inPath } = recordInPath(request);
  const given = (answer ?? {}) as AuditAnswer;
  const [way] = WAYS.exec(new URL(request.url).pathname)?.slice(1) ?? [];
  if (way !== undefined) return { id: null, kind: "ways", name: way === "" ? (given.name ?? null) : way };
  const made = [given.id, given.jobId, given.data?.id].find((one) => typeof one === "string");
  const id = inPath ?? made;
  if (id === undefined) return null;
  const named = given.data?.id === id ? given.data : given.id === id ? given : NAMELESS;
  const { name, email, domain, description, url } = named;
  const names = [nameBefore, name, email, domain, description, url];
  return { id, kind, name: names.find((one) => typeof one === "string") ?? null };
}

/** A webhook has a description or a URL. */
type AuditNames = Readonly<Partial<Record<"id" | "name" | "email" | "domain" | "description" | "url", string | null>>>;
type AuditAnswer = AuditNames & { readonly jobId?: string; readonly data?: AuditNames };
const NAMELESS: AuditNames = {};

const MOST_FIELDS = 20;
/** Fields that state the version a change starts from, or why it is made, are no changes. */
const NO_CHANGES: readonly string[] = ["updatedAt", "version", "ifVersion", "ifUpdatedAt", "reason"];

export function fieldsIn(body: unknown): readonly string[] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return [];
  return Object.keys(body)
    .filter((name) => !NO_CHANGES.includes(name))
    .slice(0, MOST_FIELDS);
}

/** Calls whose body has a reason for the log, or what they changed. */
const WITH_REASON: readonly string[] = ["skipDomainWarmup", "skipWayWarmup", "updateConfiguration"];

export function reasonIn(action: string, body: unknown): string | null {
  const { reason = null } = (body ?? {}) as { readonly reason?: unknown };
  return WITH_REASON.includes(action) && typeof reason === "string" ? reason : null;
}
