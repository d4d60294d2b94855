// The files of an item: its fields as YAML, and each long text as a file of its own, so that other programs can make
// it.
import type { FileKind } from "../../../desk/files/record.ts";
import { MASK } from "../../../programs/webhooks/sending/url.ts";

export type FileFields = Readonly<Record<string, unknown>>;

export const FIELDS_ENDING = ".yaml";
const BODY = { body: ".html" };
const DESIGN = { design: ".design.json" };

/** Fields with a file of their own, by kind, each with the ending of that file. */
const PARTS: Partial<Record<FileKind, Readonly<Record<string, string>>>> = {
  templates: { ...BODY, text: ".txt", ...DESIGN },
  blocks: { ...BODY, ...DESIGN },
  brand: { footer: ".html" },
};

export function partFiles(kind: FileKind): [field: string, ending: string][] {
  return Object.entries(PARTS[kind] ?? {});
}

/** The texts of an item's files, by their paths in the directory. */
export async function filesOf(kind: FileKind, name: string, fields: FileFields): Promise<Map<string, string>> {
  const { stringify } = await import("yaml");
  const parts = partFiles(kind);
  const own = Object.entries(fields).filter(([field]) => !parts.some(([part]) => part === field));
  const files = new Map([[`${kind}/${name}${FIELDS_ENDING}`, stringify(Object.fromEntries(own), { lineWidth: 0 })]]);
  for (const [field, ending] of parts) {
    const value = fields[field];
    if (value === undefined || value === null) continue;
    files.set(`${kind}/${name}${ending}`, typeof value === "string" ? value : `${JSON.stringify(value, null, 2)}\n`);
  }
  return files;
}

/** A value that a file takes from the environment: `${SHOP_TOKEN}`. */
const VARIABLE = /\$\{([A-Za-z_]\w*)\}/g;

/** The pulled value as it is written: secrets that the file takes from the environment still come from there. */
export function withVariables(pulled: unknown, local: unknown): unknown {
  if (pulled === MASK) return typeof local === "string" && local.search(VARIABLE) >= 0 ? local : pulled;
  if (typeof pulled !== "object" || pulled === null || Array.isArray(pulled)) return pulled;
  const beside = (typeof local === "object" && local !== null ? local : {}) as FileFields;
  return Object.fromEntries(Object.entries(pulled).map(([key, value]) => [key, withVariables(value, beside[key])]));
}

export type VariableLookUp = (name: string) => string | undefined;

/** The text with its variables, and the names of those that are not set. */
export function filledIn(text: string, variable: VariableLookUp) {
  const missing: string[] = [];
  const filled = text.replaceAll(VARIABLE, (_, name: string) => {
    const value = variable(name);
    if (value === undefined) missing.push(name);
    return value ?? "";
  });
  return { filled, missing };
}
