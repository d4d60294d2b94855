// What is refused when a template or a campaign is saved (docs/templates.md).
import { describe, expect, test } from "bun:test";
import { checkSyntax, TemplateSyntaxError } from "../../src/content/templates/liquid/render.ts";

const NO_OPERATOR = 'two values without an operator between them; a key with spaces is data["First Name"]';

describe("a syntax error is found when a template is saved", () => {
  const cases: readonly (readonly [source: string, message: string, line: number, column: number])[] = [
    ["Hello {{ name", '"{{" without "}}"', 1, 7],
    ["a\n  {% if x %}\nb", '"if" without "endif"', 2, 3],
    ["{% for i in x %}\n{% endif %}", '"endif" without its opening tag', 2, 1],
    ["{% foo %}", 'unknown tag "foo"', 1, 1],
    ["{% if x", '"{%" without "%}"', 1, 1],
    ["\n\n {{ name | nope }}", 'unknown filter "nope"', 3, 2],
    ["{{ a ?? some words }}{{{ b }}} {{ c | nope }}", 'unknown filter "nope"', 1, 32],
    ["{% comment %}\n{{ it's\n{% endcomment %} {{ c | nope }}", 'unknown filter "nope"', 3, 18],
    ["{% raw %}\nx", '"raw" without "endraw"', 1, 10],
    ["{% comment %} x", '"comment" without "endcomment"', 1, 1],
    ["{{ }}", "a value is missing or cannot be read", 1, 4],
    ["{{{ a }}", "a value is missing or cannot be read", 1, 3],
    ["x {% if a ?? b %}{% endif %}", '"??" cannot stand in this tag', 1, 11],
    ["a {{ name.}}", "a value is missing or cannot be read", 1, 6],
    ["{{ .name }}", "a value is missing or cannot be read", 1, 4],
    ["{{> partial}}", "a value is missing or cannot be read", 1, 3],
    ["{% if plan != 'pro' or %}{% endif %}", "a value is missing or cannot be read", 1, 21],
    ["{% if a %}{% elsif First Name %}{% endif %}", NO_OPERATOR, 1, 26],
    ["{% for x in y %}\n{% unless a b %}{% endunless %}{% endfor %}", NO_OPERATOR, 2, 13],
    ["{{ 'a' 'b' }}", NO_OPERATOR, 1, 8],
    ["{{ a ?? b c }}{{ d 'e' }}", NO_OPERATOR, 1, 20],
    ["{% include 'a' %}", 'unknown tag "include"', 1, 1],
    ["{% render 'a' %}", 'unknown tag "render"', 1, 1],
    ["{% layout 'a' %}", 'unknown tag "layout"', 1, 1],
    ["{% block a %}{% endblock %}", 'unknown tag "block"', 1, 1],
  ];
  test.each(cases)("%s", (source, message, line, column) => {
    const error = syntaxErrorOf(source);
    expect(error).toBeInstanceOf(TemplateSyntaxError);
    expect(error).toMatchObject({ line, column, message: `${message} (line ${line}, column ${column})` });
  });

  test("if it is longer than can be parsed", () => {
    expect(syntaxErrorOf("{{".padEnd(500_001, "x"))?.message).toStartWith("longer than 500000 characters");
  });

  test("with the place where its code becomes longer than can be parsed", () => {
    const message = "more than 20000 characters in {{ }} and {% %} (line 2001, column 1)";
    expect(syntaxErrorOf("{{a}}\n".repeat(390_000 / 6))?.message).toBe(message);
    expect(syntaxErrorOf("{{a}}\n".repeat(2_000))).toBeUndefined();
  });

  test("with no more code than stands outside of comments and raw text", () => {
    const text = `${"x".repeat(200_000)}{{`;
    expect(syntaxErrorOf(`{% comment %}${text}{% endcomment %}{% raw %}${text}{% endraw %}`)).toBeUndefined();
  });

  const sound = [
    "",
    "}} %} {",
    "{{ a.b ?? c | upcase }}",
    "{% raw %}{{ {% endraw %}",
    "{{{ a }}}",
    "{% if a == '??' %}{% endif %}",
    "{% # what?? %}",
    "{{ First Name ?? some words }} {{ data.First Name | upcase }}",
    "{% if not a and b contains 'c' or d == blank and (1..3) contains e['f'].g %}{% elsif h != -1.5 %}{% endif %}",
    "{% case a %}{% when 1, 'b' or 2 %}{% else %}{% endcase %}{% assign x = a | default: b | append: 'c', 'd' %}",
    "{% for x in y limit: 2 reversed %}{{ forloop.index }}{% endfor %}{% cycle 'a', 'b' %}{% echo a %}",
    "{% capture z %}{{ a }}{% endcapture %}{% tablerow r in s cols: 2 %}{{ r }}{% endtablerow %}{% increment i %}",
    "{% liquid assign q = 1 %}",
  ];
  test.each(sound)("and none in %p", (source) => expect(syntaxErrorOf(source)).toBeUndefined());
});

function syntaxErrorOf(source: string): TemplateSyntaxError | undefined {
  try {
    checkSyntax(source);
    return undefined;
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return error;
    throw error;
  }
}
