// One call as people read it: what it does, what it takes, a line to try it with, what it answers and refuses.
import { fieldRows, fieldTable, notesOf, typeInWords, type FieldRow } from "./fields.ts";
import { markup, prose, type Html } from "../markup.ts";
import type { OpenApiDocument, OperationJson, ParameterJson, Reference, ResponseJson } from "./document.ts";

export type Call = { readonly method: string; readonly path: string; readonly operation: OperationJson };

export function callSection(document: OpenApiDocument, call: Call): Html {
  const { method, path, operation } = call;
  return markup`<section id="${operation.operationId}">
    <h3>
      <a href="#${operation.operationId}"><code>${method} ${path}</code></a>
    </h3>
    <p><strong>${prose(operation.summary)}.</strong> ${prose(operation.description ?? "")}</p>
    <p>${keyInWords(operation)}</p>
    ${parameters(document, operation)} ${body(operation)}
    <pre tabindex="0"><code>${curlLine(document, call)}</code></pre>
    ${answers(document, operation)}
  </section> `;
}

function keyInWords({ security }: OperationJson): string {
  const kinds = security.flatMap((kind) => Object.keys(kind));
  if (kinds.length === 0) return "Takes no key.";
  return kinds.includes("publicKey") ? "Takes a secret or a public key." : "Takes a secret key.";
}

function parameters({ components }: OpenApiDocument, { parameters = [] }: OperationJson): Html {
  const known = parameters.map((one) => ("$ref" in one ? components.parameters[lastWord(one)] : one) as ParameterJson);
  const rows = known.map((one): FieldRow => ({
    path: one.name,
    type: markup`${one.in}: ${typeInWords(one.schema)}`,
    required: one.required,
    description: notesOf(one.schema, one.description),
  }));
  return rows.length === 0
    ? markup``
    : markup`<h4>Parameters</h4>
        ${fieldTable(rows)}`;
}

function body({ requestBody }: OperationJson): Html {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!content) return markup``;
  return markup`<h4>Body</h4>
    ${type === "application/json" ? "" : markup`<p><code>${type ?? ""}</code></p>`}${fieldTable(
      fieldRows(content.schema),
    )}`;
}

type BodyContent = NonNullable<OperationJson["requestBody"]>["content"][string];

/** A line for a shell. */
function curlLine({ servers }: OpenApiDocument, { method, path, operation }: Call): string {
  const key = operation.security.flatMap((kind) => Object.keys(kind)).includes("publicKey") ? "pk_…" : "sk_…";
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const parts = [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${quoted(`${servers[0]?.url ?? ""}${path}`)}`,
    ...(operation.security.length > 0 ? [`-H ${quoted(`Authorization: Bearer ${key}`)}`] : []),
    ...bodyParts(type, content),
  ];
  return parts.join(" \\\n  ");
}

function bodyParts(type: string | undefined, content: BodyContent | undefined): string[] {
  if (!content) return [];
  // What is uploaded are lists of people.
  if (type === "multipart/form-data")
    return Object.keys(content.schema.properties ?? {}).map((name) => `-F ${quoted(`${name}=@people.csv`)}`);
  const json = type === "application/json";
  const { example } = content;
  return [
    ...(json ? [`-H ${quoted(`Content-Type: ${type}`)}`] : []),
    ...(example === undefined ? [] : [`-d ${quoted(json ? JSON.stringify(example) : asForm(example))}`]),
  ];
}

function asForm(example: unknown): string {
  return new URLSearchParams(example as Record<string, string>).toString();
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function answers({ components }: OpenApiDocument, { responses }: OperationJson): Html {
  const rows = Object.entries(responses).map(([status, given]) => {
    const response = "$ref" in given ? (components.responses[lastWord(given)] as ResponseJson) : given;
    return markup`<tr>
      <td>${status}</td>
      <td>${"$ref" in given ? codes(response) : said(response)}</td>
    </tr> `;
  });
  return markup`<h4>Answers</h4>
    <div class="wide" tabindex="0" role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`;
}

function codes({ description }: ResponseJson): Html {
  return markup`${description.split(", ").map((code) => markup`<a href="#error-${code}"><code>${code}</code></a> `)}`;
}

function said({ description, content }: ResponseJson): Html {
  const [type, body] = Object.entries(content ?? {})[0] ?? [];
  if (!body) return markup`${description}`;
  if (type !== "application/json") return markup`${description} <code>${type ?? ""}</code>`;
  const rows = fieldRows(body.schema);
  const fields = rows.map(({ path, type }) => markup`<li><code>${path}</code>: ${type}</li>`);
  return markup`${description}
  ${
    rows.length === 0
      ? typeInWords(body.schema)
      : markup`<ul>
          ${fields}
        </ul>`
  }`;
}

function lastWord({ $ref }: Reference): string {
  return $ref.split("/").at(-1) ?? "";
}
