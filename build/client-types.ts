// What client/ is made from: the types of the calls that a key may make, and the table that gives each its name.
import openapiTS, { astToString } from "openapi-typescript";

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
};
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
type Operation = {
  readonly operationId: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly in?: string; readonly name?: string; readonly $ref?: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** By the beginning of the path; others are in the group of its first part. */
const GROUPS: readonly (readonly [path: string, group: string])[] = [
  ["/v1/send", "emails"],
  ["/v1/track", "events"],
  ["/v1/verify", "addresses"],
  ["/preview", "emails"],
  ["/queue", "workspace"],
  ["/overview", "workspace"],
  ["/search", "workspace"],
  ["/submission", "workspace"],
  ["/workspace/brand", "brand"],
];

type Method = {
  readonly group: string;
  readonly name: string;
  readonly operation: string;
  readonly route: string;
  readonly input: "body" | "query" | "none";
  /** It takes an Idempotency-Key. */
  readonly once: boolean;
  /** The field with the items of a list that comes in pages. */
  readonly list: string | null;
  /** How its next page is named. */
  readonly next: "cursor" | "page" | null;
};

/** Every call that a key may make, other names for a call aside. */
export function methodsIn(document: Document): readonly Method[] {
  const methods: Method[] = [];
  for (const [path, operations] of Object.entries(document.paths))
    for (const [verb, operation] of Object.entries(operations)) {
      if (!isForKeys(operation)) continue;
      const group = GROUPS.find(([start]) => path.startsWith(start))?.[1] ?? (path.split("/")[1] as string);
      const short = shortened(operation.operationId, group);
      const next = nextOf(operation);
      const isTaken = methods.some((one) => one.group === group && one.name === short);
      methods.push({
        group,
        name: isTaken ? operation.operationId : short,
        operation: operation.operationId,
        route: `${verb.toUpperCase()} ${path}`,
        input: inputOf(operation),
        once: namesOf(operation).includes("Idempotency-Key"),
        list: next && itemsOf(document, operation, next),
        next,
      });
    }
  return methods;
}

function isForKeys({ operationId, security = [] }: Operation): boolean {
  return !operationId.endsWith("Alias") && security.some((scheme) => "secretKey" in scheme);
}

/** `sendEmail` in the group `emails` is `send`. */
function shortened(operation: string, group: string): string {
  const noun = group === "addresses" ? "Address" : group.replace(/s$/, "");
  const short = operation.replace(new RegExp(`(Of)?${noun.charAt(0).toUpperCase()}${noun.slice(1)}s?`), "");
  return short;
}

function namesOf({ parameters = [] }: Operation): string[] {
  return parameters.map(({ name, $ref }) => name ?? ($ref?.endsWith("/IdempotencyKey") ? "Idempotency-Key" : ""));
}

function inputOf({ requestBody, parameters = [] }: Operation): Method["input"] {
  if (requestBody) return "body";
  return parameters.some((one) => one.in === "query") ? "query" : "none";
}

/** Of those that have both, the pages by cursor neither repeat nor leave out a record that does not change. */
function nextOf(operation: Operation): Method["next"] {
  return (["cursor", "page"] as const).find((name) => namesOf(operation).includes(name)) ?? null;
}

function itemsOf({ components }: Document, { responses }: Operation, next: string): string {
  const whole = (schema: Schema): Schema =>
    schema.$ref ? whole(components.schemas[schema.$ref.split("/").at(-1) as string] ?? {}) : schema;
  const answer = whole(responses["200"]?.content?.["application/json"]?.schema ?? {});
  const [page = answer] = (answer.anyOf ?? [answer]).map(whole).filter(({ properties }) => properties?.[next]);
  const found = Object.entries(page.properties ?? {}).find(([, schema]) => whole(schema).type === "array");
  if (!found) throw new Error(`A list with a ${next} has no items.`);
  return found[0];
}

/** A line a method: the names are the interface of the package. */
export function methodTable(document: Document): string {
  const groups = Map.groupBy(methodsIn(document), ({ group }) => group);
  const lines = [...groups].map(([group, methods]) => {
    const rows = methods.map(({ group: _, name, ...row }) => `    ${name}: ${JSON.stringify(row)},`);
    return `  ${group}: {\n${rows.join("\n")}\n  },`;
  });
  const head = "// The methods of the client by group, made from /openapi.json by build/api-types.ts.\n\n";
  return `${head}export const METHODS = {\n${lines.join("\n")}\n} as const;\n`;
}

/** Only what a method takes and answers: refusals are classes, and headers are the client's own affair. */
export async function clientTypes(document: Document): Promise<string> {
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const kept = Object.entries(operations).filter(([, operation]) => isForKeys(operation));
    return [path, Object.fromEntries(kept.map(([verb, operation]) => [verb, withAnswersOnly(operation)]))] as const;
  });
  const own = { ...document, paths: Object.fromEntries(paths.filter(([, kept]) => Object.keys(kept).length > 0)) };
  const head = "// What the methods take and answer, made from /openapi.json by build/api-types.ts.\n\n";
  return head + astToString(await openapiTS(JSON.stringify(own), { alphabetize: false }));
}

function withAnswersOnly({ responses, parameters = [], ...operation }: Operation): Operation {
  const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return {
    ...operation,
    parameters: parameters.filter((one) => one.in === "path" || one.in === "query"),
    responses: Object.fromEntries(answers.map(([status, answer]) => [status, { ...answer, headers: {} }])),
  };
}
