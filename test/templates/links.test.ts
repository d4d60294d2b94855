// Variables in links: percent-encoded where they are a part of a URL.
import { describe, expect, test } from "bun:test";
import { threadCpuMs } from "../../src/base/clock.ts";
import { Budget } from "../../src/content/templates/liquid/budget.ts";
import { plainHeader, render, renderHeader } from "../../src/content/templates/liquid/render.ts";

const scope = {
  email: "a+b&c@x.example",
  path: "a b/ü",
  query: "u=1&v=2",
  url: "https://h.example/p?x=1",
  encoded: "a%40b",
  host: "shop.example",
  "First Name": "Ann Bo",
};

test.each<[source: string, made: string]>([
  ['<a href="https://a.example/?e={{ email }}">', '<a href="https://a.example/?e=a%2Bb%26c%40x.example">'],
  ["<a href='https://a.example/?e={{ email }}'>", "<a href='https://a.example/?e=a%2Bb%26c%40x.example'>"],
  ["<a href=https://a.example/?e={{email}}>", "<a href=https://a.example/?e=a%2Bb%26c%40x.example>"],
  ['<img src="https://a.example/p.png?e={{email}}">', '<img src="https://a.example/p.png?e=a%2Bb%26c%40x.example">'],
  ['<a href="/u?n={{ First Name }}&f={{ no ?? "x y" }}">', '<a href="/u?n=Ann%20Bo&f=x%20y">'],
  ['<a href="{{ url }}">', '<a href="https://h.example/p?x=1">'],
  ['<a href="{{ url }}&e={{ email }}">', '<a href="https://h.example/p?x=1&e=a%2Bb%26c%40x.example">'],
  ['<a href="https://{{ host }}/x">', '<a href="https://shop.example/x">'],
  ['<a href="https://a.example/{{ path }}">', '<a href="https://a.example/a%20b/%C3%BC">'],
  ['<a href="https://a.example/?{{ query }}">', '<a href="https://a.example/?u=1&amp;v=2">'],
  [
    '<a href="https://a.example/?next={{ url }}">',
    '<a href="https://a.example/?next=https%3A%2F%2Fh.example%2Fp%3Fx%3D1">',
  ],
  ['<a href="https://a.example/?e={{ encoded }}">', '<a href="https://a.example/?e=a%40b">'],
  ['<a href="https://a.example/?e={{ email | url_encode }}">', '<a href="https://a.example/?e=a%2Bb%26c%40x.example">'],
  ['<a href="https://a.example/?e={{{ email }}}">', '<a href="https://a.example/?e=a+b&c@x.example">'],
  [
    '<a href="https://a.example/{% if email %}?e={{ email }}{% endif %}">',
    '<a href="https://a.example/?e=a%2Bb%26c%40x.example">',
  ],
  ['<a href="mailto:{{ email }}?subject={{ path }}">', '<a href="mailto:a+b&amp;c@x.example?subject=a%20b%2F%C3%BC">'],
  ['<p title="?e={{ email }}">{{ email }}</p>', '<p title="?e=a+b&amp;c@x.example">a+b&amp;c@x.example</p>'],
])("%s", (source, made) => {
  expect(render(source, scope, "html")).toBe(made);
});

test.each<[source: string, made: string]>([
  [
    '<img srcset="https://a.example/p.png?e={{ email }} 2x">',
    '<img srcset="https://a.example/p.png?e=a%2Bb%26c%40x.example 2x">',
  ],
  [
    `<p style="background:url('https://a.example/p.png?e={{ email }}')">`,
    `<p style="background:url('https://a.example/p.png?e=a%2Bb%26c%40x.example')">`,
  ],
  ['<p style="color:{{ path }}">', '<p style="color:a b/ü">'],
])("%s", (source, made) => {
  expect(render(source, scope, "html")).toBe(made);
});

describe("in a text, a variable is encoded as a part of a link, and is otherwise what it is", () => {
  test.each<[source: string, made: string]>([
    ["https://a.example/?e={{ email }}", "https://a.example/?e=a%2Bb%26c%40x.example"],
    [
      "See (http://a.example/{{ path }}/?e={{email}}&x=1) {{ path }}",
      "See (http://a.example/a%20b/%C3%BC/?e=a%2Bb%26c%40x.example&x=1) a b/ü",
    ],
    ["https://a.example/?a=1\n{{ email }}", "https://a.example/?a=1\na+b&c@x.example"],
    ["https://{{ host }}/{{ path }}", "https://shop.example/a%20b/%C3%BC"],
    ["{{ url }} and {{ email }}", "https://h.example/p?x=1 and a+b&c@x.example"],
    ["https://a.example/?e={{{ email }}}", "https://a.example/?e=a+b&c@x.example"],
    ["https://a.example/?e={{ email | url_encode }}", "https://a.example/?e=a%2Bb%26c%40x.example"],
    ["https://a.example/{% if email %}?e={{ email }}{% endif %}", "https://a.example/?e=a%2Bb%26c%40x.example"],
    ["mail {{ email }}?e={{ email }}", "mail a+b&c@x.example?e=a+b&c@x.example"],
  ])("%s", (source, made) => {
    expect(render(source, scope, "text")).toBe(made);
  });

  test("a subject too, whether it is known before the mail leaves or not", () => {
    const subject = "https://a.example/?e={{ email }}";
    expect(renderHeader(subject, scope)).toBe("https://a.example/?e=a%2Bb%26c%40x.example");
    expect(plainHeader(subject, () => scope)).toBeNull();
  });

  test("in time in proportion to its length", () => {
    const codes = "{{x}}".repeat(1_900);
    for (const source of [
      "https://".repeat(50_000),
      `https://a/?${codes}`,
      "https://a/?{{x}}".repeat(1_900),
      "h".repeat(400_000) + codes,
    ]) {
      const startMs = threadCpuMs();
      render(source, scope, "text", { budget: new Budget(10_000) });
      expect(threadCpuMs() - startMs).toBeLessThan(1_000);
    }
  });
});
