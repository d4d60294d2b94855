// Which variables a template printed in vain: told from what it does, not from how it is spelled.
import { expect, test } from "bun:test";
import { MissingPaths } from "../../src/content/templates/liquid/liquid-context.ts";
import { render, type RenderScope } from "../../src/content/templates/liquid/render.ts";

function missingIn(source: string, scope: RenderScope): string[] {
  const missing = new MissingPaths();
  expect(render(source, scope, "html", { missing })).toBe(render(source, scope, "html"));
  return missing.paths;
}

const scope = {
  name: "Ada",
  hollow: "",
  nothing: null,
  zero: 0,
  no: false,
  order: { number: 7, lines: [{ title: "Tea", price: 2 }, { title: "Milk" }] },
};

const cases: readonly [what: string, source: string, missing: readonly string[]][] = [
  ["none that has a value", "{{ name }} {{ order.number }} {{ zero }} {{ no }} {{{ name }}}", []],
  ["one that is not there", "Hello {{ nick }}", ["nick"]],
  ["one that is empty or null", "{{ hollow }}{{ nothing }}", ["hollow", "nothing"]],
  ["a field of what is there, and of what is not", "{{ order.date }} {{ user.name }}", ["order.date", "user.name"]],
  ["each once, in the order of the text", "{{ b }}{{ a }}{{ b }}{{{ c }}}", ["b", "a", "c"]],
  [
    "none with a fallback",
    `{{ nick ?? "there" }} {{ nick | default: "you" }} {{ nick ?? name }} {{ a ?? b ?? "c" }}`,
    [],
  ],
  ["one that goes through filters", "{{ nick | upcase }}", ["nick"]],
  ["what a filter is given", "{{ name | append: suffix }}", ["suffix"]],
  [
    "none that is only asked about",
    "{% if nick %}a{% endif %}{% unless x %}b{% endunless %}{% case y %}{% when 1 %}{% endcase %}",
    [],
  ],
  ["none of a branch that is not taken", "{% if nick %}{{ nick }}{% else %}{{ name }}{% endif %}", []],
  [
    "those of the branch that is taken",
    "{% if name %}{{ nick }}{% else %}{{ other }}{% endif %}{{ last }}",
    ["nick", "last"],
  ],
  [
    "a field that some items of a list lack",
    "{% for line in order.lines %}{{ line.title }}{{ line.price }}{% endfor %}",
    ["line.price"],
  ],
  ["a list that is not there", "{% for line in lines %}{{ line.title }}{% endfor %}", ["lines"]],
  ["what an own variable is made of, not the variable", "{% assign x = nick | upcase %}{{ x }}", ["nick"]],
  ["none that an own variable has a fallback for", `{% assign x = nick ?? "you" %}{{ x }}`, []],
  [
    "none inside text, a comment or a quotation",
    `name nick {% comment %}{{ nick }}{% endcomment %}{% raw %}{{ nick }}{% endraw %}{{ "nick" }}`,
    [],
  ],
  ["what stands after a loop that was left", "{% for i in order.lines %}{% break %}{% endfor %}{{ nick }}", ["nick"]],
  ["what is captured", "{% capture x %}{{ nick }}{% endcapture %}{{ x }}", ["nick"]],
];

test.each(cases)("%s", (_, source, missing) => {
  expect(missingIn(source, scope)).toEqual([...missing]);
});

test("a hundred at most", () => {
  const source = Array.from({ length: 200 }, (_, index) => `{{ v${index} }}`).join("");
  expect(missingIn(source, {})).toHaveLength(100);
});
