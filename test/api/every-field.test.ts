// Every route with a JSON body, and every field of it, as /openapi.json lists them: any value is accepted or refused in
// good form, and what is refused changes nothing. A new route or field is tried without being named here.
import { expect, test } from "bun:test";
import {
  documentOf,
  exampleOf,
  fieldsOf,
  kindsOf,
  operationsOf,
  withValue,
  type Field,
} from "../support/operations.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { askers } from "../support/people.ts";
import { everything } from "../support/scenario.ts";

/** Ids that are none: a body is looked at before what it is for. */
const pathOf = (name: string) => name.replace(/\{\w+\}/g, "0199a3b4-0000-7000-8000-000000000000");

async function bodiesOf(posthorn: Posthorn) {
  const withBody = operationsOf(await documentOf(posthorn)).filter((one) => exampleOf(one) !== undefined);
  // Behind a secret path, which is asked for first: test/providers.
  const operations = withBody.filter(({ name }) => !name.startsWith("POST /providers/"));
  expect(operations.length).toBeGreaterThan(30);
  return operations;
}

const started = () => startPosthorn({ config: { limits: { requestsPerMinute: 0 } } });

test("a body that is no object, no JSON, too deep or no text is refused at every route", async () => {
  await using posthorn = await started();
  const ask = await askers(posthorn);
  const before = await everything(posthorn);
  const hostile: readonly [body: string | Uint8Array<ArrayBuffer>, status: number, code: string][] = [
    ["[]", 422, "VALIDATION_ERROR"],
    ["7", 422, "VALIDATION_ERROR"],
    ['"text"', 422, "VALIDATION_ERROR"],
    ['{"a":1', 400, "INVALID_JSON"],
    ['{"a":1}{"a":1}', 400, "INVALID_JSON"],
    [`{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, 400, "INVALID_JSON"],
    [`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, 400, "INVALID_JSON"],
    [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, "INVALID_JSON"],
    ['{"x":"\\u0000"}', 422, "VALIDATION_ERROR"],
    ['{"x\\ud800":1}', 422, "VALIDATION_ERROR"],
  ];
  for (const one of await bodiesOf(posthorn)) {
    const { name } = one;
    for (const [body, status, code] of hostile) {
      const reply = await ask(one, pathOf(name), { body });
      expect([name, body.slice(0, 20), reply.status, reply.body.error.code]).toEqual([
        name,
        body.slice(0, 20),
        status,
        code,
      ]);
    }
  }
  expect(await everything(posthorn)).toEqual(before);
});

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: "text",
  number: 7,
  boolean: true,
  array: [[]],
  object: { x: { y: 1 } },
};

test("a value of another kind is refused by name at every field", async () => {
  await using posthorn = await started();
  const ask = await askers(posthorn);
  const before = await everything(posthorn);
  for (const one of await bodiesOf(posthorn)) {
    for (const field of fieldsOf(one)) {
      const kinds = kindsOf(field)?.map((kind) => (kind === "integer" ? "number" : kind));
      const wrong = Object.entries(SAMPLES).filter(([kind]) => kinds && !kinds.includes(kind));
      for (const [kind, value] of wrong) {
        const body = withValue(exampleOf(one), field.path, value);
        const reply = await ask(one, pathOf(one.name), { body });
        const place = [one.name, field.path.join("."), kind];
        expect([...place, reply.status]).toEqual([...place, 422]);
        const refused = reply.body.error.errors.map((error: Json) => error.field);
        expect([...place, refused.some((path: string) => path.startsWith(field.path.join(".")))]).toEqual([
          ...place,
          true,
        ]);
      }
    }
  }
  expect(await everything(posthorn)).toEqual(before);
});

/** What is just too little or too much for the field. */
function beyond({ schema }: Field): unknown[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = schema;
  return [
    ...(minLength > 0 ? ["x".repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ["x".repeat(maxLength + 1)]),
    ...(minItems > 0 ? [Array(minItems - 1).fill("ada@example.com")] : []),
    ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill("ada@example.com")]),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
  ];
}

test("one more or one less than a field takes is refused by name", async () => {
  await using posthorn = await started();
  const ask = await askers(posthorn);
  const before = await everything(posthorn);
  let tried = 0;
  for (const one of await bodiesOf(posthorn)) {
    for (const field of fieldsOf(one)) {
      for (const value of beyond(field)) {
        tried++;
        const reply = await ask(one, pathOf(one.name), { body: withValue(exampleOf(one), field.path, value) });
        const place = [one.name, field.path.join(".")];
        const refused = reply.body.error?.errors?.map((error: Json) => error.field) ?? [];
        expect([...place, reply.status, refused.includes(field.path.join("."))]).toEqual([...place, 422, true]);
      }
    }
  }
  expect(tried).toBeGreaterThan(80);
  expect(await everything(posthorn)).toEqual(before);
});

const TEXTS: readonly string[] = [
  "\r\nBcc: eve@evil.example",
  `'); drop table contacts; -- " or 1=1`,
  "__proto__",
  "constructor.prototype.polluted",
  "{{ constructor }}{% raw %}",
  "\u202e\u200b\ufeff",
  "../../etc/passwd%00",
  "$1 ? :name ::text",
  "😀".repeat(30),
  "x".repeat(1_900_000),
];

test("no text in any field is answered 500, or reaches a prototype; 1.9 MB are refused where a name is wanted", async () => {
  await using posthorn = await started();
  const ask = await askers(posthorn);
  for (const one of await bodiesOf(posthorn)) {
    for (const field of fieldsOf(one).filter((field) => kindsOf(field)?.includes("string"))) {
      for (const text of TEXTS) {
        const reply = await ask(one, pathOf(one.name), { body: withValue(exampleOf(one), field.path, text) });
        if (text.length > 1_500_000 && !["body", "text"].includes(field.path.join(".")))
          expect([one.name, field.path, [413, 422].includes(reply.status)]).toEqual([one.name, field.path, true]);
      }
    }
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
  await posthorn.settle();
});

test("keys of a prototype, and keys that come twice, do no harm in any object of any body", async () => {
  await using posthorn = await started();
  const ask = await askers(posthorn);
  const poison = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"x":1,"x":2';
  for (const one of await bodiesOf(posthorn)) {
    const text = JSON.stringify(exampleOf(one));
    for (const { index } of text.matchAll(/\{/g)) {
      const isEmpty = text[index + 1] === "}";
      const body = `${text.slice(0, index + 1)}${poison}${isEmpty ? "" : ","}${text.slice(index + 1)}`;
      await ask(one, pathOf(one.name), { body });
    }
  }
  expect(({} as Json).polluted).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
  await posthorn.settle();
});

const HOSTILE_QUERY = [
  "",
  "%00",
  "%ED%A0%80",
  "%",
  "x".repeat(5_000),
  "%27%20or%201=1--",
  "__proto__",
  "a&PARAMETER=b",
  "-1",
  "1e9",
];

test("a parameter of a query is accepted within its limits and refused by name beyond them, whatever it contains", async () => {
  await using posthorn = await started();
  const ask = await askers(posthorn);
  const before = await everything(posthorn);
  let edges = 0;
  for (const one of operationsOf(await documentOf(posthorn))) {
    const { name, operation } = one;
    for (const parameter of (operation.parameters ?? []).filter((each: Json) => each.in === "query")) {
      const at = (value: unknown) => ask(one, `${pathOf(name)}?${parameter.name}=${value}`);
      const { minimum, maximum, enum: words } = parameter.schema;
      for (const value of HOSTILE_QUERY) await at(value.replace("PARAMETER", parameter.name));
      const wrong = [
        ...(minimum === undefined ? [] : [minimum - 1, minimum + 0.5]),
        ...(maximum === undefined ? [] : [maximum + 1]),
        ...(words === undefined ? [] : ["nothing"]),
      ];
      for (const value of wrong) {
        const { status, body } = await at(value);
        expect([name, parameter.name, value, status, body.error?.errors?.[0].field]).toEqual([
          name,
          parameter.name,
          value,
          400,
          parameter.name,
        ]);
      }
      for (const value of [minimum, maximum, words?.[0]].filter((edge) => edge !== undefined)) {
        edges++;
        const { body } = await at(value);
        // It may be refused for want of another, as `choice` is without `topic`.
        expect([name, value, body.error?.errors?.[0].field]).not.toEqual([name, value, parameter.name]);
      }
    }
  }
  expect(edges).toBeGreaterThan(30);
  expect(await everything(posthorn)).toEqual(before);
});
