// One item: compared with the object that exists, checked as the API checks it, and written by the verbs of its kind.
import { AppError, invalidFields } from "../../base/errors.ts";
import { asBody } from "../../http/body/shape.ts";
import { unknownFields } from "../../http/body/unknown-fields.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { refuseUnproven, refuseWithout } from "../../tenant/access/caller.ts";
import { MASK, originOf } from "../../programs/webhooks/sending/url.ts";
import type { Fields, FileTerms } from "./kind.ts";
import { KIND } from "./kinds.ts";
import type { NamedRecord, Names } from "./names.ts";
import type { FileChange, FileItem, FileKind } from "./record.ts";

/** Null: it equals the item already. */
export async function write(
  tx: Tx,
  terms: FileTerms,
  names: Names,
  { kind, name, ...item }: FileItem,
): Promise<FileChange | null> {
  const { workspace } = terms.caller;
  const { fields } = item;
  if (!fields) return refuseOther(names.find(kind, name), item);
  const { create, change, withIds = same, fields: known } = KIND[kind];
  const current = names.find(kind, name);
  const before = current && (await stored(tx, workspace, names, kind, current.id));
  const title = "name" in known && kind !== "topics" ? { name } : {};
  const wanted = unmasked({ ...known, ...title, ...fields }, before) as Fields;
  if (before && says(before, wanted)) return null;
  refuseCaller(terms, kind);
  refuseUnknown(kind, fields);
  const input = apiBody(kind, name, withIds(wanted, names));
  const id = current ? current.id : await create(tx, terms, name, input);
  // On PostgreSQL, another request may have saved it since its name was read.
  if (current) await change(tx, terms, id, { ...input, ifUpdatedAt: current.updatedAt });
  else names.add(kind, { id, name, updatedAt: tx.now, updatedBy: null, kept: null });
  const after = await stored(tx, workspace, names, kind, id);
  if (before && Bun.deepEquals(before, after)) return null;
  return {
    ...{ kind, name, action: current ? "change" : "create" },
    before: before && visibleFields(kind, before),
    after: visibleFields(kind, after),
    people: null,
    conflict: current && conflictOf(current, item),
  };
}

/** @throws AppError CONFLICT if it has changed since the caller read it */
function refuseOther(current: NamedRecord | null, { ifUpdatedAt }: Pick<FileItem, "ifUpdatedAt">): null {
  if (current && Date.parse(current.updatedAt) === Date.parse(ifUpdatedAt ?? "")) return null;
  throw new AppError("CONFLICT", "It has changed at this moment.", { suggestion: "Try again." });
}

/** True if it was saved after the last pull, other than by an apply. */
export function conflictOf(
  { updatedAt, updatedBy, kept }: NamedRecord,
  { ifUpdatedAt }: Pick<FileItem, "ifUpdatedAt">,
) {
  const isSeen = updatedAt === kept?.savedAt || Date.parse(updatedAt) === Date.parse(ifUpdatedAt ?? "");
  return isSeen ? null : { updatedAt, by: updatedBy?.name ?? null };
}

/** Its fields in the words of files, with its secrets. */
async function stored(reader: Reader, workspace: number, names: Names, kind: FileKind, id: string): Promise<Fields> {
  const { read, fields, withNames = same } = KIND[kind];
  const whole = withNames(await read(reader, workspace, id), names);
  return Object.fromEntries(Object.keys(fields).map((field) => [field, whole[field]]));
}

/** As files show it: without secrets and defaults. */
export async function shownNow(
  reader: Reader,
  workspace: number,
  names: Names,
  kind: FileKind,
  { id }: NamedRecord,
): Promise<Fields> {
  return visibleFields(kind, await stored(reader, workspace, names, kind, id));
}

function visibleFields(kind: FileKind, whole: Fields): Fields {
  const { masked = same, fields } = KIND[kind];
  return Object.fromEntries(
    Object.entries(masked(whole)).filter(([field, value]) => !Bun.deepEquals(value, fields[field])),
  );
}

function same(fields: Fields): Fields {
  return fields;
}

/** A field without a default that the file leaves out may have any value. */
function says(before: Fields, wanted: Fields): boolean {
  return Object.entries(wanted).every(([field, value]) => value === undefined || Bun.deepEquals(before[field], value));
}

/**
 * Replaces a mask by the secret that is stored there.
 * @throws AppError CONFLICT if the secret would go to another host: keys for files cannot see it
 */
function unmasked(wanted: unknown, before: unknown): unknown {
  if (wanted === MASK && typeof before === "string") return before;
  if (typeof wanted !== "object" || wanted === null || typeof before !== "object" || before === null) return wanted;
  if (Array.isArray(wanted)) return wanted;
  refuseOtherHost(wanted, before);
  return Object.fromEntries(
    Object.entries(wanted).map(([key, value]) => [key, unmasked(value, (before as Fields)[key])]),
  );
}

type HeaderTarget = { readonly url?: unknown; readonly headers?: object };

function refuseOtherHost({ url, headers }: HeaderTarget, { url: stored }: HeaderTarget): void {
  const hasMask = Object.values(headers ?? {}).includes(MASK);
  if (!hasMask || originOf(String(url)) === originOf(String(stored))) return;
  throw new AppError("CONFLICT", "The URL has another host, and the headers have masks.", {
    suggestion: `Write the values of the headers in place of ${MASK}, or variables such as \${SHOP_TOKEN}.`,
  });
}

export function refuseCaller({ caller: { person } }: FileTerms, kind: FileKind): void {
  refuseWithout(person, KIND[kind].permission);
  if (kind === "webhooks") refuseUnproven(person);
}

/** A misspelt field would be ignored silently. */
function refuseUnknown(kind: FileKind, fields: Fields): void {
  const known = Object.keys(KIND[kind].fields);
  const faults = Object.keys(fields).flatMap((field) => {
    const message = `This field is unknown. The fields of ${kind} are ${known.join(", ")}.`;
    return known.includes(field) ? [] : [{ field, message, code: "unknown" }];
  });
  if (faults.length > 0) throw invalidFields(faults);
}

const DOORS = new Map<FileKind, ReturnType<typeof asBody>>();

/** Once for each kind: compiling a shape takes milliseconds. */
function doorOf(kind: FileKind): ReturnType<typeof asBody> {
  const door = DOORS.get(kind) ?? asBody(KIND[kind].shape);
  DOORS.set(kind, door);
  return door;
}

/** The body as the API takes it. */
function apiBody(kind: FileKind, name: string, input: Fields): Fields {
  const { shape } = KIND[kind];
  const body = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  // The API knows a topic only by its key.
  const named = kind === "topics" ? { key: name, ...body } : body;
  const read = doorOf(kind)["~standard"].validate(named).value as Fields;
  const unknown = unknownFields(shape, read);
  if (unknown.length > 0)
    throw invalidFields(
      unknown.map(({ field, meant }) => ({
        field,
        message: meant === null ? "This field is unknown." : `This field is unknown. Did you mean ${meant}?`,
        code: "unknown",
      })),
    );
  return body;
}
