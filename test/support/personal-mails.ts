// Mails to people whose data are much alike, as those of a campaign are, and people made at random.
import fc from "fast-check";
import { linksFor } from "../../src/contacts/sign-up/links.ts";
import type { Handover } from "../../src/delivery/carrier/handover.ts";
import { trackingMarks } from "../../src/delivery/tracking/links.ts";
import { secretsOf } from "../../src/secrets.ts";
import type { Content } from "./personal-templates.ts";
import { seeded, type Random } from "./seeded.ts";

export type Person = Readonly<Record<string, string | readonly string[]>>;

const secrets = secretsOf(Buffer.alloc(32, 7));
const BASE = "https://mail.example.com";

export function mailTo(person: Person, number: number, { isTracked, ...content }: Content): Handover {
  const id = `0199a3b4-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
  return {
    ...content,
    id,
    workspace: 1,
    messageId: `<${id}@shop.example>`,
    returnPath: "b@bounces.example",
    dateMs: Date.parse("2026-11-23T10:00:00Z"),
    from: { address: "news@shop.example", name: "Shop" },
    to: { address: `r${number}@example.com`, name: null },
    replyTo: null,
    headers: null,
    requestData: null,
    contactData: JSON.stringify(person),
    subscribed: true,
    links: linksFor(secrets, BASE, { contactId: id.replace(/^0199/, "0200"), emailId: id }),
    attachments: [],
    raw: null,
    dkim: null,
    tracking: isTracked ? trackingMarks(secrets, BASE, id) : null,
  };
}

/** Words that mean something in markup, by their lengths. */
const MEANINGFUL: Readonly<Record<number, readonly string[]>> = {
  1: ["a", "p", "-", "_", "7", "/", "."],
  2: ["br", "lt", "--", "h1", "/b", "_x"],
  3: ["amp", "div", "pre", "not", "/td", "abc", "60_"],
  4: ["body", "none", "quot", "--__", "/pre"],
  5: ["title", "style", "table", "/body", "!--ab"],
  6: ["script", "hidden", "/title"],
  9: ["undefined", "x.example", "textarea/"],
  18: ["https://x.example/", "https://y.example/"],
};
const VALUES = [
  ...["", "Ann", "Zoë", "Anna Maria", "O'Brien", "Tom & Ann", "<b>x</b>", "x=1&y=2", "12.50", "Ünal", "名前", "💌"],
  ...["https://x.example/", "a.b+c@shop.example", "--=_x", "&amp;", "&lt;p&gt;", '"quoted"', "{{ a }}", "a\u0000b"],
  ...["word ".repeat(12), "x".repeat(90), "r1@example.com", "</body>", "lt;", "#60;", " ann ", "-->", "\ud800", "a\nb"],
];
const LETTERS = [..."ABCxyz0189_-./:@,+"];

/** What a variable has in a series of mails: always the same, words of the same lengths, or anything. */
const kinds = fc.tuple(
  fc.constantFrom("same", "alike", "alike", "alike", "any"),
  fc.oneof(fc.constantFrom(...VALUES), ...Object.values(MEANINGFUL).map((words) => fc.constantFrom(...words))),
);

export function anyPeople(count: number): fc.Arbitrary<readonly Person[]> {
  return fc
    .tuple(fc.record({ a: kinds, b: kinds, c: kinds, item: kinds }), fc.nat())
    .map(([{ a, b, c, item }, seed]) => {
      const random = seeded(seed);
      return Array.from({ length: count }, () => ({
        a: valueOf(a, random),
        b: valueOf(b, random),
        c: valueOf(c, random),
        list: [valueOf(item, random), valueOf(item, random)],
      }));
    });
}

function valueOf([kind, value]: readonly [string, string], random: Random): string {
  if (kind === "same") return value;
  if (kind === "any") return random.pick(VALUES);
  const words = MEANINGFUL[value.length];
  if (words && random.below(2) === 0) return random.pick(words);
  return value.replace(/[\w-]/g, () => random.pick(LETTERS));
}
