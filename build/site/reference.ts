// The API reference: a list of all operations, and a page for each, made from /openapi.json as Markdown.
import type {
  ContentJson,
  OpenApiDocument,
  OperationJson,
  ParameterJson,
  Reference,
} from "../../src/http/docs/document.ts";
import { markdownHtml } from "../../src/http/guide/markdown.ts";
import { fieldsOf, typeOf, type Field } from "./fields.ts";
import type { SitePage } from "./frame.ts";

/** Names of fields stay whole, and what is said of them is readable beside long ones. */
const STYLE = "td:first-child { white-space: nowrap } td:last-child { min-width: 14rem }";

type Call = { readonly method: string; readonly path: string; readonly operation: OperationJson };
type Components = OpenApiDocument["components"];

export function referencePages(document: OpenApiDocument): SitePage[] {
  const calls = [...callsOf(document.paths), ...callsOf(document.webhooks)];
  const pages = calls.map((call) => pageOfCall(call, document.components));
  const besides = Map.groupBy(
    pages.map((page, at) => ({ page, tag: calls[at]?.operation.tags[0] })),
    ({ tag }) => tag,
  );
  const listed = pages.map((page, at) => ({
    ...page,
    beside: besides.get(calls[at]?.operation.tags[0])?.map((one) => one.page) ?? [],
  }));
  return [listOf(calls, document), ...listed];
}

function callsOf(paths: OpenApiDocument["paths"]): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** A call of somebody else's server has no path. */
function nameOf({ method, path }: Call): string {
  return path.startsWith("/") ? `${method} ${path}` : method;
}

function listOf(calls: readonly Call[], { info, tags }: OpenApiDocument): SitePage {
  const groups = tags.map(({ name, description }) => {
    const own = calls.filter(({ operation }) => operation.tags[0] === name);
    const rows = own.map((call) => [
      `[\`${nameOf(call)}\`](${call.operation.operationId}.html)`,
      call.operation.summary,
    ]);
    return `## ${name}\n\n${description}\n\n${table(["Call", "What it does"], rows)}`;
  });
  const intro = info.description.replaceAll("](/docs/guide)", "](../docs/index.html)");
  return {
    path: "reference/index.html",
    title: "API reference",
    summary: "Every call of Posthorn's API, with its fields, answers and refusals.",
    style: STYLE,
    main: markdownHtml(`# API reference\n\n${intro}\n\n${groups.join("\n\n")}`),
    beside: tags.map(({ name }) => ({ path: `reference/index.html#${anchorOf(name)}`, title: name })),
  };
}

function pageOfCall(call: Call, components: Components): SitePage {
  const { operationId, summary, description = "", tags, parameters = [], requestBody, responses } = call.operation;
  const [tag = ""] = tags;
  const parts = [
    `[${tag}](index.html#${anchorOf(tag)})`,
    `# ${summary}`,
    `\`${nameOf(call)}\``,
    description,
    callersOf(call.operation),
    parametersOf(parameters, components),
    requestBody ? bodyOf("What it takes", requestBody.content, components) : "",
    answersOf(responses, components),
  ];
  const main = markdownHtml(parts.filter((part) => part !== "").join("\n\n"));
  return {
    path: `reference/${operationId}.html`,
    title: summary,
    summary: `${nameOf(call)}: ${summary}.`,
    main,
    style: STYLE,
  };
}

const CALLERS: Readonly<Record<string, string>> = {
  secretKey: "a secret key",
  publicKey: "a public key",
  session: "somebody who is signed in",
};

function callersOf({ security }: OperationJson): string {
  const callers = security.flatMap((one) => Object.keys(one)).map((name) => CALLERS[name] ?? name);
  return callers.length === 0
    ? ""
    : `May be called by ${new Intl.ListFormat("en", { type: "disjunction" }).format(callers)}.`;
}

function parametersOf(parameters: readonly (ParameterJson | Reference)[], components: Components): string {
  const rows = parameters.map((one) => {
    const known = "$ref" in one ? components.parameters[lastPart(one.$ref)] : one;
    if (!known) throw new Error(`The document has no parameter ${JSON.stringify(one)}.`);
    const type = `${typeOf(known.schema, components.schemas)}, ${known.in}`;
    return [
      `\`${known.name}\``,
      type,
      known.required ? "yes" : "",
      known.description ?? known.schema.description ?? "",
    ];
  });
  return rows.length === 0 ? "" : `## Parameters\n\n${table(["Name", "Type", "Required", "Meaning"], rows)}`;
}

function answersOf(responses: OperationJson["responses"], components: Components): string {
  const known = Object.entries(responses).map(([status, one]) => ({
    status,
    response: "$ref" in one ? components.responses[lastPart(one.$ref)] : one,
  }));
  const answers = known.filter(({ status }) => /^[23]/.test(status));
  const refusals = known.filter(({ status }) => /^[45]/.test(status));
  return [
    ...answers.map(({ status, response }) =>
      [bodyOf(`Answer ${status}`, response?.content ?? {}, components), response?.description].join("\n\n"),
    ),
    "## Refusals",
    "Each has a code, beside what it means in words: [errors](../docs/api.html#errors).",
    table(
      ["Status", "Code"],
      refusals.map(({ status, response }) => [
        status,
        (response?.description ?? "").replaceAll(/\b[A-Z_]{4,}\b/g, "`$&`"),
      ]),
    ),
  ].join("\n\n");
}

function bodyOf(heading: string, content: ContentJson, { schemas }: Components): string {
  const bodies = Object.entries(content).map(([type, { schema, example }]) =>
    [
      `\`${type}\``,
      fieldTable(fieldsOf(schema, schemas)),
      example === undefined || typeof example === "string"
        ? ""
        : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    ].join("\n\n"),
  );
  return [`## ${heading}`, ...bodies].join("\n\n");
}

function fieldTable(fields: readonly Field[]): string {
  const rows = fields.map(({ name, type, isRequired, description }) => [
    ...[`\`${name}\``, type],
    ...[isRequired ? "yes" : "", description],
  ]);
  return rows.length === 0 ? "" : table(["Field", "Type", "Required", "Meaning"], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function lastPart(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}

function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(" ", "-");
}
