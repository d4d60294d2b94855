// The fields of a body that its shape does not name. They are ignored and named in the answer, since their writer meant
// something.
import { t, type TSchema } from "elysia";
import { described } from "../schemas.ts";
import { likelyName, sentElsewhere } from "./likely-names.ts";
import { spellingsOf } from "./spellings.ts";

export type UnknownField = {
  /** A dot path, such as `to.0.mail`. */
  readonly field: string;
  /** The field of the same object that was probably meant; null = unknown. */
  readonly meant: string | null;
  readonly known: readonly string[];
};

/** The limit for one body: a thousand unknown fields are one mistake. */
const MOST = 50;
const LONGEST_NAME = 100;

export const warningsShape = t.Object(
  {
    warnings: t.Optional(
      t.Array(
        t.Object({
          field: t.String(),
          message: t.String(),
          code: t.Optional(
            t.String({
              description: "`repaired`: marks of an editor in placeholders. `placeholder`: one of another service.",
            }),
          ),
        }),
        {
          description:
            "Fields of the body that are unknown and were ignored, each with what was probably meant; those that were repaired, or probably mean something else, and what the workspace lacks for what was asked.",
        },
      ),
    ),
  },
  { title: "Warned" },
);
export type FieldWarning = {
  readonly field: string;
  readonly message: string;
  readonly code?: "repaired" | "placeholder";
};

export function warningOf({ field, meant, known }: UnknownField): FieldWarning {
  const elsewhere = meant === null ? sentElsewhere(field.slice(field.lastIndexOf(".") + 1)) : null;
  if (elsewhere !== null) return { field, message: `${elsewhere} This field is unknown and was ignored.` };
  return { field, message: `${hint(meant, known)}This field is unknown and was ignored.${rest(meant, known)}` };
}

function hint(meant: string | null, known: readonly string[]): string {
  if (meant !== null) return `Did you mean ${meant}? `;
  return known.includes("data") ? "If this is a value of your own, put it into data. " : "";
}

function rest(meant: string | null, known: readonly string[]): string {
  return meant === null && known.length > 0 ? ` The known fields are ${known.join(", ")}.` : "";
}

/** Fields inside free-form values, such as `data`, are never unknown. */
export function unknownFields(schema: TSchema, body: unknown): readonly UnknownField[] {
  const found: UnknownField[] = [];
  if (!isKnown(schema, body)) new FieldScan(found).at(body, [schema], "");
  return found;
}

/** True for most bodies: each field is known, and none is an object with fields of ours. */
function isKnown(schema: TSchema, body: unknown): boolean {
  const [{ properties }] = branchesOf(schema) as [TSchema];
  if (!properties || schema.anyOf || Array.isArray(body)) return false;
  for (const name in body as BodyFields) {
    const value = (body as BodyFields)[name];
    if (!Object.hasOwn(properties, name) || (typeof value === "object" && !isOpen(properties[name]))) return false;
  }
  return true;
}

const OPEN = new WeakMap<TSchema, boolean>();

/** Every field inside is known. */
function isOpen(shape: TSchema): boolean {
  let open = OPEN.get(shape);
  if (open === undefined) {
    open = branchesOf(shape).every(({ properties, items, $ref }) => !properties && !items && !$ref);
    OPEN.set(shape, open);
  }
  return open;
}

type BodyFields = Readonly<Record<string, unknown>>;

/** The branches of each shape; the target of a reference has been read before the reference. */
const BRANCHES = new WeakMap<TSchema, readonly TSchema[]>();
const BY_ID = new Map<string, TSchema>();

class FieldScan {
  constructor(private readonly found: UnknownField[]) {}

  /** `shapes`: all shapes that the value may have. */
  at(value: unknown, shapes: readonly TSchema[], path: string): void {
    if (typeof value !== "object" || value === null || this.found.length >= MOST) return;
    const [only] = shapes;
    const branches = only && shapes.length === 1 ? branchesOf(only) : shapes.flatMap(branchesOf);
    if (branches.some(isAnything)) return;
    if (!Array.isArray(value)) return this.#inObject(value as BodyFields, branches, path);
    const items = branches.flatMap((branch) => (branch.items ? [branch.items as TSchema] : []));
    if (items.length > 0) for (const [index, item] of value.entries()) this.at(item, items, `${path}${index}.`);
  }

  #inObject(value: BodyFields, branches: readonly TSchema[], path: string): void {
    const fitting = branches.filter((branch) => branch.type === "object" && isOfKind(branch, value));
    if (fitting.length === 0 || fitting.some(({ properties }) => !properties)) return;
    for (const name of Object.keys(value)) {
      const shapes = fitting.flatMap((shape) => {
        const own = Object.hasOwn(shape.properties, name) ? name : spellingsOf(shape).get(name);
        return own === undefined ? [] : [shape.properties[own]];
      });
      if (shapes.length === 0) this.#note(name, fitting, path);
      else if (typeof value[name] === "object") this.at(value[name], shapes, `${path}${name}.`);
    }
  }

  #note(name: string, fitting: readonly TSchema[], path: string): void {
    if (this.found.length >= MOST) return;
    const known = [...new Set(fitting.flatMap(({ properties }) => Object.keys(properties)))];
    this.found.push({ field: path + name.slice(0, LONGEST_NAME), meant: likelyName(name, known), known });
  }
}

/** The branches of a choice, the target of a reference, and the shape behind a closer description. */
function branchesOf(given: TSchema): readonly TSchema[] {
  const known = BRANCHES.get(given);
  if (known) return known;
  const shape = described(given);
  if (shape.$id) BY_ID.set(shape.$id, shape);
  const branches: readonly TSchema[] = shape.anyOf
    ? shape.anyOf.flatMap(branchesOf)
    : [(shape.$ref && BY_ID.get(shape.$ref)) || shape];
  BRANCHES.set(given, branches);
  return branches;
}

function isAnything({ type, const: word, $ref }: TSchema): boolean {
  return type === undefined && word === undefined && $ref === undefined;
}

/** False if a field that tells kinds apart has another word. */
function isOfKind({ properties = {} }: TSchema, value: BodyFields): boolean {
  for (const name in properties) {
    const { const: word } = properties[name] as TSchema;
    if (word !== undefined && value[name] !== undefined && value[name] !== word) return false;
  }
  return true;
}
