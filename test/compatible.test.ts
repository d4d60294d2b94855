// What counts as a break of the interface, and what does not.
import { describe, expect, test } from "bun:test";
import { breaksIn } from "./support/compatible.ts";
import type { Json } from "./support/posthorn.ts";

/** A document with one call: `taken` are the fields of its body, `answered` those of its answer. */
function documentWith({ taken, answered, needed = [], parameters = [] }: Json): Json {
  const object = (properties: Json, required: Json = Object.keys(properties)): Json => ({
    type: "object",
    properties,
    required,
  });
  const content = (schema: Json): Json => ({ "application/json": { schema } });
  return {
    paths: {
      "/things": {
        post: {
          parameters,
          requestBody: { content: content({ $ref: "#/components/schemas/Input" }) },
          responses: { 200: { content: content(object(answered)) } },
        },
      },
    },
    components: { schemas: { Input: object(taken, needed) } },
  };
}

const TEXT = { type: "string" };
const COLOUR = { anyOf: [{ const: "red" }, { const: "blue" }] };
const BEFORE = documentWith({
  taken: { name: TEXT, colour: COLOUR },
  answered: { id: TEXT, size: { type: "number" } },
});
const after = (taken: Json, answered: Json, more: Json = {}) =>
  documentWith({
    taken: { name: TEXT, colour: COLOUR, ...taken },
    answered: { id: TEXT, size: { type: "number" }, ...answered },
    ...more,
  });

describe("growth breaks nobody:", () => {
  test.each([
    ["nothing new", after({}, {})],
    ["a field that may be given", after({ note: TEXT }, {})],
    ["a value that is taken", after({ colour: { anyOf: [...COLOUR.anyOf, { const: "green" }] } }, {})],
    ["a field that is answered", after({}, { colour: TEXT })],
    ["null that is taken", after({ name: { anyOf: [TEXT, { type: "null" }] } }, {})],
    ["a parameter that may be given", after({}, {}, { parameters: [{ name: "x", in: "query", schema: TEXT }] })],
  ])("%s", (_, document) => {
    expect(breaksIn(BEFORE, document)).toEqual([]);
  });
});

describe("a caller trips over", () => {
  test.each([
    ["a call that is gone", { paths: {} }, "POST /things is gone"],
    [
      "a field that has to be given",
      after({ note: TEXT }, {}, { needed: ["note"] }),
      "POST /things body.note has become required",
    ],
    [
      "a value that is refused",
      after({ colour: { const: "red" } }, {}),
      "POST /things body.colour no longer takes blue",
    ],
    ["another type", after({ name: { type: "number" } }, {}), "POST /things body.name no longer takes string"],
    ["a limit", after({ name: { ...TEXT, maxLength: 3 } }, {}), "POST /things body.name has a smaller maxLength"],
    ["null in an answer", after({}, { id: { anyOf: [TEXT, { type: "null" }] } }), "POST /things 200.id may be null"],
    ["a number that is a text", after({}, { size: TEXT }), "POST /things 200.size may be string"],
    [
      "a parameter that has to be given",
      after({}, {}, { parameters: [{ name: "x", in: "query", required: true, schema: TEXT }] }),
      "POST /things query x is new and required",
    ],
  ])("%s", (_, document, said) => {
    expect(breaksIn(BEFORE, document)).toEqual([said]);
  });

  test("an answer's field that is gone, and one of a request", () => {
    const less = documentWith({ taken: { colour: COLOUR }, answered: { id: TEXT } });
    expect(breaksIn(BEFORE, less)).toEqual(["POST /things body.name is gone", "POST /things 200.size is gone"]);
  });
});
