// The SQL that finds the cause of a contact's change by its public id.
import { jsonOrNull } from "../../store/columns.ts";
import { sql, steadyList } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

type CauseName = { readonly id: string; readonly name: string | null };

export type CausingJob = {
  readonly id: string;
  readonly operation:
    "IMPORT" | "SUPPRESS" | "SUBSCRIBE" | "UNSUBSCRIBE" | "TOPICS" | "DELETE" | "UNDO" | "RENAME" | "MERGE";
  readonly fileName: string | null;
  readonly createdAt: string;
  /** The team member or key set that began the job; null = the command line. */
  readonly by: (CauseName & { readonly kind: string }) | null;
};

/** The causes found, each by its public id. */
export type Causes = {
  readonly jobs: ReadonlyMap<string, CausingJob>;
  /** Values are names. */
  readonly keys: ReadonlyMap<string, string | null>;
  readonly users: ReadonlyMap<string, string | null>;
  readonly forms: ReadonlyMap<string, string | null>;
};

type CauseRow = CauseName & { readonly kind: keyof Causes } & {
  readonly [Field in "operation" | "createdAt" | "by"]: string | null;
};

export async function causesWith(reader: Reader, workspace: number, ids: readonly string[]): Promise<Causes> {
  const among = sql`id in (${steadyList(ids)})`;
  const rows =
    ids.length === 0
      ? []
      : await reader.all<CauseRow>`
        select 'jobs' as kind, id, file_name as name, operation, created_at as "createdAt", made_by as "by"
        from contact_jobs where ${among} and workspace = ${workspace}
        union all select 'keys', id, name, null, null, null from key_sets where ${among} and workspace = ${workspace}
        union all select 'forms', id, name, null, null, null from forms where ${among} and workspace = ${workspace}
        union all select 'users', id, name, null, null, null from users where ${among}`;
  const ofKind = (kind: keyof Causes) => rows.filter((row) => row.kind === kind);
  const namesByKind = (kind: keyof Causes) => new Map(ofKind(kind).map(({ id, name }) => [id, name]));
  const jobs = new Map(ofKind("jobs").map((row) => [row.id, jobOf(row)]));
  return { jobs, keys: namesByKind("keys"), users: namesByKind("users"), forms: namesByKind("forms") };
}

function jobOf({ id, name: fileName, operation, createdAt, by }: CauseRow): CausingJob {
  return { id, fileName, operation, createdAt, by: jsonOrNull(by) } as CausingJob;
}

export async function causeOfContact(reader: Reader, contact: number): Promise<string | null> {
  const row = await reader.get<{ cause: string | null }>`select cause from contacts where seq = ${contact}`;
  return row?.cause ?? null;
}
