// What is written visually becomes MJML, then HTML, and what our own renderer makes of it: Liquid passes through byte
// by byte.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mailMarkup } from "../../src/desk/face/mail-markup.ts";
import { checkSyntax } from "../../src/content/templates/liquid/render.ts";
import { firstDocument, PLAIN_LOOK, type MailColours, type Piece } from "../../web/writing/visual/document.ts";
import { fromFirst } from "../../web/overview/chart/first-point.ts";
import { differences } from "../../web/writing/versions/lines.ts";
import { variablesIn } from "../../web/writing/variables-in.ts";
import { mjmlOf } from "../../web/writing/visual/mjml/mjml.ts";
import { contrastOf, LEAST_CONTRAST } from "../../web/writing/visual/spaces.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { workspace } from "../support/workspace.ts";

/** As it is bundled for browsers. */
let htmlOf: (document: Piece, look: MailColours) => Promise<string>;
let posthorn: Posthorn;
const folder = mkdtempSync(join(tmpdir(), "visual-"));
beforeAll(async () => {
  posthorn = await workspace();
  const entry = join(import.meta.dir, "../../web/writing/visual/mjml/html.ts");
  const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", plugins: [mailMarkup] });
  writeFileSync(join(folder, "html.js"), (await outputs[0]?.text()) ?? "");
  ({ htmlOf } = await import(join(folder, "html.js")));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await posthorn[Symbol.asyncDispose]();
});

const text = (said: string, ...marks: string[]): Piece => ({
  type: "text",
  text: said,
  marks: marks.map((type) => ({ type })),
});
const paragraph = (...content: Piece[]): Piece => ({ type: "paragraph", content });
const variable = (path: string, fallback = ""): Piece => ({ type: "variable", attrs: { path, fallback } });
const doc = (...content: Piece[]): Piece => ({ type: "doc", content });

/** The body without its frame, for reading. */
function bodyOf(document: Piece): string {
  const { mjml, held } = mjmlOf(document, PLAIN_LOOK);
  return held.release(/<mj-wrapper[^>]*>\n([\s\S]*)\n<\/mj-wrapper>/.exec(mjml)?.[1] ?? "");
}

const inColumn = (...parts: string[]) =>
  ["<mj-section>", "<mj-column>", ...parts, "</mj-column>", "</mj-section>"].join("\n");
const P = '<p style="margin:0 0 16px">';

describe("a document becomes MJML:", () => {
  const GOLDENS: Readonly<Record<string, readonly [Piece, string]>> = {
    "words that follow each other are one text": [
      doc(
        { type: "heading", attrs: { level: 1 }, content: [text("Spring & "), variable("name", "you")] },
        paragraph(text("Hello "), text("there", "bold", "italic"), { type: "hardBreak" }, text("<b>")),
      ),
      inColumn(
        `<mj-text><h1 style="margin:0 0 12px;font-size:26px;line-height:34px;font-weight:600">Spring &amp; {{ name ?? "you" }}</h1>\n${P}Hello <strong><em>there</em></strong><br>&lt;b&gt;</p></mj-text>`,
      ),
    ],
    "a condition, a loop and a list keep what they say": [
      doc(
        {
          type: "condition",
          attrs: { path: "plan", comparison: "is", value: 'pro "x"' },
          content: [
            paragraph(text("Thanks")),
            { type: "loop", attrs: { list: "order.items", item: "line" }, content: [paragraph(variable("line.name"))] },
          ],
        },
        { type: "bulletList", content: [{ type: "listItem", content: [paragraph(text("one"))] }] },
      ),
      inColumn(
        `<mj-raw>{% if plan == 'pro "x"' %}</mj-raw>`,
        `<mj-text>${P}Thanks</p></mj-text>`,
        "<mj-raw>{% for line in order.items %}</mj-raw>",
        `<mj-text>${P}{{ line.name }}</p></mj-text>`,
        "<mj-raw>{% endfor %}</mj-raw>",
        "<mj-raw>{% endif %}</mj-raw>",
        '<mj-text><ul style="margin:0 0 16px;padding-inline-start:24px"><li>one</li></ul></mj-text>',
      ),
    ],
    "a button, an image, a line and your own HTML": [
      doc(
        {
          type: "button",
          attrs: { href: "{{ url ?? 'https://x.test' }}", align: "left" },
          content: [text("Go, "), variable("name")],
        },
        { type: "button", content: [text("Nowhere")] },
        { type: "image", attrs: { src: "https://x.test/a.png?b=1&c=2", alt: 'A "shelf"', width: 240 } },
        { type: "image", attrs: { src: "https://x.test/line.png", alt: "", decorative: "yes" } },
        { type: "horizontalRule" },
        { type: "rawHtml", attrs: { html: "<table><tr><td>{{ a > b }}" } },
      ),
      inColumn(
        `<mj-button href="{{ url ?? 'https://x.test' }}" align="left">Go, {{ name }}</mj-button>`,
        '<mj-button href="#">Nowhere</mj-button>',
        '<mj-image src="https://x.test/a.png?b=1&amp;c=2" alt="A &quot;shelf&quot;" width="240px" />',
        '<mj-image src="https://x.test/line.png" alt="" />',
        "<mj-divider />",
        "<mj-text><table><tr><td>{{ a > b }}</mj-text>",
      ),
    ],
    "columns are a row of their own, also under a condition": [
      doc(paragraph(text("before")), {
        type: "condition",
        attrs: { path: "plan", comparison: "isSet" },
        content: [
          {
            type: "columns",
            content: [
              { type: "column", content: [paragraph(text("left"))] },
              { type: "column", content: [paragraph(text("right"))] },
            ],
          },
        ],
      }),
      [
        inColumn(`<mj-text>${P}before</p></mj-text>`),
        "<mj-raw>{% if plan != blank %}</mj-raw>",
        "<mj-section>",
        `<mj-column>\n<mj-text>${P}left</p></mj-text>\n</mj-column>`,
        `<mj-column>\n<mj-text>${P}right</p></mj-text>\n</mj-column>`,
        "</mj-section>",
        "<mj-raw>{% endif %}</mj-raw>",
      ].join("\n"),
    ],
    "a section and columns have their background, space and widths; a button the brand's colours": [
      doc(
        { type: "box", attrs: { background: "accent", spacing: "small" }, content: [paragraph(text("in"))] },
        {
          type: "columns",
          attrs: { ratio: "1:2", background: "#101010" },
          content: [
            { type: "column", content: [paragraph(text("left"))] },
            {
              type: "column",
              content: [{ type: "button", attrs: { href: "https://x.test", look: "ink", spacing: "none" } }],
            },
          ],
        },
      ),
      [
        '<mj-section background-color="#22423d" padding="8px 0">',
        `<mj-column>\n<mj-text color="#ffffff">${P}in</p></mj-text>\n</mj-column>`,
        "</mj-section>",
        '<mj-section background-color="#101010" padding="24px 0">',
        `<mj-column width="33.33%">\n<mj-text color="#ffffff">${P}left</p></mj-text>\n</mj-column>`,
        '<mj-column width="66.67%">\n<mj-button href="https://x.test" background-color="#ffffff" color="#101010" padding="8px 24px 0px"></mj-button>\n</mj-column>',
        "</mj-section>",
      ].join("\n"),
    ],
    "text and dividers have another space below": [
      doc(
        { type: "paragraph", attrs: { spacing: "none" }, content: [text("close")] },
        { type: "heading", attrs: { level: 2, spacing: "large" }, content: [text("far")] },
        {
          type: "bulletList",
          attrs: { spacing: "small" },
          content: [{ type: "listItem", content: [paragraph(text("one"))] }],
        },
        { type: "horizontalRule", attrs: { spacing: "small" } },
      ),
      inColumn(
        '<mj-text><p style="margin:0 0 0">close</p>\n<h2 style="margin:8px 0 48px;font-size:20px;line-height:28px;font-weight:600">far</h2>\n<ul style="margin:0 0 8px;padding-inline-start:24px"><li>one</li></ul></mj-text>',
        '<mj-divider padding="8px 24px 8px" />',
      ),
    ],
    "Liquid that is typed stays Liquid": [
      doc(paragraph(text('{% if age > 3 and name != "<x>" %}a & b{% endif %} {{ n ?? "<" }}'))),
      inColumn(`<mj-text>${P}{% if age > 3 and name != "<x>" %}a &amp; b{% endif %} {{ n ?? "<" }}</p></mj-text>`),
    ],
    "what is typed as a name cannot break out of it": [
      doc(paragraph(variable("name }}<script>", 'a" }} b {{ c')), {
        type: "loop",
        attrs: { list: "x %}", item: "1 bad" },
        content: [paragraph(text("\uE0000\uE001"))],
      }),
      inColumn(
        `<mj-text>${P}{{ name <script> ?? 'a" } } b {{ c' }}</p></mj-text>`,
        "<mj-raw>{% for item in x %}</mj-raw>",
        `<mj-text>${P}0</p></mj-text>`,
        "<mj-raw>{% endfor %}</mj-raw>",
      ),
    ],
  };

  test.each(Object.entries(GOLDENS))("%s", (_, [document, golden]) => expect(bodyOf(document)).toBe(golden));
});

test.each(["#22423d", "#101010", "#f6d860", "#7a7a7a", "#ffffff"])(
  "words and buttons are seen on a section in %s",
  (colour) => {
    const link = { type: "text", text: "there", marks: [{ type: "link", attrs: { href: "https://x.test" } }] };
    const buttons = ["", "ink", "outline"].map((look) => ({ type: "button", attrs: { href: "https://x.test", look } }));
    const content = [paragraph(text("words"), link), ...buttons];
    for (const background of ["ground", "accent", colour]) {
      const box: Piece = { type: "box", attrs: { background }, content };
      const { mjml } = mjmlOf(doc(box), { ...PLAIN_LOOK, ground: colour, accent: colour });
      const inside = mjml.slice(mjml.indexOf("<mj-section background"));
      const seen = (found: RegExp, least: number) => {
        for (const [, named = colour] of inside.matchAll(found))
          expect(contrastOf(named, colour)).toBeGreaterThanOrEqual(least);
      };
      seen(/(?:<mj-text |background-color="transparent" |style=")color[=:]"?([^"]*)"/g, LEAST_CONTRAST.words);
      seen(/<mj-button (?![^>]*transparent)[^>]*?(?:background-color="([^"]*)"|>)/g, LEAST_CONTRAST.shape);
    }
  },
);

describe("as HTML", () => {
  const NEWS = doc(
    paragraph(text("Hello "), variable("name", "there"), text(", 1 < 2 & 3")),
    {
      type: "condition",
      attrs: { path: "age", comparison: "above", value: "3" },
      content: [
        paragraph(text("You are grown.")),
        {
          type: "columns",
          content: [
            {
              type: "column",
              content: [
                { type: "loop", attrs: { list: "books", item: "book" }, content: [paragraph(variable("book.title"))] },
              ],
            },
            {
              type: "column",
              content: [
                { type: "button", attrs: { href: '{{ url ?? "https://x.test/?a=1&b=2" }}' }, content: [text("Go")] },
              ],
            },
          ],
        },
      ],
    },
    { type: "rawHtml", attrs: { html: '<p   data-x="{{ x }}">  {%- if a > b -%} <b>raw</b> {%- endif -%}' } },
  );

  test("each piece of Liquid is there byte by byte, and the whole of it parses (slow)", async () => {
    const html = await htmlOf(NEWS, PLAIN_LOOK);
    for (const piece of [
      'Hello {{ name ?? "there" }}, 1 &lt; 2 &amp; 3',
      "{% if age > 3 %}",
      "{% for book in books %}",
      "{{ book.title }}",
      'href="{{ url ?? "https://x.test/?a=1&b=2" }}"',
      '<p   data-x="{{ x }}">  {%- if a > b -%} <b>raw</b> {%- endif -%}',
    ])
      expect(html).toContain(piece);
    expect(html).not.toMatch(/[\uE000\uE001]|googleapis|<mj-/);
    expect(html).toContain("<!--[if mso | IE]>");
    expect(() => checkSyntax(html)).not.toThrow();
  });

  test("our renderer makes a mail of it, with and without data (slow)", async () => {
    const body = await htmlOf(NEWS, PLAIN_LOOK);
    const preview = async (data: object) =>
      (await posthorn.call("POST /preview", { kind: "TRANSACTIONAL", subject: "S", body, data })).body;
    const full = await preview({ name: "Ada", age: 40, books: [{ title: "One" }, { title: "Two <2>" }], x: "y" });
    for (const said of ["Hello Ada, 1 &lt; 2", "You are grown.", "One", "Two &lt;2&gt;", 'data-x="y"'])
      expect(full.html).toContain(said);
    expect(full.links).toEqual([expect.objectContaining({ href: "https://x.test/?a=1&b=2", faults: [] })]);
    const empty = await preview({});
    expect(empty.html).toContain("Hello there,");
    expect(empty.html).not.toContain("You are grown.");
  });

  test("an image of which nobody has said what it shows is not decorative", async () => {
    const image = (attrs: Json) => ({ type: "image", attrs: { src: "https://x.test/a.png", alt: "", ...attrs } });
    const logo = { src: "https://x.test/logo.png", alt: "", width: 120 };
    const document = doc(image({}), image({ alt: "  " }), image({ decorative: "yes" }), image({ alt: "Tea" }));
    const body = await htmlOf(document, { ...PLAIN_LOOK, logo });
    const { images } = (await posthorn.call("POST /preview", { kind: "TRANSACTIONAL", subject: "S", body })).body;
    expect(images.map(({ alt, faults }: Json) => [alt, ...faults])).toEqual([
      [null, "NO_ALT"],
      [null, "NO_ALT"],
      [null, "NO_ALT"],
      [""],
      ["Tea"],
    ]);
  });

  test("a first mail, a button that leads nowhere, a logo and a footer", async () => {
    const look = {
      ...PLAIN_LOOK,
      logo: { src: "https://x.test/logo.png", alt: "Lanternfish", width: 120 },
      footer: "<p>4 Quay Street, {{ city }}</p>",
    };
    const html = await htmlOf(
      doc(...(firstDocument("Hello", "name", "there").content ?? []), { type: "button", content: [text("Go")] }),
      look,
    );
    const { links, images } = (
      await posthorn.call("POST /preview", { kind: "TRANSACTIONAL", subject: "S", body: html })
    ).body;
    expect(links).toEqual([expect.objectContaining({ faults: ["NO_TARGET"] })]);
    expect(images).toEqual([expect.objectContaining({ alt: "Lanternfish", faults: [] })]);
    expect(html).toContain("<p>4 Quay Street, {{ city }}</p>");
    expect(html.length).toBeLessThan(12_000);
  });
});

describe("of two texts", () => {
  const said = (before: string, after: string) =>
    differences(before.split(""), after.split(""))
      .map(({ is, text }) => ({ same: text, was: `-${text}`, now: `+${text}` })[is])
      .join("");

  test("what went and what came is told, in order, and the rest is the same", () => {
    expect(said("abc", "abc")).toBe("abc");
    expect(said("abcdef", "abXdYef")).toBe("ab-c+Xd+Yef");
    expect(said("", "ab")).toBe("+a+b");
    expect(said("aXbYc", "abc")).toBe("a-Xb-Yc");
  });
});

test("the variables that a text names are those that somebody could lack", () => {
  const text = `{{ name ?? "x" }} {{{ html }}} {{- data.plan | upcase }} {% if age > 3 and plan %}{% for book in books %}{{ book.title }}
    {{ forloop.index }}{% endfor %}{% endif %} {{ email }} {{ unsubscribeUrl }} {{ event.order }} {{ "text" }} {{ order.items[0] }}`;
  expect(variablesIn(text, "{{ name }}")).toEqual(["name", "html", "plan", "age", "books", "order"]);
});

test("the chart of a new installation starts at its first email, and has room beside one bar", () => {
  const points = Array.from({ length: 30 }, (_, day) => ({
    ...{ at: `2026-03-${String(day + 1).padStart(2, "0")}`, sent: day === 27 ? 4 : 0 },
    ...{ delivered: 0, opened: 0, bounced: 0 },
  }));
  expect(fromFirst(points)).toHaveLength(14);
  expect(fromFirst(points.with(3, points[27] as never))).toHaveLength(27);
  expect(fromFirst(points.slice(0, 20))).toHaveLength(20);
});
