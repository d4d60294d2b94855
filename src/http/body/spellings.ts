// Other spellings of a field, where their meaning is plain: the field goes on under our spelling.
import type { TSchema } from "elysia";
import { invalidFields } from "../../base/errors.ts";

type BodyFields = Readonly<Record<string, unknown>>;

/** `alsoSpelt(optional(mailboxShape), SPELLINGS.reply)` */
export function alsoSpelt<Shape extends TSchema>(shape: Shape, spellings: readonly string[]): Shape {
  const said = `Also taken as ${spellings.map((name) => `\`${name}\``).join(", ")}.`;
  const description = shape.description === undefined ? said : `${shape.description} ${said}`;
  return { ...shape, description, spellings };
}

export const SPELLINGS = {
  reply: ["replyTo", "reply_to"],
  replyTo: ["reply", "reply_to"],
  sendAt: ["scheduledFor", "scheduledAt", "scheduled_at", "send_at"],
  scheduledFor: ["sendAt", "scheduledAt", "scheduled_at", "send_at"],
  body: ["html"],
  cc: ["Cc", "CC"],
  bcc: ["Bcc", "BCC"],
} as const;

export type TranslatedBody = {
  readonly body: unknown;
  /** The caller's spelling by ours. */
  readonly written: ReadonlyMap<string, string>;
};

const NONE: ReadonlyMap<string, string> = new Map();

/** The spellings that `schema` takes, each with ours. */
export function spellingsOf({ properties = {} }: TSchema): ReadonlyMap<string, string> {
  const fields = Object.entries<TSchema & { readonly spellings?: readonly string[] }>(properties);
  return new Map(fields.flatMap(([own, { spellings = [] }]) => spellings.map((name) => [name, own] as const)));
}

/**
 * Null and an empty text count as absent beside another spelling. @throws AppError VALIDATION_ERROR naming two
 * spellings that differ
 */
export function inOurSpelling(spellings: ReadonlyMap<string, string>, body: unknown): TranslatedBody {
  if (spellings.size === 0 || typeof body !== "object" || body === null) return { body, written: NONE };
  const given = body as BodyFields;
  const other = Object.keys(given).filter((name) => spellings.has(name));
  if (other.length === 0) return { body, written: NONE };
  const read = new Map(Object.entries(given).filter(([name]) => !spellings.has(name)));
  const written = new Map<string, string>();
  for (const name of other) {
    const own = spellings.get(name) as string;
    const before = read.get(own);
    if (isEmpty(given[name]) && read.has(own)) continue;
    if (!isEmpty(before) && !Bun.deepEquals(before, given[name])) throw differing(written.get(own) ?? own, name);
    if (isEmpty(before)) written.set(own, name);
    read.set(own, given[name]);
  }
  return { body: Object.fromEntries(read), written };
}

/** The fields of `schema` that are objects of any keys. */
export function objectsIn({ properties = {} }: TSchema): readonly string[] {
  const isObject = (shape: TSchema): boolean => "patternProperties" in shape || (shape.anyOf ?? []).some(isObject);
  return Object.entries<TSchema>(properties).flatMap(([name, shape]) => (isObject(shape) ? [name] : []));
}

/** PHP writes an empty object as an empty list. */
export function withObjects(names: readonly string[], body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  const given = body as BodyFields;
  const lists = names.filter((name) => Array.isArray(given[name]) && given[name].length === 0);
  return lists.length === 0 ? body : { ...given, ...Object.fromEntries(lists.map((name) => [name, {}])) };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function differing(one: string, other: string) {
  const message = `${one} and ${other} are two spellings of one field, and their values differ. Send one of them.`;
  return invalidFields([one, other].map((field) => ({ field, message, code: "conflicting" })));
}
