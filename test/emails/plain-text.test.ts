// The text that is made of a mail's HTML: src/content/mime/plain-text/plain-text.ts.
import { describe, expect, test } from "bun:test";
import { plainText } from "../../src/content/mime/plain-text/plain-text.ts";
import { seeded } from "../support/seeded.ts";

const LONG_URL = `https://shop.example/track?${"token=0123456789&".repeat(20)}end`;

describe("HTML becomes readable text", () => {
  test.each([
    ["paragraphs and line breaks", "<p>One</p><p>Two<br>Three</p>", "One\n\nTwo\nThree"],
    ["white space", "  a \n b\t\tc&nbsp;d ", "a b c\u00a0d"],
    ["entities", "<p>Tom &amp; Jerry &lt;3 &euro;5 &#x1F600;</p>", "Tom & Jerry <3 €5 😀"],
    ["headings as they are", "<h1>Your Order</h1><p>Thanks</p><h2>Next</h2>x", "Your Order\n\nThanks\n\nNext\n\nx"],
    ["emphasis", "<b>bold</b> <i>slanted</i> <u>lined</u>", "bold slanted lined"],
    ["lists", "<p>x</p><ul><li>One<li>Two</ul>y<ol><li>a<li>b</ol>", "x\n\n * One\n * Two\n\ny\n 1. a\n 2. b"],
    ["quotes", "<blockquote>said<br>so</blockquote>", "> said\n> so"],
    ["preformatted text", "<pre>a  b\n  c</pre>", "a  b\n  c"],
    ["blocks without paragraphs", "<div>a</div><div>b</div><center>c</center>d", "a\nb\nc\nd"],
    ["text without any markup", "just text", "just text"],
    ["nothing", "", ""],
    ["only pictures", '<img src="pixel.gif" alt="x">', ""],
  ])("%s", (_name, html, text) => {
    expect(plainText(html)).toBe(text);
  });
});

describe("links show where they lead", () => {
  test.each([
    ["with a text", '<a href="https://x.example/a?b=1&amp;c=2">Open</a>', "Open [https://x.example/a?b=1&c=2]"],
    ["with the address as text", '<a href="https://x.example">https://x.example</a>', "https://x.example"],
    ["with an e-mail address", '<a href="mailto:a@b.com">a@b.com</a>', "a@b.com"],
    ["with a picture that has words", '<a href="https://x.example"><img alt="Acme"></a>', "Acme [https://x.example]"],
    [
      "with a picture deep inside",
      '<a href="https://x.example"><b><img alt="Acme"></b></a>',
      "Acme [https://x.example]",
    ],
    ["with a picture without words", '<a href="https://x.example"><img></a>', "https://x.example"],
    ["within the page", '<a href="#top">up</a> <a name="x">here</a>', "up here"],
    ["with spaces in the address", '<a href=" https://x.example/a b ">Go</a>', "Go [https://x.example/a%20b]"],
  ])("%s", (_name, html, text) => {
    expect(plainText(html)).toBe(text);
  });

  test("and are never broken", () => {
    const text = plainText(`<p>${"word ".repeat(14)}<a href="${LONG_URL}">Track it</a> ${"word ".repeat(30)}</p>`);
    expect(text.split("\n")).toContain(`[${LONG_URL}]`);
    for (const line of text.split("\n")) expect(line.length <= 78 || line === `[${LONG_URL}]`).toBe(true);
  });

  test("not even where a program wrote undefined into them", () => {
    const url = `https://shop.example/?id=undefined&${"token=0123456789&".repeat(5)}end`;
    expect(plainText(`<p>See ${url}</p><a href="${url}">it</a>`)).toBe(`See\n${url}\n\nit\n[${url}]`);
  });
});

describe("what is not meant to be read is left out", () => {
  test.each([
    ["the head", "<html><head><title>T</title><style>p{}</style></head><body>x</body></html>"],
    ["the head of a fragment", "<title>T</title><style>p{}</style><script>y()</script>x"],
    ["comments", "<!-- a --><!--[if mso]><p>Outlook</p><![endif]-->x"],
    ["the preview line", '<div style="display:none;max-height:0">Preview</div>x'],
    ["the preview line in another spelling", '<span style="color:#fff; DISPLAY: none !important">Preview</span>x'],
    ["hidden elements", "<p hidden>no</p>x"],
  ])("%s", (_name, html) => {
    expect(plainText(html)).toBe("x");
  });
});

describe("tables", () => {
  test("that arrange the page give no columns", () => {
    const html = `<table role="presentation"><tr><td><table><tr><td><h1>Hello</h1></td></tr>
      <tr><td><p>One</p></td><td><p>Two</p></td></tr></table></td></tr><tr><td>Footer</td></tr></table>`;
    expect(plainText(html)).toBe("Hello\n\nOne\n\nTwo\n\nFooter");
  });

  test("without headings keep each row on a line", () => {
    const html =
      "<table><tr><td>Socks</td><td>2</td><td>9.90</td></tr><tr><td>Total</td><td></td><td>9.90</td></tr></table>";
    expect(plainText(html)).toBe("Socks 2 9.90\nTotal 9.90");
  });

  test("with headings are set in columns", () => {
    const html = "<table><tr><th>Item</th><th>Price</th></tr><tr><td>Blue socks</td><td>9.90</td></tr></table>";
    expect(plainText(html)).toBe("Item         Price\nBlue socks   9.90");
  });
});

describe("hostile HTML costs little and never throws", () => {
  const nested = (tag: string) => tag.repeat(20_000);
  test.each([
    ["deep elements", nested("<div>")],
    ["deep tables", nested("<table><tr><td>")],
    ["deep lists", nested("<ul><li>")],
    ["deep quotes", nested("<blockquote>")],
    ["deep links", nested('<a href="x">')],
    ["very many cells", `<table><tr>${"<th>x</th>".repeat(50_000)}`],
    ["endless spans", '<table><tr><th colspan="999999999">x</th></tr><tr><td rowspan="999999999">y</table>'],
    ["odd spans", '<table><tr><th colspan="-1">x</th><th rowspan="x">y</th><th colspan="1e9">z</table>'],
    ["many spans", `<table>${`<tr>${'<th colspan="50" rowspan="50">x'.repeat(20)}`.repeat(4)}</table>`],
    ["wide and high tables", `<table><tr>${`<th>${"y".repeat(40)}`.repeat(100)}<td>${"z<br>".repeat(500)}</table>`],
    ["odd numbers", '<ol start="1e9" type="i"><li>x</ol><ol start="-5" type="a"><li>y</ol>'],
    ["unclosed tags", "<".repeat(200_000)],
    ["unclosed comments", "<!--".repeat(50_000)],
    ["unclosed attributes", `<a ${'b="'.repeat(50_000)}`],
    ["many entities", "&amp".repeat(100_000)],
    ["only spaces", " ".repeat(1_000_000)],
    ["odd names", "<__proto__><constructor a=b __proto__=c></constructor><toString>"],
    ["half a character", "\ud800<p>\udc00"],
  ])("%s", (_name, html) => {
    expect(plainText(html).length).toBeLessThanOrEqual(html.length + 100);
  });

  test("all tables together take no more than 500,000 characters in columns", () => {
    const html = `<table><tr><th>${"y".repeat(400)}<td>${"z<br>".repeat(60)}</table>`.repeat(200);
    expect(plainText(html).length).toBeLessThanOrEqual(html.length + 500_000);
  });

  const lines = (count: number) => `<pre>a${"\n".repeat(count)}b</pre>`;
  test.each([
    ["a quotation within others", (html: string) => `<blockquote>${html}</blockquote>`],
    ["a list within others", (html: string) => `<ul><li>${html}</ul>`],
    ["a list with long numbers", (html: string) => `<ol type="i" start="3888"><li>${html}</ol>`],
  ])("all lines of %s have no more than 1,000,000 characters in front of them", (_name, within) => {
    const deep = (html: string) => Array.from({ length: 60 }).reduce<string>(within, html);
    for (const html of [deep(lines(400_000)), deep(lines(4_000)).repeat(80)])
      expect(plainText(html).length).toBeLessThanOrEqual(html.length + 1_000_000);
  });

  test("1,000 generated pieces", () => {
    const random = seeded(4);
    const tags = [
      "table",
      "tr",
      "td",
      "th",
      "a href=x",
      "ul",
      "ol",
      "li",
      "p",
      "img alt=x",
      "pre",
      "blockquote",
      "h1",
      "br",
    ];
    const parts = [
      ...tags.flatMap((tag) => [`<${tag}>`, `</${tag.split(" ")[0]}>`]),
      "word ",
      "\n",
      "&nbsp;",
      "<",
      ">",
      '"',
    ];
    for (let count = 0; count < 1000; count++) {
      const text = plainText(random.text(parts, random.below(40)));
      expect(text).not.toMatch(/<\/?(?:table|tr|td|th|ul|ol|li|blockquote|h1)>|undefined|\r/);
    }
  });

  test("no more than the first 500,000 characters are read", () => {
    expect(plainText(`<p>start</p>${" ".repeat(500_000)}<p>end</p>`)).toBe("start");
  });
});

test("however many empty lines a quotation has, it is read at once", () => {
  expect(plainText(`<blockquote><pre>a${"\n".repeat(450_000)}b</pre></blockquote>`)).toHaveLength(450_000 * 3 + 4);
});

test("a heading within a cell makes no table of data", () => {
  expect(plainText("<table><td>Article<th>Price</table>")).toBe("ArticlePrice");
});
