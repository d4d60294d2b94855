// No template can take the process down, or fail a send.
import { describe, expect, test } from "bun:test";
import { render } from "../../src/templates/render.ts";
import { cpuMs } from "../support/cpu.ts";

const SCOPE = { user: { name: "Eve" }, zero: 0 };

const text = (source: string): string => render(source, SCOPE, "text");

describe("a template that goes too far ends at a limit, with its plain variables filled in", () => {
  const doubling = (assignment: string): string => `{% for i in (1..60) %}${assignment}{% endfor %}{{ a }}`;
  const sources = [
    "{% for i in (1..100000000) %}x{% endfor %}",
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

  test("after a second at most", () => {
    const source = "{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}{{ user.name }}";
    expect(text(source)).toEndWith("{% endfor %}Eve");
  });

  test("even in the middle of a filter", () => {
    const before = cpuMs();
    expect(text("{{ (1..9000000) | find_exp: 'x', 'x == 0' }}{{ user.name }}")).toEndWith("}}Eve");
    expect(cpuMs() - before).toBeLessThan(5_000);
  });

  test("even if its tags or its values are nested beyond the stack", () => {
    const nested = `${"{% if user %}".repeat(50_000)}{{ user.name }}${"{% endif %}".repeat(50_000)}`;
    expect(text(nested)).toContain("{% if user %}Eve{% endif %}");
    let deep: unknown = "bottom";
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(render("{{ user.name }}{{ deep }}!", { ...SCOPE, deep }, "text")).toBe("Eve!");
  });

  test("even if it is longer than can be parsed", () => {
    const long = "x".repeat(2_000_000);
    expect(text(`${long}{{ user.name }}`)).toBe(`${long}Eve`);
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
