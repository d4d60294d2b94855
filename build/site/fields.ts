// The fields of a body as rows of a table: those of objects inside follow, with the path to them as their name.
import type { SchemaJson } from "../../src/http/docs/document.ts";

export type Field = {
  /** `to.email`, or `errors[].field` in a list. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
};

type Schemas = Readonly<Record<string, SchemaJson>>;

/**
 * Where a body has one of several forms, the fields of all forms, each once. A form that contains itself is shown once.
 *
 * @param schemas those that a reference may name
 */
export function fieldsOf(schema: SchemaJson, schemas: Schemas): readonly Field[] {
  const rows = within(schema, "", { schemas, around: new Set() });
  return [...new Map(rows.map((row) => [JSON.stringify([row.name, row.type, row.description]), row])).values()];
}

/** `around`: the schemas that this one is inside of. */
type Place = { readonly schemas: Schemas; readonly around: ReadonlySet<SchemaJson> };

function within(schema: SchemaJson, path: string, place: Place): Field[] {
  const known = resolved(schema, place.schemas);
  if (place.around.has(known)) return [];
  const inside = { ...place, around: new Set([...place.around, known]) };
  const forms = [...(known.allOf ?? []), ...(known.anyOf ?? []), ...(known.oneOf ?? [])];
  const own = Object.entries(known.properties ?? {}).flatMap(([name, field]) => {
    const whole = path === "" ? name : `${path}.${name}`;
    return [rowOf(whole, field, (known.required ?? []).includes(name), place.schemas), ...within(field, whole, inside)];
  });
  const items = known.items === undefined ? [] : within(known.items, `${path}[]`, inside);
  return [...forms.flatMap((form) => within(form, path, inside)), ...own, ...items];
}

function rowOf(name: string, field: SchemaJson, isRequired: boolean, schemas: Schemas): Field {
  const description = [field.description ?? resolved(field, schemas).description ?? "", limitsOf(field)];
  return { name, type: typeOf(field, schemas), isRequired, description: description.filter((one) => one).join(" ") };
}

function resolved(schema: SchemaJson, schemas: Schemas): SchemaJson {
  const name = schema.$ref?.split("/").at(-1);
  return (name === undefined ? undefined : schemas[name]) ?? schema;
}

/** In Markdown: `string`, `"in" or "out"`, `list of object`. */
export function typeOf(schema: SchemaJson, schemas: Schemas): string {
  const known = resolved(schema, schemas);
  if (known.const !== undefined) return code(known.const);
  if (known.enum) return choiceOf(known.enum.map(code));
  const forms = known.anyOf ?? known.oneOf;
  if (forms) return choiceOf(forms.map((form) => typeOf(form, schemas)));
  if (known.items) return `list of ${typeOf(known.items, schemas)}`;
  if (known.type === undefined) return known.properties || known.allOf ? "object" : "any";
  const types = typeof known.type === "string" ? [known.type] : known.type;
  return choiceOf(types.map((type) => (type === "string" && known.format ? known.format : type)));
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

function choiceOf(types: readonly string[]): string {
  const once = [...new Set(types)];
  return once.length < 2 ? (once[0] ?? "any") : `${once.slice(0, -1).join(", ")} or ${once.at(-1)}`;
}

function limitsOf(schema: SchemaJson): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: fallback } = schema;
  const all = [
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
    fallback === undefined ? "" : `Default: ${code(fallback)}.`,
  ];
  return all.filter((one) => one !== "").join(" ");
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (most === undefined) return least === undefined ? "" : `At least ${least}${unit}.`;
  return least === undefined ? `At most ${most}${unit}.` : `${least} to ${most}${unit}.`;
}
