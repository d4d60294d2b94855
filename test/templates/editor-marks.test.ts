// What visual editors leave in placeholders is repaired when a source is saved, and nothing else is changed.
import { describe, expect, test } from "bun:test";
import { threadCpuMs } from "../../src/base/clock.ts";
import { withoutEditorMarks } from "../../src/content/templates/design/editor-marks.ts";
import type { Json } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

describe("in HTML", () => {
  test.each<[what: string, source: string, meant: string]>([
    ["entities of quotes", "{{ nick ?? &quot;you&quot; }}", '{{ nick ?? "you" }}'],
    ["numbered entities", "{{ nick ?? &#34;you&#x22; }}", '{{ nick ?? "you" }}'],
    ["single quotes", "{{ nick ?? &#39;you&#39; }}", "{{ nick ?? 'you' }}"],
    ["an invisible sign beside a name", "{{\u200bname}} {{ name\ufeff }}", "{{name}} {{ name }}"],
    ["its entity", "{{&ZeroWidthSpace;name&#8203;}}", "{{name}}"],
    ["blanks that do not break", "{{&nbsp;name\u00a0}}", "{{ name }}"],
    ["typographic quotes", "{{ nick ?? “it’s you” }}", '{{ nick ?? "it’s you" }}'],
    ["German ones", "{{ nick ?? „du“ }}", '{{ nick ?? "du" }}'],
    ["French ones", "{{ nick ?? «toi» }}", '{{ nick ?? "toi" }}'],
    ["single typographic ones", "{{ nick ?? ‘you’ }}", '{{ nick ?? "you" }}'],
    ["quotes and what stands in them", "{{ x ?? &ldquo;A &amp; B&rdquo; }}", '{{ x ?? "A & B" }}'],
    ["an entity in a text", '{{ x ?? "A &amp; B" }}', '{{ x ?? "A & B" }}'],
    ["tags around the name", "{{ <b>name</b> }}", "<b>{{ name }}</b>"],
    ["a tag with a style", '{{<span style="color: red">name</span>}}', '<span style="color: red">{{name}}</span>'],
    ["a tag that begins within", "{{ <i>name }}</i>", "<i>{{ name }}</i>"],
    ["a tag between the braces", "{<b>{ name }</b>}", "<b>{{ name }}</b>"],
    ["encoded braces", "&#123;&#123; name &#125;&#125;", "{{ name }}"],
    [
      "an encoded link",
      '<a href="https://a.example/?e=%7B%7Bemail%7D%7D">',
      '<a href="https://a.example/?e={{email}}">',
    ],
    ["a condition", "{% if plan == &quot;pro&quot; &amp;&amp; n &gt; 3 %}", '{% if plan == "pro" && n > 3 %}'],
    ["an attribute", '<a title="Hi {{ nick ?? &quot;you&quot; }}">', `<a title="Hi {{ nick ?? 'you' }}">`],
  ])("%s", (_, source, meant) => {
    expect(withoutEditorMarks(`<p>${source}</p>`, "html")).toBe(`<p>${meant}</p>`);
    expect(withoutEditorMarks(`<p>${meant}</p>`, "html")).toBe(`<p>${meant}</p>`);
  });

  test.each([
    '<p>&quot;Hello&quot; “you” {{ nick ?? "you" }}</p>',
    "{{ name ?? there’s nobody }}",
    '{{{ html ?? "&lt;b&gt;" }}}',
    '{{ html ?? "&lt;b&gt;" | raw }}',
    '{{ x ?? "<b>you</b>" }}',
    '{{ x ?? "👩‍👩‍👧" }}',
    "{% raw %}{{ a ?? &quot;b&quot; }}{% endraw %}",
    "{% comment %}{{ &nbsp; {% endcomment %}",
    "<style>@media print{.a{color:red}}</style>",
    "{% if a < b and c > d %}x{% endif %}",
    "{{ <p>name</p> }}",
    "{{ name &quot;",
  ])("not %p", (source) => {
    expect(withoutEditorMarks(source, "html")).toBe(source);
  });
});

test("in a text, tags and entities of the text are no marks", () => {
  expect(withoutEditorMarks("Hi {{ nick ?? &quot;you&quot; }}, {{\u200bname}} <b>&amp;</b>", "text")).toBe(
    'Hi {{ nick ?? "you" }}, {{name}} <b>&amp;</b>',
  );
  expect(withoutEditorMarks('{{ a ?? "A &amp; B" }}', "text")).toBe('{{ a ?? "A &amp; B" }}');
});

test("a source that is all marks is done in proportion to its length (slow)", () => {
  for (const piece of [
    "{{",
    "{{ ",
    "{% ",
    "{<!--",
    '{<b a="',
    "}<b>}",
    "<a ",
    "<a x",
    "{{&}}",
    "{{ ‘}}",
    "{{<b }}",
    '<a href="{{x}}',
  ]) {
    for (const kind of ["html", "text"] as const) {
      const startMs = threadCpuMs();
      withoutEditorMarks(piece.repeat(500_000 / piece.length), kind);
      expect(threadCpuMs() - startMs).toBeLessThan(1_000);
    }
  }
});

const MARKED = "<p>Hi {{ nick ?? &quot;you&quot; }}, {{\u200bname}}!</p>";
const MEANT = '<p>Hi {{ nick ?? "you" }}, {{name}}!</p>';

test("a template is stored repaired, and the answer says so", async () => {
  await using posthorn = await workspace();
  const letter = { name: "Hello", subject: "For {{ nick ?? “you” }}", body: MARKED, type: "TRANSACTIONAL" };
  const { body: made } = await ask(posthorn, "POST /templates", { body: letter });
  expect(made).toMatchObject({ subject: 'For {{ nick ?? "you" }}', body: MEANT });
  expect(made.warnings.map(({ field }: { field: string }) => field)).toEqual(["subject", "body"]);
  const { body: changed } = await ask(posthorn, `PATCH /templates/${made.id}`, { body: { body: MARKED } });
  expect([changed.body, changed.warnings.length]).toEqual([MEANT, 1]);
  const { body: same } = await ask(posthorn, `PATCH /templates/${made.id}`, { body: { body: MEANT } });
  expect(same.warnings).toBeUndefined();
});

test("so is a campaign", async () => {
  await using posthorn = await workspace();
  const letter = { name: "News", subject: "News", body: MARKED, from: "hello@example.test", audienceType: "ALL" };
  const { status, body } = await ask(posthorn, "POST /campaigns", { body: letter });
  // Another warning may be about the workspace.
  const repaired = ({ warnings = [] }: Json) => warnings.filter(({ field }: Json) => field === "body").length;
  expect([status, body.data.body, repaired(body)]).toEqual([201, MEANT, 1]);
  const { body: put } = await ask(posthorn, `PUT /campaigns/${body.data.id}`, { body: { body: MARKED } });
  expect([put.data.body, repaired(put)]).toEqual([MEANT, 1]);
});

test("so is the document of an editor, or it would make a body with marks again", async () => {
  await using posthorn = await workspace();
  const source = { type: "doc", content: [{ type: "text", text: "Hi {{ nick ?? “you” }}, {{\u200bname}} “there”" }] };
  const letter = {
    name: "Hello",
    subject: "Hi",
    body: MARKED,
    type: "TRANSACTIONAL",
    design: { kind: "visual", source },
  };
  const { body } = await ask(posthorn, "POST /templates", { body: letter });
  expect(body.design.source.content[0].text).toBe('Hi {{ nick ?? "you" }}, {{name}} “there”');
  const block = { name: "Greeting", body: MARKED, design: { kind: "visual", source } };
  const { body: made } = await ask(posthorn, "POST /blocks", { body: block });
  expect([made.body, made.design.source.content[0].text]).toEqual([MEANT, 'Hi {{ nick ?? "you" }}, {{name}} “there”']);
});

describe("a step of a workflow is stored repaired, and the answer says so", () => {
  const WEBHOOK = {
    url: "https://crm.acme.com/{{ data.id\u00a0}}?e={{\u200bemail }}",
    headers: { "X-Plan": "{{ plan ?? “free” }}" },
    body: { text: "Hi {{ nick ?? &quot;you&quot; }}", list: ["{{\ufeffplan }}"] },
  };
  const CALLED = {
    url: "https://crm.acme.com/{{ data.id }}?e={{email }}",
    headers: { "X-Plan": '{{ plan ?? "free" }}' },
    body: { text: 'Hi {{ nick ?? "you" }}', list: ["{{plan }}"] },
  };
  const UPDATE = { data: { greeting: "{{ nick ?? „du“ }}", quoted: "“x”" } };
  const UPDATED = { data: { greeting: '{{ nick ?? "du" }}', quoted: "“x”" } };
  const entering = { reentry: "always", entryKey: "{{\u00a0event.order\u200b}}" };

  test("where it is made with its workflow, and where the whole is replaced", async () => {
    await using posthorn = await workspace();
    const steps = [
      { type: "WEBHOOK", name: "Call", config: WEBHOOK },
      { type: "UPDATE_CONTACT", name: "Greet", config: UPDATE },
    ];
    const { body: made } = await ask(posthorn, "POST /workflows", {
      body: { name: "Flow", eventName: "x", steps, ...entering },
    });
    const configs = ({ steps: stored }: Json) => stored.slice(1).map(({ config }: Json) => config);
    const fields = ({ warnings = [] }: Json) => warnings.map(({ field }: Json) => field);
    const expected = ["url", "headers.X-Plan", "body.text", "body.list.0"].map((at) => `steps.0.config.${at}`);
    expect(fields(made)).toEqual([...expected, "steps.1.config.data.greeting", "entryKey"]);
    expect(configs(made)).toMatchObject([CALLED, UPDATED]);
    expect(made.entryKey).toBe("{{ event.order}}");
    const drawn = { steps: steps.map((step, at) => ({ ...step, ref: `${at}` })), transitions: [] };
    const { body: put } = await ask(posthorn, `PUT /workflows/${made.id}`, {
      body: {
        ...drawn,
        transitions: [
          { fromStepId: "trigger", toStepId: "0" },
          { fromStepId: "0", toStepId: "1" },
        ],
      },
    });
    expect(configs(put)).toMatchObject([CALLED, UPDATED]);
    expect(fields(put)).toHaveLength(5);
  });

  test("where it is added or changed by itself", async () => {
    await using posthorn = await workspace();
    const { body: flow } = await ask(posthorn, "POST /workflows", { body: { name: "Flow", eventName: "x" } });
    const added = await ask(posthorn, `POST /workflows/${flow.id}/steps`, {
      body: { type: "WEBHOOK", name: "Call", config: WEBHOOK },
    });
    expect([added.body.config, added.body.warnings.length]).toEqual([{ ...CALLED, method: "POST" }, 4]);
    const at = `/workflows/${flow.id}/steps/${added.body.id}`;
    const changed = await ask(posthorn, `PATCH ${at}`, { body: { config: WEBHOOK } });
    expect([changed.body.config.url, changed.body.warnings.length]).toEqual([CALLED.url, 4]);
    expect((await ask(posthorn, `PATCH ${at}`, { body: { config: CALLED } })).body.warnings).toBeUndefined();
  });
});
