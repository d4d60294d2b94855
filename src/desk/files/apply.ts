// A plan and an apply: every item of a directory is written by the verbs of its kind, in one transaction. A plan is an
// apply that is undone, so both follow the same rules.
import { AppError, invalidField, invalidFields, type FieldError } from "../../base/errors.ts";
import { ConstraintError, type Store, type Tx } from "../../store/store.ts";
import { notifyChangeAt } from "../../tenant/events/notify.ts";
import { lockWorkspace } from "../../tenant/workspaces/queries.ts";
import { codeCharsOf } from "../../programs/workflows/definition/texts.ts";
import { conflictOf, refuseCaller, shownNow, write } from "./item.ts";
import type { FileTerms } from "./kind.ts";
import { KIND } from "./kinds.ts";
import { stepCountOf } from "./workflows.ts";
import { namesIn, type NamedRecord, type Names } from "./names.ts";
import { inOrder, lastFirst } from "./order.ts";
import { keep, keepNoMore, nameablesOf } from "./queries.ts";
import {
  KINDS,
  MOST_ITEMS,
  type FileChange,
  type FileChanges,
  type FileItem,
  type FilesInput,
  type FileKind,
} from "./record.ts";

/** Carries the answer out of a transaction that is rolled back. */
class Rehearsal extends Error {
  constructor(readonly answer: FileChanges) {
    super("A plan changes nothing.");
  }
}

/** The changes that an apply would make. @throws AppError VALIDATION_ERROR with the faults of all items */
export async function planFiles(store: Store, terms: FileTerms, input: FilesInput): Promise<FileChanges> {
  refuseTooMuch(input);
  try {
    return await store.write(async (tx) => {
      const names = await namesToApply(tx, terms);
      throw new Rehearsal(await carryOut(tx, terms, names, input));
    });
  } catch (error) {
    if (error instanceof Rehearsal) return error.answer;
    throw error;
  }
}

/**
 * Writes all items, or none. Deletes only the objects in `remove`.
 * @throws AppError VALIDATION_ERROR with the faults of all items; CONFLICT with all that was saved since the last pull
 * and the last apply; FORBIDDEN
 */
export async function applyFiles(tx: Tx, terms: FileTerms, input: FilesInput): Promise<FileChanges> {
  const { workspace } = terms.caller;
  refuseTooMuch(input);
  const names = await namesToApply(tx, terms);
  const done = await carryOut(tx, terms, names, input);
  refuseConflicts(done, input);
  for (const kind of KINDS) {
    const items = input.items.filter((item) => item.kind === kind);
    if (items.length === 0) continue;
    const saved = new Map((await nameablesOf(tx, kind, workspace)).map(({ id, updatedAt }) => [id, updatedAt]));
    for (const { name } of items) {
      const { id: record, kept } = names.find(kind, name) as NamedRecord;
      const savedAt = saved.get(record) as string;
      if (kept?.savedAt !== savedAt) await keep(tx, workspace, { kind, name, record, savedAt });
    }
  }
  for (const one of input.remove ?? []) await keepNoMore(tx, workspace, one);
  for (const kind of new Set([...input.items, ...(input.remove ?? [])].map((one) => one.kind)))
    notifyChangeAt(tx, kind === "brand" ? "/workspace" : `/${kind}`, workspace);
  return done;
}

function refuseConflicts({ changes }: FileChanges, { items, remove }: FilesInput): void {
  const errors = changes.flatMap(({ kind, name, conflict }): FieldError[] => {
    if (conflict === null) return [];
    const isIt = (one: { readonly kind: FileKind; readonly name: string }) => one.kind === kind && one.name === name;
    const at = items.findIndex(isIt);
    const field = at >= 0 ? `items.${at}` : `remove.${remove?.findIndex(isIt)}`;
    const message = `${conflict.by ?? "Somebody"} saved ${kind}/${name} at ${conflict.updatedAt}, after the last pull.`;
    return [{ field, message, code: "saved_since" }];
  });
  if (errors.length === 0) return;
  const what = errors.length === 1 ? (errors[0] as FieldError).message : `${errors.length} things were saved since.`;
  throw new AppError("CONFLICT", what, {
    reason: "saved_since",
    errors,
    suggestion: "Pull them, put your change onto what they say now, and apply again.",
  });
}

/** One apply after the other. */
async function namesToApply(tx: Tx, { caller: { workspace } }: FileTerms): Promise<Names> {
  await lockWorkspace(tx, workspace);
  return namesIn(tx, workspace);
}

/** In characters: one transaction parses all of it, while other requests wait. */
const MOST_CODE_CHARS = 50_000;
/** A workflow has a few, each in a row of its own. */
const MOST_STEPS = 1_000;

/** @throws AppError VALIDATION_ERROR if it is too much for one transaction, or names an object twice */
function refuseTooMuch({ items, remove }: FilesInput): void {
  const named = [...items, ...(remove ?? [])].map(({ kind, name }) => `${kind}/${name}`);
  if (named.length > MOST_ITEMS)
    throw tooBig(`One apply has at most ${MOST_ITEMS} items: use a directory for each part of the workspace.`);
  const twice = named.findIndex((name, at) => named.indexOf(name) < at);
  if (twice >= 0) {
    const field = twice < items.length ? `items.${twice}.name` : `remove.${twice - items.length}.name`;
    throw invalidField(field, `${named[twice]} is there twice.`, "duplicate");
  }
  if (sumOf(items, ({ fields }) => (fields ? codeCharsOf(fields) : 0)) > MOST_CODE_CHARS)
    throw tooBig(`What differs holds at most ${MOST_CODE_CHARS} characters in {{ }} and {% %} together.`);
  if (sumOf(items, ({ kind, fields }) => (kind === "workflows" ? stepCountOf(fields) : 0)) > MOST_STEPS)
    throw tooBig(`The workflows that differ have at most ${MOST_STEPS} steps together: apply some of them first.`);
}

function sumOf(items: readonly FileItem[], count: (item: FileItem) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0);
}

function tooBig(message: string): AppError {
  return invalidField("items", message, "too_big");
}

/** Every item is tried, so that all faults are answered together. */
async function carryOut(tx: Tx, terms: FileTerms, names: Names, { items, remove }: FilesInput): Promise<FileChanges> {
  const faults: FieldError[] = [];
  const tried = async <Done>(field: string, placed: (field: string) => string, work: () => Promise<Done>) => {
    try {
      return await work();
    } catch (error) {
      faults.push(...faultsOf(error, field, placed));
      return null;
    }
  };
  const changes: FileChange[] = [];
  for (const { at, item } of inOrder(items)) {
    const { placed = (field) => field } = KIND[item.kind];
    const change = await tried(
      `items.${at}`,
      (field) => placed(field, item.fields ?? {}),
      () => write(tx, terms, names, item),
    );
    if (change) changes.push(change);
  }
  const unchanged = items.length - changes.length;
  for (const [at, one] of [...(remove ?? []).entries()].sort(lastFirst(names))) {
    const gone = names.find(one.kind, one.name);
    if (!gone) continue;
    const change = await tried(`remove.${at}`, String, async () => {
      refuseCaller(terms, one.kind);
      const before = await shownNow(tx, terms.caller.workspace, names, one.kind, gone);
      // A removed brand stays, without settings.
      if (Object.keys(before).length === 0) return null;
      await KIND[one.kind].remove(tx, terms, gone.id);
      return { ...one, action: "delete" as const, before, after: null, people: null, conflict: conflictOf(gone, one) };
    });
    if (change) changes.push(change);
  }
  if (faults.length > 0) throw invalidFields(faults.slice(0, MOST_FAULTS));
  return { changes, unchanged };
}

const MOST_FAULTS = 100;

function faultsOf(error: unknown, item: string, placed: (field: string) => string): FieldError[] {
  if (error instanceof ConstraintError && error.kind === "foreignKey")
    throw new AppError("CONFLICT", `${item}: This is still in use.`, { reason: "still_in_use" });
  if (
    !(error instanceof AppError) ||
    error.status >= 500 ||
    error.code === "FORBIDDEN" ||
    error.code === "PROOF_NEEDED"
  )
    throw error;
  const { errors, reason = error.code.toLowerCase(), suggestion } = error.details;
  if (errors) return errors.map((one) => ({ ...one, field: `${item}.fields.${placed(one.field)}` }));
  const message = [error.message, suggestion].filter(Boolean).join(" ");
  return [{ field: item, message, code: reason }];
}
