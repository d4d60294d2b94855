// The template language (docs/templates.md).
import { describe, expect, test } from "bun:test";
import { hasVariables, render, renderHeader } from "../../src/content/templates/liquid/render.ts";

const SCOPE = {
  name: "Tom & <b>Jerry</b>",
  quoted: `"it's"`,
  unset: "",
  nothing: null,
  zero: 0,
  no: false,
  pi: 3.14,
  user: { name: "Eve", address: { city: "Köln" } },
  tags: ["red", "blue"],
  products: [
    { title: "Tea & Co", price: 3 },
    { title: "Milk", price: 12 },
  ],
  hostile: "{{ name }} {% if user %} {{{ name }}} {% endraw %}",
  lines: "one\r\nBcc: eve@example.com\ntwo\u2028three\u0000four\tfive",
};

type Case = readonly [title: string, source: string, expected: string];

const html = (source: string): string => render(source, SCOPE, "html");
const text = (source: string): string => render(source, SCOPE, "text");

describe("values in HTML", () => {
  const cases: readonly Case[] = [
    ["are escaped", "<p>{{ name }}</p>", "<p>Tom &amp; &lt;b&gt;Jerry&lt;/b&gt;</p>"],
    ["cannot leave an attribute", '<a title="{{ quoted }}">', '<a title="&quot;it&#x27;s&quot;">'],
    ["are not escaped in three braces", "{{{ name }}}", "Tom & <b>Jerry</b>"],
    ["are not escaped in three braces with a filter", "{{{ name | downcase }}}", "tom & <b>jerry</b>"],
    ["are not escaped with raw", "{{ name | raw }}", "Tom & <b>Jerry</b>"],
    ["are escaped again if a filter follows raw", "{{ '<i>' | raw | upcase }}", "&lt;I&gt;"],
    ["are escaped once if the template escapes them itself", "{{ '<i>' | escape }}", "&lt;i&gt;"],
    ["keep their entities with escape_once", "{{ '&amp; <i>' | escape_once }}", "&amp; &lt;i&gt;"],
    ["are escaped around the line breaks of a filter", "{{ '<i>\n2' | newline_to_br }}", "&lt;i&gt;<br />\n2"],
    ["are escaped when echoed and cycled", "{% echo '<' %}{% cycle '<', '>' %}", "&lt;&lt;"],
    ["are escaped once when captured", "{% capture x %}<b>{{ '<' }}</b>{% endcapture %}{{ x }}", "<b>&lt;</b>"],
    [
      "are escaped after a change of what was captured",
      "{% capture x %}<b>{% endcapture %}{{ x | upcase }}",
      "&lt;B&gt;",
    ],
    ["are escaped when they are a fallback", '{{ missing ?? "<none>" }}', "&lt;none&gt;"],
  ];
  test.each(cases)("%s", (_, source, expected) => expect(html(source)).toBe(expected));
});

test("values in text are never escaped", () => {
  expect(text("{{ name }} {{{ name }}} {{ name | raw }} {{ missing ?? '<none>' }}")).toBe(
    "Tom & <b>Jerry</b> Tom & <b>Jerry</b> Tom & <b>Jerry</b> <none>",
  );
});

describe("keys with spaces", () => {
  const scope = { "First Name": "Ada", "e-mail 2": "x", data: { "First Name": "Bob" }, first: "no", a: 1, b: 2 };
  const cases: readonly Case[] = [
    ["are printed as they are", "Hi {{ First Name }}, {{e-mail 2}}!", "Hi Ada, x!"],
    ["are found under another", "{{ data.First Name }}", "Bob"],
    ["have their own fallback", "{{ first name ?? there }} {{ First Name ?? there }}", "there Ada"],
    ["have filters", "{{ First Name | upcase }} {{{ First Name | raw }}}", "ADA Ada"],
    ["have spaces cut off around them", "[ {{- First Name -}} ]", "[Ada]"],
    ["are none where there are operators", "{{ a and b }} {{ data contains b }}", "true false"],
    ["are printed where Liquid does not parse", "{% if %}{{ First Name }} {{ last name ?? x }}", "{% if %}Ada x"],
  ];
  test.each(cases)("%s", (_, source, expected) => expect(render(source, scope, "text")).toBe(expected));
});

describe("printing", () => {
  const cases: readonly Case[] = [
    ["reaches into objects", "{{ user.address.city }} {{ user['name'] }}", "Köln Eve"],
    ["leaves unknown variables empty", "[{{ missing }}{{ missing.deeper }}{{ user.age }}{{ nothing }}]", "[]"],
    ["leaves an unknown size empty", "[{{ size }}{{ user.size }}]", "[]"],
    ["knows zero and false", "{{ zero }} {{ no }} {{ pi }}", "0 false 3.14"],
    ["joins lists by commas", "{{ tags }}", "red, blue"],
    ["shows objects as JSON", "{{ user }}", '{"name":"Eve","address":{"city":"Köln"}}'],
    [
      "shows lists of objects as JSON",
      "{{ products | map: 'price' }} {{ products | slice: 1 }}",
      '3, 12 [{"title":"Milk","price":12}]',
    ],
    [
      "knows size, first and last of a list",
      "{{ tags.size }} {{ tags.first }} {{ tags.last }} {{ tags[1] }}",
      "2 red blue blue",
    ],
    ["shows dates in UTC", "{{ '2026-01-31T23:30:00Z' | date: '%d %B, %H:%M' }}", "31 January, 23:30"],
  ];
  test.each(cases)("%s", (_, source, expected) => expect(text(source)).toBe(expected));
});

describe("a fallback", () => {
  const cases: readonly Case[] = [
    ["replaces a missing variable", '{{ missing ?? "there" }}', "there"],
    ["replaces an empty one", "{{ unset ?? 'there' }}", "there"],
    ["replaces null", "{{ nothing ?? 'there' }}", "there"],
    ["replaces a missing path", "{{ user.pet.name ?? 'no pet' }}", "no pet"],
    ["does not stand in for a value", '{{ user.name ?? "there" }}', "Eve"],
    ["does not stand in for zero or false", "{{ zero ?? 5 }} {{ no ?? 'yes' }}", "0 false"],
    ["may be a number", "{{ missing ?? 5 | plus: 1 }}", "6"],
    ["may be bare words", "{{ missing ?? my dear friend }}", "my dear friend"],
    ["may be bare words with quotes and backslashes", `{{ missing ?? it's a "\\" }}`, `it's a "\\"`],
    ["may be nothing", "[{{ missing ?? }}]", "[]"],
    ["is a literal, even if a variable has its name", "{{ missing ?? name }}", "name"],
    ["may hold braces and pipes in quotes", '{{ missing ?? "a }} | b" }}', "a }} | b"],
    ["needs no spaces", "{{missing??there}}", "there"],
    ["goes through the filters after it", "{{ missing ?? there | upcase | append: '!' }}", "THERE!"],
    ["may come after filters", "{{ missing | upcase ?? 'there' }}", "there"],
    ["works in three braces", "{{{ missing ?? '<i>' }}}", "<i>"],
    ["works with whitespace control", "a {{- missing ?? b -}} c {{{- missing ?? d -}}} e", "abcde"],
    ["works in assign and case", "{% assign x = missing ?? 'a' %}{% case x ?? b %}{% when 'a' %}A{% endcase %}", "A"],
  ];
  test.each(cases)("%s", (_, source, expected) => expect(text(source)).toBe(expected));
});

describe("tags", () => {
  const cases: readonly Case[] = [
    ["choose", "{% if user.name == 'Eve' %}yes{% else %}no{% endif %}", "yes"],
    [
      "take an empty text, zero and what is missing for false",
      "{% if unset or zero or missing %}a{% else %}b{% endif %}",
      "b",
    ],
    ["choose the other way", "{% unless no %}shown{% endunless %}", "shown"],
    ["choose among many", "{% case user.name %}{% when 'Bob' %}B{% when 'Eve' %}E{% endcase %}", "E"],
    ["repeat", "{% for p in products %}{{ forloop.index }}. {{ p.title }} {% endfor %}", "1. Tea & Co 2. Milk "],
    ["repeat over a range", "{% for i in (1..tags.size) reversed %}{{ i }}{% endfor %}", "21"],
    ["repeat over nothing", "{% for p in missing %}x{% else %}none{% endfor %}", "none"],
    [
      "keep what is raw",
      "{% raw %}{{ name ?? x }} {{{ name }}} {% if %}{% endraw %}",
      "{{ name ?? x }} {{{ name }}} {% if %}",
    ],
    ["hide comments, whatever they contain", "a{% comment %} it's {{ broken ?? {% foo {% endcomment %}b", "ab"],
    ["count without touching the variables", "{% increment zero %}{% increment zero %}", "01"],
  ];
  test.each(cases)("%s", (_, source, expected) => expect(text(source)).toBe(expected));

  test("leave the caller's variables alone", () => {
    const scope = Object.freeze({ seen: 1 });
    expect(render("{% increment seen %}{% assign seen = 7 %}{{ seen }}", scope, "text")).toBe("17");
    expect(scope).toEqual({ seen: 1 });
  });
});

describe("one pass", () => {
  const cases: readonly Case[] = [
    ["a value", "{{ hostile }}", SCOPE.hostile],
    ["a value in three braces", "{{{ hostile }}}", SCOPE.hostile],
    ["a captured value", "{% capture x %}{{ hostile }}{% endcapture %}{{ x }}", SCOPE.hostile],
    ["a value in a body that does not parse", "{% foo %}{{ hostile }}", `{% foo %}${SCOPE.hostile}`],
  ];
  test.each(cases)("%s is never rendered again", (_, source, expected) => expect(text(source)).toBe(expected));
});

describe("nothing but the variables themselves can be reached", () => {
  const sources = [
    "{{ constructor }}{{ __proto__ }}{{ toString }}{{ hasOwnProperty }}",
    "{{ name.constructor }}{{ name.trim }}{{ name.__proto__ }}",
    "{{ tags.map }}{{ tags.constructor.constructor }}{{ tags['push'] }}",
    "{{ user.constructor.name }}{{ user.__proto__.toString }}{{ user['__proto__'] }}",
    "{{ products | map: 'constructor' | join: '' }}{{ products | where: '__proto__' }}",
    "{% for i in tags %}{{ forloop.constructor }}{{ forloop.__proto__ }}{% endfor %}{{ empty.constructor }}",
    "{% assign k = 'constructor' %}{{ user[k] }}{{ tags[k] }}{{ name[k] }}",
  ];
  test.each(sources)("%s", (source) => expect(text(source)).toBe(""));

  test("even in a body that does not parse", () => {
    expect(text("{% foo %}{{ constructor }}{{ tags.map }}{{ name.trim }}{{ user.__proto__.toString }}")).toBe(
      "{% foo %}",
    );
  });

  test("but a variable may have such a name", () => {
    const scope = JSON.parse('{"constructor": "builder", "__proto__": "x", "user": {"toString": "y"}}') as Record<
      string,
      unknown
    >;
    expect(render("{{ constructor }} {{ __proto__ }} {{ user.toString }}", scope, "text")).toBe("builder x y");
  });
});

describe("a body that does not parse is left as it is, but for its plain variables", () => {
  const cases: readonly Case[] = [
    ["an open end", "{{ user.name }} says {{ hello", "Eve says {{ hello"],
    ["an unknown tag", "{% foo %} {{ user.name }}", "{% foo %} Eve"],
    ["a tag that is not closed", "{% if user %}Hi {{ user.name }}", "{% if user %}Hi Eve"],
    ["a stray end", "{{ user.name }}{% endif %}", "Eve{% endif %}"],
    ["a partial", "{% include 'secret' %}{{ user.name }}", "{% include 'secret' %}Eve"],
    ["an unknown filter", "{{ user.name | nope }} {{ user.name }}", "{{ user.name | nope }} Eve"],
    ["an apostrophe", "{{ it's }} {{ user.name }}", "{{ it's }} Eve"],
    ["a percentage", "Save 20{% today, {{ user.name }}", "Save 20{% today, Eve"],
    ["a script", "<script>f({{}}); if(a){{b:1}}</script>{{ user.name }}", "<script>f({{}}); if(a){{b:1}}</script>Eve"],
    [
      "fallbacks",
      "{% foo %}{{ missing ?? \"a|{}\" }} {{ unset ?? 'b' }} {{ missing ?? it's me }}",
      "{% foo %}a|{} b it&#x27;s me",
    ],
    ["escaping", "{% foo %}{{ name }} {{{ name }}}", "{% foo %}Tom &amp; &lt;b&gt;Jerry&lt;/b&gt; Tom & <b>Jerry</b>"],
    ["single braces around", "{% foo %}{{{ user.name }}|{{ user.name }}}", "{% foo %}{Eve|Eve}"],
    ["what is missing", "{% foo %}[{{ missing }}{{ user.pet.name }}]", "{% foo %}[]"],
    ["lists and zero", "{% foo %}{{ tags }} {{ zero }}", "{% foo %}red, blue 0"],
  ];
  test.each(cases)("%s", (_, source, expected) => expect(html(source)).toBe(expected));
});

test("a source without variables passes through untouched", () => {
  const css = "<style>@media print { p { color: red } }</style> 100 % { } }} %} \r\n";
  expect(hasVariables(css)).toBe(false);
  expect(html(css)).toBe(css);
  expect([hasVariables("{{ x }}"), hasVariables("{% x %}")]).toEqual([true, true]);
});

describe("a header", () => {
  test("never gets a line break from a value", () => {
    expect(renderHeader("Hi {{ lines }}!", SCOPE)).toBe("Hi one Bcc: eve@example.com two three four five!");
  });

  test("never gets one from the template", () => {
    expect(renderHeader("Hi\r\nBcc: x", {})).toBe("Hi Bcc: x");
    expect(renderHeader("{% if user %}\n{{ user.name }}\n{% endif %}", SCOPE)).toBe(" Eve ");
    expect(renderHeader("{% foo %}\n{{ lines }}", SCOPE)).not.toMatch(/[\r\n\u2028\u0000]/);
  });

  test("is not escaped", () => expect(renderHeader("{{ name }}", SCOPE)).toBe(SCOPE.name));
});
