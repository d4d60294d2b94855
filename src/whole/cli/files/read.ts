// A directory as items, and where in its files each fault is.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Document, LineCounter } from "yaml";
import { KINDS, type FileKind } from "../../../desk/files/record.ts";
import type { RefusedField } from "../remote-call.ts";
import { FIELDS_ENDING, filledIn, partFiles, type FileFields, type VariableLookUp } from "./layout.ts";

export type LocalItem = {
  readonly kind: FileKind;
  readonly name: string;
  readonly fields: FileFields;
  /** As they are written: with variables of the environment. */
  readonly written: FileFields;
  /** `file:line: ` of a field of its. */
  readonly placeOf: (field: string, at?: { readonly line?: number; readonly column?: number }) => string;
};

export type LocalItems = { readonly items: readonly LocalItem[]; readonly faults: readonly string[] };

/** Every item, and all faults of the files themselves, each with its place. Files with other endings are left alone. */
export async function readItems(directory: string, variable: VariableLookUp): Promise<LocalItems> {
  const items: LocalItem[] = [];
  const faults: string[] = [];
  for (const kind of KINDS) {
    const files = existsSync(join(directory, kind)) ? readdirSync(join(directory, kind)).sort() : [];
    faults.push(...strayFiles(kind, files));
    for (const file of files.filter((one) => one.endsWith(FIELDS_ENDING) && !one.startsWith("."))) {
      const name = file.slice(0, -FIELDS_ENDING.length).normalize("NFC");
      items.push(await readItem({ directory, kind, name, variable }, faults));
    }
  }
  return { items, faults };
}

function strayFiles(kind: FileKind, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    if (/\.yml$/.test(file)) return [`${kind}/${file}: Its ending has to be ${FIELDS_ENDING}.`];
    const part = partFiles(kind).find(([, ending]) => file.endsWith(ending) && !file.startsWith("."));
    const fields = part && file.slice(0, -part[1].length) + FIELDS_ENDING;
    if (!fields || files.includes(fields)) return [];
    return [`${kind}/${file}: There is no ${kind}/${fields} beside it, which has the other fields.`];
  });
}

type FilePlace = {
  readonly directory: string;
  readonly kind: FileKind;
  readonly name: string;
  readonly variable: VariableLookUp;
};

async function readItem({ directory, kind, name, variable }: FilePlace, faults: string[]): Promise<LocalItem> {
  const { parseDocument, LineCounter } = await import("yaml");
  const file = `${kind}/${name}${FIELDS_ENDING}`;
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(join(directory, file), "utf8"), {
    lineCounter: lines,
    prettyErrors: false,
  });
  for (const { message, pos } of document.errors) faults.push(`${file}:${lines.linePos(pos[0]).line}: ${message}`);
  const read: unknown = document.errors.length > 0 ? {} : (valueOf(document, file, faults) ?? {});
  const isMap = typeof read === "object" && read !== null && !Array.isArray(read);
  if (!isMap) faults.push(`${file}:1: Expected fields, such as “name: Welcome”.`);
  const written = (isMap ? read : {}) as FileFields;
  const parts = partFiles(kind);
  for (const [field, ending] of parts)
    if (field in written)
      faults.push(
        `${file}:${lineOf(document, lines, field)}: The ${field} is a file of its own: ${kind}/${name}${ending}`,
      );
  const own = parts.flatMap(([field, ending]) => {
    const path = join(directory, kind, name + ending);
    return existsSync(path) ? [[field, partIn(field, path, `${kind}/${name}${ending}`, faults)] as const] : [];
  });
  const fill = (header: string, value: string) => {
    const { filled, missing } = filledIn(value, variable);
    const line = lineOf(document, lines, header);
    for (const one of missing) faults.push(`${file}:${line}: The environment has no ${one}.`);
    return filled;
  };
  const placeOf: LocalItem["placeOf"] = (field, at = {}) => {
    const [head = ""] = field.split(".");
    const ending = parts.find(([part]) => part === head)?.[1];
    if (ending) return `${kind}/${name}${ending}${at.line ? `:${at.line}:${at.column ?? 1}` : ""}: `;
    return `${file}:${lineOf(document, lines, field)}: ${field === "" ? "" : `${field}: `}`;
  };
  return {
    ...{ kind, name, written, placeOf },
    fields: { ...(withHeaders(written, fill) as FileFields), ...Object.fromEntries(own) },
  };
}

function valueOf(document: Document, file: string, faults: string[]): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // `subject: *Sale*` names an anchor.
    faults.push(`${file}: ${(error as Error).message}`);
    return {};
  }
}

function partIn(field: string, path: string, file: string, faults: string[]): unknown {
  const text = readFileSync(path, "utf8");
  if (field !== "design") return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    faults.push(`${file}: This is not JSON: ${(error as Error).message}.`);
    return null;
  }
}

/** With each value of `headers`, wherever they are, as `fill` answers it. */
function withHeaders(value: unknown, fill: (field: string, value: string) => string, path = ""): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const isHeaders = /(^|\.)headers\.$/.test(path);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isHeaders && typeof inner === "string" ? fill(path + key, inner) : withHeaders(inner, fill, `${path}${key}.`),
    ]),
  );
}

/** The line of the field, or of the innermost one around it that is there. */
function lineOf(document: Document, lines: LineCounter, field: string): number {
  for (let path = field === "" ? [] : field.split("."); path.length > 0; path = path.slice(0, -1)) {
    const node = document.getIn(path, true) as { readonly range?: readonly number[] } | undefined;
    if (node?.range) return lines.linePos(node.range[0] as number).line;
  }
  return 1;
}

/** The faults that a server found, each with its place in the files. `field`: such as `items.3.fields.subject`. */
export function placedFaults(errors: readonly RefusedField[], items: readonly LocalItem[]): string[] {
  return errors.map(({ field = "", message, ...at }) => {
    const [place, nr, , ...rest] = field.split(".");
    const item = place === "items" ? items[Number(nr)] : undefined;
    return item ? item.placeOf(rest.join("."), at) + message : `${field}: ${message}`;
  });
}
