// Header fields with text beyond ASCII say the same in ASCII, to readers who know RFC 2047 and RFC 2231.
import { describe, expect, test } from "bun:test";
import { simpleParser } from "mailparser";
import { asciiField } from "../../src/content/mime/ascii-field.ts";

function written(text: string): string {
  return asciiField(`${Buffer.from(text, "utf8").toString("latin1")}\r\n`);
}

function unfolded(field: string): string {
  return field.replaceAll("\r\n", "");
}

async function addresses(field: string): Promise<unknown> {
  const { to } = await simpleParser(Buffer.from(`${field}\r\n\r\n`, "latin1"));
  return Array.isArray(to) ? to.map(({ value }) => value) : to?.value;
}

const LISTS: readonly [what: string, field: string, people: readonly (readonly [name: string, address: string])[]][] = [
  ["a quoted name with a comma", 'To: "Müller, Bob"\r\n\t<b@x.test>', [["Müller, Bob", "b@x.test"]]],
  [
    "a quoted quote",
    'To: "M\\"üller\\\\" <b@x.test>, a@x.test',
    [
      ['M"üller\\', "b@x.test"],
      ["", "a@x.test"],
    ],
  ],
  ["words and quotes mixed", 'To: Jürgen "K." Müller <b@x.test>', [["Jürgen K. Müller", "b@x.test"]]],
  ["encoded words beside others", "To: =?utf-8?q?J=C3=BC?= Ädä <b@x.test>", [["Jü Ädä", "b@x.test"]]],
  [
    "several lines",
    'To: "Ü, A"\r\n <a@x.test>,\r\n b@x.test,\r\n\tÖ <c@x.test>',
    [
      ["Ü, A", "a@x.test"],
      ["", "b@x.test"],
      ["Ö", "c@x.test"],
    ],
  ],
  [
    "no spaces",
    'To: Ü<a@x.test>,b@x.test,"Ö"<c@x.test>',
    [
      ["Ü", "a@x.test"],
      ["", "b@x.test"],
      ["Ö", "c@x.test"],
    ],
  ],
  ["a domain beyond ASCII", "To: Ü <a@exämple.test>", [["Ü", "a@exämple.test"]]],
];

describe("lists of addresses", () => {
  test.each(LISTS)("%s", async (_, given, people) => {
    const field = written(given);
    expect(field).toMatch(/^To:(?:[ \x21-\x7e]+\r\n)(?: [ \x21-\x7e]+\r\n)*$/);
    const read = (await addresses(field)) as { name: string; address: string }[];
    expect(read.map(({ name, address }) => [name, address])).toEqual(people.map((person) => [...person]));
  });

  test("groups keep their colon and their members", async () => {
    const field = written("To: Team Zürich: a@x.test, Ödön <b@x.test>;, Freunde:;, c@x.test");
    expect(unfolded(field)).toBe(
      "To: =?UTF-8?Q?Team_Z=C3=BCrich?=: a@x.test, =?UTF-8?Q?=C3=96d=C3=B6n?= <b@x.test>;, Freunde:;, c@x.test",
    );
    expect(await addresses(field)).toMatchObject([
      { name: "Team Zürich" },
      { name: "Freunde" },
      { address: "c@x.test" },
    ]);
  });

  test("comments keep their parentheses, and a comma in them parts nothing", () => {
    expect(unfolded(written("Cc: b@x.test (Jürgen, Büro \\(West\\)), c@x.test (plain)"))).toBe(
      "Cc: b@x.test (=?UTF-8?Q?J=C3=BCrgen=2C_B=C3=BCro_=28West=29?=), c@x.test (plain)",
    );
    expect(unfolded(written("Cc: Bob (Büro) Miller <b@x.test> (Größe)"))).toBe(
      "Cc: Bob (=?UTF-8?Q?B=C3=BCro?=) Miller <b@x.test> (=?UTF-8?Q?Gr=C3=B6=C3=9Fe?=)",
    );
  });

  test.each([
    ["a quote without end", 'To: "Müller <b@x.test>'],
    ["a comment without end", "To: b@x.test (Müller"],
    ["a bracket without end", "To: Müller <b@x.test"],
    ["words that are no address", "To: Müller und Söhne"],
    ["two in one", "To: Müller <a@x.test> <b@x.test>"],
    ["a bracket that nothing opens", "To: Mü> <b@x.test>"],
    ["an address that has no form in ASCII, in a group", "To: Ü: jürgen@x.test;"],
  ])("%s cannot be read and stays byte by byte", (_, field) => {
    expect(Buffer.from(written(field), "latin1").toString()).toBe(`${field}\r\n`);
  });

  test("what would get too long a line stays as it is", () => {
    const field = `To: ${"a@x.test,".repeat(80)}Ü <${"b".repeat(60)}@x.test>`;
    expect(
      Math.max(
        ...written(field)
          .split("\r\n")
          .map((line) => line.length),
      ),
    ).toBeLessThan(999);
  });
});

test.each([
  ["Subject: plain  schön  schöner plain", "Subject: plain  =?UTF-8?Q?sch=C3=B6n__sch=C3=B6ner?= plain\r\n"],
  ["Subject: =?utf-8?q?=C3=BC?= ü", "Subject: =?UTF-8?B?w7wgw7w=?=\r\n"],
  ["Subject: 日本　語 x", "Subject: =?UTF-8?B?5pel5pys44CA6Kqe?= x\r\n"],
  ["Content-Description: Größe", "Content-Description: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?=\r\n"],
])("text: %s", (given, field) => {
  expect(written(given)).toBe(field);
});

describe("parameters", () => {
  test("are cut into pieces, however long; the others stay", async () => {
    const name = "ü".repeat(400);
    const field = written(`Content-Disposition: attachment; size=1;filename="a;${name}.txt"; x="\\"ASCII; \\""`);
    expect(Math.max(...field.split("\r\n").map((line) => line.length))).toBeLessThan(80);
    expect(field).toContain("size=1;");
    expect(field).toContain('x="\\"ASCII; \\""');
    const { attachments } = await simpleParser(`${field}Content-Type: a/b\r\n\r\nx`);
    expect(attachments[0]?.filename).toBe(`a;${name}.txt`);
  });

  test("stay as they are where that is not understood, and so does the boundary", () => {
    for (const value of ['multipart/mixed; boundary="ü"', "text/plain; ü", "text/plain; ü=x"]) {
      expect(Buffer.from(written(`Content-Type: ${value}`), "latin1").toString()).toBe(`Content-Type: ${value}\r\n`);
    }
  });
});
