// Fields as rows of a table: each by its path, what it holds in words, and whether it must be there.
import { markup, prose, type Html } from "../markup.ts";
import type { SchemaJson } from "./document.ts";

export type FieldRow = {
  readonly path: string;
  readonly type: Html;
  readonly required: boolean;
  readonly description: string;
};

/** The fields of an object and of what lies in it, but not of named records: those have tables of their own. */
export function fieldRows(schema: SchemaJson, prefix = ""): FieldRow[] {
  if (schema.items) return fieldRows(schema.items, `${prefix.replace(/\.$/, "")}[].`);
  if (schema.anyOf) return schema.anyOf.filter(({ $ref }) => !$ref).flatMap((choice) => fieldRows(choice, prefix));
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    rowOf(`${prefix}${name}`, field, (schema.required ?? []).includes(name)),
    ...fieldRows(field, `${prefix}${name}.`),
  ]);
}

function rowOf(path: string, field: SchemaJson, required: boolean): FieldRow {
  return { path, type: typeInWords(field), required, description: notesOf(field, field.description) };
}

/** What is said of a field besides its type. */
export function notesOf(schema: SchemaJson, description = ""): string {
  return schema.default === undefined ? description : `\`${schema.default}\` unless given. ${description}`.trim();
}

export function fieldTable(rows: readonly FieldRow[]): Html {
  if (rows.length === 0) return markup``;
  return markup`<div class="wide" tabindex="0" role="region" aria-label="Table">
    <table>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Type</th>
          <th scope="col">Notes</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ path, type, required, description }) =>
            markup`<tr>
              <td><code>${path}</code></td>
              <td>${type}</td>
              <td>${required ? "required" : ""}${required && description ? ". " : ""}${prose(description)}</td>
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

/** `string (at most 998 characters)`, or a link to a record. */
export function typeInWords(schema: SchemaJson): Html {
  if (schema.$ref) return link(schema.$ref);
  if (schema.anyOf) return either(schema.anyOf.map(typeInWords));
  if (schema.enum) return either(schema.enum.map((word) => markup`<code>${word ?? "null"}</code>`));
  if (schema.const !== undefined) return markup`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.items) return markup`list of ${typeInWords(schema.items)}${bounds(schema)}`;
  const types = [schema.type ?? "anything"].flat().map((type) => (type === "null" ? type : (schema.format ?? type)));
  return markup`${types.join(" or ")}${bounds(schema)}`;
}

function link(ref: string): Html {
  const name = ref.split("/").at(-1) ?? "";
  return markup`<a href="#record-${name}">${name}</a>`;
}

function either(choices: readonly Html[]): Html {
  return markup`${choices.map((choice, index) => (index === 0 ? choice : markup` or ${choice}`))}`;
}

function bounds(schema: SchemaJson): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const texts = [
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
  ];
  const known = texts.filter(Boolean).join(", ");
  return known === "" ? "" : ` (${known})`;
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (most !== undefined) return `at most ${most}${unit}`;
  return least ? `at least ${least}${unit}` : "";
}
