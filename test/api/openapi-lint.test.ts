// The description of the interface as others' tools see it: the rules of a linter, and each example beside its schema.
import { lintFromString, loadConfig } from "@redocly/openapi-core";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "bun:test";
import { documentOf, operationsOf } from "../support/operations.ts";
import type { Json } from "../support/posthorn.ts";
import { workspace } from "../support/workspace.ts";

test("the document is valid OpenAPI 3.1 without a fault that redocly finds, and names the server", async () => {
  await using posthorn = await workspace();
  const document = await documentOf(posthorn);
  const config = await loadConfig({ configPath: "redocly.yaml" });
  const faults = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config });
  expect(faults.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  expect([document.openapi, document.servers[0].url]).toEqual(["3.1.0", "http://127.0.0.1:8484"]);
});

test("every success has an example, which fits its schema", async () => {
  await using posthorn = await workspace();
  const document = await documentOf(posthorn);
  const examples = everyContent(document).filter(({ place }) => !/responses [45]/.test(place));
  expect(examples.length).toBeGreaterThan(120);
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).addFormat("idn-email", true);
  ajv.addSchema({ ...document, $id: "book" });
  const checks = new Map<string, ValidateFunction>();
  for (const { place, content } of examples) {
    if (!place.endsWith("body")) expect([place, content.example !== undefined]).toEqual([place, true]);
    if (content.example === undefined) continue;
    const schema = JSON.stringify(content.schema).replaceAll('"#/', '"book#/');
    const check = checks.get(schema) ?? ajv.compile(JSON.parse(schema));
    checks.set(schema, check);
    expect([place, check(content.example), check.errors]).toEqual([place, true, null]);
  }
});

/** The bodies and answers of each operation, webhooks among them. */
function everyContent(document: Json): { readonly place: string; readonly content: Json }[] {
  const all = [...operationsOf(document), ...operationsOf({ ...document, paths: document.webhooks })];
  return all.flatMap(({ name, operation }) => {
    const answers = Object.entries<Json>(operation.responses).map(([status, one]) => [`responses ${status}`, one]);
    return [["body", operation.requestBody ?? {}], ...answers].flatMap(([what, one]) =>
      Object.values<Json>(one.content ?? {}).map((content) => ({ place: `${name} ${what}`, content })),
    );
  });
}
