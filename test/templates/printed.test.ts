// Where the values of variables stand in what a template prints, and what becomes of these places when the text changes.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { changed, cut, inserted, withoutValues, type Printed } from "../../src/templates/printed.ts";
import { print, printHeader, type TemplateFormat } from "../../src/templates/render.ts";

const SCOPE = { name: "Ann", both: "Tom & <b>", list: ["x", "y"], empty: "", lines: "a\nb", no: 7 };

const shownIn = ({ text, values }: Printed) => values.map(([start, end]) => text.slice(start, end));
const valuesOf = (source: string, format: TemplateFormat = "html") => shownIn(print(source, SCOPE, format));

describe("the places of values are known", () => {
  test.each<[what: string, source: string, values: string[]]>([
    ["as they are printed", "Ann {{ name }}, {{ both }}: {{ no }}", ["Ann", "Tom &amp; &lt;b&gt;", "7"]],
    ["side by side", "{{ name }}{{ no }}{{ name }}", ["Ann", "7", "Ann"]],
    ["after filters", "{{ name | upcase }} {{ both | escape }}", ["ANN", "Tom &amp; &lt;b&gt;"]],
    ["after a filter that follows escaping", "{{ both | escape | upcase }}", ["TOM &amp;AMP; &amp;LT;B&amp;GT;"]],
    ["in conditions and loops", "{% if no %}{% for x in list %}{{ x }}.{% endfor %}{% endif %}", ["x", "y"]],
    ["of other tags that print", "{% echo name %} {% cycle 'a', 'b' %}", ["Ann", "a"]],
    ["with a fallback", '{{ missing ?? "friend" }}', ["friend"]],
  ])("%s", (_what, source, values) => expect(valuesOf(source)).toEqual(values));

  test.each<[what: string, source: string]>([
    ["empty", "{{ empty }}{{ missing }}"],
    ["printed as they are", "{{ name | raw }}{{{ name }}}"],
    ["captured", "{% capture x %}<b>{{ name }}</b>{% endcapture %}{{ x }}"],
    ["changed on the way", "{{ lines | newline_to_br }}"],
    ["assigned only", "{% assign x = name %}Ann"],
    ["in what does not parse", "{% foo %}{{ name }}"],
  ])("but not of those that are %s", (_what, source) => expect(valuesOf(source)).toEqual([]));

  test("in texts, where nothing is escaped", () => expect(valuesOf("Hi {{ both }}", "text")).toEqual(["Tom & <b>"]));

  test("in headers, unless something had to be replaced", () => {
    expect(shownIn(printHeader("Hi {{ name }}", SCOPE))).toEqual(["Ann"]);
    expect(shownIn(printHeader("Hi {{ name }} {{ lines }}", SCOPE))).toEqual([]);
  });

  test("up to so many as somebody asks for", () => {
    expect(valuesOf("{% for i in (1..9999) %}{{ i }}{% endfor %}").length).toBeLessThan(1_000);
  });
});

describe("the places of values move with the text", () => {
  const printed = fc
    .array(fc.tuple(fc.string({ maxLength: 4 }), fc.string({ minLength: 1, maxLength: 4 })), { maxLength: 4 })
    .map((pairs) => {
      return pairs.reduce<Printed>(({ text, values }, [before, value]) => {
        const start = text.length + before.length;
        return { text: text + before + value, values: [...values, [start, start + value.length]] };
      }, withoutValues(""));
    });

  test("when something is put in", () => {
    fc.assert(
      fc.property(printed, printed, fc.nat(), (one, other, anywhere) => {
        const at = anywhere % (one.text.length + 1);
        const both = inserted(one, at, other);
        const whole = one.values.filter(([start, end]) => at <= start || at >= end);
        expect(both.text).toBe(one.text.slice(0, at) + other.text + one.text.slice(at));
        const before = whole.filter(([, end]) => end <= at).length;
        expect(shownIn(both)).toEqual(shownIn({ ...one, values: whole }).toSpliced(before, 0, ...shownIn(other)));
      }),
    );
  });

  test("when a part is cut out", () => {
    expect(shownIn(cut(print(" {{ name }} and {{ name }} ", SCOPE, "text"), 2, 10))).toEqual(["nn", "A"]);
    fc.assert(fc.property(printed, (one) => expect(cut(one, 0, one.text.length)).toEqual(one)));
  });

  test("when each character becomes another one", () => {
    fc.assert(
      fc.property(printed, (one) => {
        const escaped = changed(one, Bun.escapeHTML);
        expect(escaped.text).toBe(Bun.escapeHTML(one.text));
        expect(shownIn(escaped)).toEqual(shownIn(one).map((value) => Bun.escapeHTML(value)));
      }),
    );
  });
});
