// No template can take the process down, or fail a send.
import { describe, expect, test } from "bun:test";
import { Budget, OverBudget } from "../../src/content/templates/liquid/budget.ts";
import { checkSyntax, render, renderHeader, TemplateSyntaxError } from "../../src/content/templates/liquid/render.ts";
import { expectCpuBelow } from "../support/cpu-time.ts";

const SCOPE = { user: { name: "Eve" }, zero: 0 };

const text = (source: string): string => render(source, SCOPE, "text");

describe("a template that goes too far ends at a limit, with its plain variables filled in", () => {
  const doubling = (assignment: string): string => `{% for i in (1..60) %}${assignment}{% endfor %}{{ a }}`;
  const sources = [
    "{% for i in (1..100000000) %}x{% endfor %}",
    "{{ (1..9000000) | find_exp: 'x', 'x == 0' }}",
    "{{ (1..300000) | sort | size }}",
    "{% for i in (9007199254740992..9007199254740994) %}x{% endfor %}",
    "{% assign n = 9007199254740992 %}{% assign m = n | plus: 4 %}{{ (n..m) | join }}",
    `{% for i in (1..9000000) %}${"y".repeat(10_000)}{% endfor %}`,
    `{% tablerow i in (1..9000000) %}${"y".repeat(10_000)}{% endtablerow %}`,
    doubling("{% capture a %}{{ a }}{{ a }}.{% endcapture %}"),
    doubling("{% assign a = a | append: a | append: '.' %}"),
    doubling("{% assign a = a | push: a %}"),
    doubling("{% assign b = a | group_by: 'z' | map: 'items' %}{% assign a = b | concat: b | push: 1 %}"),
    "{{ 1 | date: '%999999999d' }}",
    "{{ 'x' | append }}",
    "{{ '%' | url_decode }}",
  ];
  test.each(sources.map((source) => [source.slice(0, 90), source]))("%s", (_, source) => {
    expect(text(`{{ user.name }}${source}{{ zero }}`)).toStartWith("Eve{");
  });

  test("even if its tags or its values are nested beyond the stack", () => {
    const nested = `${"{% if user %}".repeat(50_000)}{{ user.name }}${"{% endif %}".repeat(50_000)}`;
    expect(text(nested)).toContain("{% if user %}Eve{% endif %}");
    let deep: unknown = "bottom";
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    const budget = new Budget(60_000);
    expect(render("{{ user.name }}{{ deep }}!", { ...SCOPE, deep }, "text", { budget })).toBe("Eve!");
  });

  test("even if it is longer than can be parsed", () => {
    const long = "x".repeat(2_000_000);
    expect(text(`${long}{{ user.name }}`)).toBe(`${long}Eve`);
  });
});

describe("a template that takes more processor time than it may is given up wherever it is", () => {
  const list = "{% assign l = (1..200000) %}{% assign m = (1..200000) %}";
  const sources = [
    "{% for i in (1..900) %}{% for j in (1..900) %}{{ user.name }}{% endfor %}{% endfor %}",
    `${list}{% for i in l %}{% for j in l %}{% endfor %}{% endfor %}`,
    `${list}{% for i in l %}{% assign n = l | find_exp: 'x', 'x == 0' %}{% endfor %}`,
    `${list}{{ l | where_exp: "x", "x == 0" | size }}`,
    `${list}{% for i in (1..99) %}{% if l contains 0 %}{% endif %}{% endfor %}`,
    `${list}{% for i in (1..99) %}{% if l == m %}{% endif %}{% endfor %}`,
    `{% for i in (1..200000) %}{% if a${" or a".repeat(1_000)} %}{% endif %}{% endfor %}`,
    "{% for i in (1..200000) %}{{ 'now' | date: '%c', 'Europe/Berlin' }}{% endfor %}",
  ];
  test.each(sources)("%s", async (source) => {
    await expectCpuBelow(2_000, () => expect(() => text(source)).toThrow(OverBudget));
  });

  test("also while the plain variables of what does not parse are filled in", () => {
    const data = { list: Array(10_000).fill("word") };
    expect(() => render(`{% if %}${"{{ data }}".repeat(40_000)}`, { data }, "text")).toThrow(OverBudget);
  });

  test("with one budget for all texts of a mail together", () => {
    const some = "{% for i in (1..900) %}{% for j in (1..90) %}{% endfor %}{% endfor %}x";
    const budget = new Budget();
    const rendered = () => Array.from({ length: 100 }, () => render(some, SCOPE, "html", { budget }));
    expect(rendered).toThrow("Rendering takes more than 100 ms of processor time.");
    expect(() => renderHeader("{{ user.name }}", SCOPE, { budget })).toThrow(OverBudget);
    expect(render("{{ user.name }}", SCOPE, "html", { budget: new Budget() })).toBe("Eve");
  });

  test("and time in which the thread does not work counts for nothing", () => {
    const budget = new Budget();
    Bun.sleepSync(150);
    expect(render("{{ user.name }}{% for i in (1..3) %}{{ i }}{% endfor %}", SCOPE, "html", { budget })).toBe("Eve123");
  });
});

describe("a placeholder that never ends", () => {
  const LONG = 2_400_000;
  const INSIDE = [" ", "\n", "a ", "a.", "a-", "a", "|", "?? ", '"x"'];

  test.each(INSIDE)("is not read to its end to be refused: %j", async (inside) => {
    const source = `<p>{{ ${inside.repeat(LONG / inside.length)} }}</p>`;
    await expectCpuBelow(200, () => expect(() => checkSyntax(source)).toThrow(TemplateSyntaxError));
  });

  test.each(INSIDE)("is left as it is where it cannot be refused: %j", async (inside) => {
    const source = `{{ ${inside.repeat(240_000 / inside.length)}`;
    await expectCpuBelow(200, () => expect(text(source)).toBe(source));
  });
});

test("hostile sources cost no more than their length", () => {
  const patterns = [
    '"',
    "{{ '",
    '{{a??"',
    "{{ a ?? ",
    "{{{ ",
    "{% raw %}{%",
    "{% assign a = b ?? c",
    "{% comment %}",
    "{{a.",
    '{{ "\\"',
    "a-b ",
    "{{ First Name ",
  ];
  for (const pattern of patterns) {
    const source = `{{ ${pattern.repeat(200_000)}`;
    expect(text(source)).toHaveLength(source.length);
  }
});
