// Hostile requests to every route: made from what /openapi.json says of it, then bent.
import fc from "fast-check";
import { operationsOf, type Operation } from "../support/operations.ts";
import type { Json } from "../support/posthorn.ts";
import { hostileText } from "./hostile.ts";
import { valueOf } from "./values.ts";

export type RequestCase = {
  readonly kind: "request";
  readonly method: string;
  /** `$3` is the id of something that is there. */
  readonly path: string;
  readonly as: "key" | "person" | "nobody";
  readonly headers: Readonly<Record<string, string>>;
  /** As it is sent. */
  readonly body: string | null;
};

/** Endless answers, and what goes out of the house. */
const LEFT_OUT = /\/live|\/events\/stream|\/tail/;

export function requestCases(document: Json): fc.Arbitrary<RequestCase> {
  const all = operationsOf(document).filter(({ path }) => !LEFT_OUT.test(path));
  return fc.oneof(...all.map((one) => requestTo(document, one)));
}

function requestTo(document: Json, one: Operation): fc.Arbitrary<RequestCase> {
  const { method, path, operation } = one;
  const kinds = (operation.security ?? []).flatMap((kind: object) => Object.keys(kind));
  const usual = kinds.includes("secretKey") ? "key" : kinds.includes("session") ? "person" : "nobody";
  return fc
    .record({
      path: pathOf(path),
      query: queryOf(document, operation.parameters ?? []),
      as: fc.oneof({ weight: 20, arbitrary: fc.constant(usual) }, fc.constantFrom("key", "person", "nobody")),
      headers: headers,
      body: bodyOf(document, operation),
    })
    .map(({ path: filled, query, as, headers: given, body }) => {
      const bodyOrNone = method === "GET" || method === "HEAD" ? null : body;
      return {
        kind: "request",
        method,
        path: filled + query,
        as: as as RequestCase["as"],
        headers: given,
        body: bodyOrNone,
      };
    });
}

const id = fc.oneof(
  { weight: 8, arbitrary: fc.nat(30).map((number) => `$${number}`) },
  { weight: 1, arbitrary: hostileText.map((text) => encodeURIComponent(text.toWellFormed()) || "x") },
);

function pathOf(path: string): fc.Arbitrary<string> {
  const parts = path.split(/(\{\w+\})/).map((part) => (part.startsWith("{") ? id : fc.constant(part)));
  return fc.tuple(...parts).map((filled) => filled.join(""));
}

function queryOf(document: Json, parameters: readonly Json[]): fc.Arbitrary<string> {
  const inQuery = parameters.map((one) => shared(document, one)).filter((one) => one.in === "query");
  const fields = inQuery.map((one) =>
    fc.option(
      valueOf(document, one.schema ?? {}).map((value) => {
        const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
        return `${one.name}=${encodeURIComponent(text.toWellFormed())}`;
      }),
      { freq: 2 },
    ),
  );
  return fc.tuple(...fields).map((given) => {
    const there = given.filter((one) => one !== null);
    return there.length === 0 ? "" : `?${there.join("&")}`;
  });
}

/** Parameters that several operations have are written once. */
function shared(document: Json, parameter: Json): Json {
  return parameter.$ref ? document.components.parameters[parameter.$ref.split("/").at(-1)] : parameter;
}

const headers: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 10, arbitrary: fc.constant({}) },
  fc.constantFrom<Readonly<Record<string, string>>>(
    { "idempotency-key": "same" },
    { "idempotency-key": "x".repeat(300) },
    { "content-type": "text/plain" },
    { "content-type": "multipart/form-data" },
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-encoding": "gzip" },
    { "accept-language": "de,*;q=0.1,;;q=z" },
    { "x-forwarded-for": "1.2.3.4, ::1, zzz" },
    { "x-request-id": "\u00ff\u00fe" },
    { range: "bytes=9-1,-" },
    { "if-none-match": '"x", W/' },
  ),
);

function bodyOf(document: Json, operation: Json): fc.Arbitrary<string | null> {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (!schema) return fc.constantFrom(null, null, "", "{}", "x");
  const example = operation.requestBody.content["application/json"].example;
  const made = valueOf(document, schema).map((value) => JSON.stringify(value) ?? "");
  const shown = made.map((text) => JSON.stringify({ ...example, ...objectIn(text) }));
  const cut = fc.tuple(made, fc.nat(200)).map(([text, at]) => text.slice(0, at));
  return fc.oneof(
    { weight: 10, arbitrary: made },
    { weight: 6, arbitrary: example ? shown : made },
    { weight: 1, arbitrary: cut },
  );
}

function objectIn(text: string): object {
  const value = JSON.parse(text === "" ? "{}" : text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
