// Values that programs stumble over.
import fc from "fast-check";

export const TEXTS = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "\u202e\u2066",
  "\r\nBcc: eve@example.com",
  "__proto__",
  "constructor",
  "{{ name }}",
  "{{",
  "{% for i in (1..9999999) %}x{% endfor %}",
  "{{ 'a' | append: 'b' | times: 1e309 }}",
  "<script>alert(1)</script>",
  "'; drop table emails; --",
  "%00%ff",
  "../../etc/passwd",
  "💌".repeat(100),
  "x".repeat(5_000),
  "ada@example.com",
  "a@b@c",
  '"quoted name"@example.com',
  "ada@[127.0.0.1]",
  "grüße@bücher.example",
  "2026-02-30T25:61:00Z",
  "9999-12-31T23:59:59.999Z",
  "-271821-04-20T00:00:00Z",
  "0199a3b4-0000-7000-8000-000000000000",
  "http://[::1",
  "javascript:alert(1)",
  "1e999",
  "-0",
];

const NUMBERS = [0, -0, -1, 1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308, 5e-324, 100, 101];

export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }) },
);

export const hostileNumber = fc.oneof(fc.constantFrom(...NUMBERS), fc.integer(), fc.double({ noNaN: true }));

/** Anything that JSON can say. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
  { maxDepth: 3, withCrossShrink: false },
  fc.constantFrom(null, true, false, [], {}, [[[[]]]], { __proto__x: {} }),
  hostileNumber,
  hostileText,
  fc.array(fc.oneof(hostileText, hostileNumber, fc.constant(null)), { maxLength: 4 }),
  fc.dictionary(
    fc.oneof(fc.constantFrom("id", "type", "email", "__proto__"), hostileText),
    fc.oneof(hostileText, hostileNumber),
    {
      maxKeys: 4,
    },
  ),
);

/** Bytes as a text of Latin-1, one letter a byte, so that a case can be printed. */
export const bytes = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((array) => Buffer.from(array).toString("latin1"));

/** A text with some pieces cut out, doubled or replaced. */
export function mutated(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const cut = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), length: fc.nat(20), by: bytes(8) });
  return fc.tuple(text, fc.oneof(fc.constant([]), fc.array(cut, { maxLength: 4 }))).map(([whole, cuts]) =>
    cuts.reduce((changed, { at, length, by }) => {
      const place = Math.floor(at * changed.length);
      return changed.slice(0, place) + by + changed.slice(place + length);
    }, whole),
  );
}
