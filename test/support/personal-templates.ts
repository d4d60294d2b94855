// Templates that print values in all kinds of places: made at random, for what must hold for any of them.
import fc from "fast-check";
import type { Handover } from "../../src/delivery/carrier/handover.ts";

/** What all mails of a campaign have in common. */
export type Content = Pick<Handover, "subject" | "preheader" | "html" | "text" | "marketing"> & {
  readonly isTracked: boolean;
};

const OUTPUTS = listed(`{{ a }}{{ b }} ¦ {{ a | upcase }} ¦ {{ a | escape }} ¦ {{ c | escape_once }} ¦ {{ b | raw }}
  ¦ {{{ c }}} ¦ {{ a | url_encode }} ¦ {{ c ?? "friend" }} ¦ {{ a | append: b }} ¦ {{ list }} ¦ {{ a | size }}
  ¦ {{ c | newline_to_br }} ¦ {{ a | slice: 1, 2 }} ¦ {{ email }} ¦ {{ manageUrl }} ¦ {{ c | strip_html }}
  ¦ {% if b %}{{ b }}{% else %}none{% endif %} ¦ {% for x in list %}{{ x }}, {% endfor %} ¦ {% echo b %} ¦ {{ a }}
  ¦ {% capture k %}<i>{{ a }}</i>{% endcapture %}{{ k }} ¦ {% assign q = a %}{{ q }} ¦ {% cycle a, b %} ¦ {{ b }}
  ¦ {{ manageUrl | split: "/" | last }} ¦ {{ a | prepend: '&' | raw }} ¦ {{ c }}`);

const STATICS = [
  ...listed(`Hello ¦ Dear ¦ , ¦ . ¦ - ¦ -- ¦ =_ ¦ = ¦ --= ¦ ; ¦ ]]> ¦ &amp; ¦ & ¦ &# ¦ &#x ¦ &am ¦ < ¦ </ ¦ > ¦ <! ¦ <!--
    ¦ --> ¦ <? ¦ <b> ¦ </b> ¦ <br> ¦ </p> ¦ ' ¦ " ¦ ü ¦ undefined ¦ body ¦ https:// ¦ https://x.example/`),
  ...[" ", "\n", "\r\n", "\t", "\u00a0", "\u200b", "你好，世界。".repeat(9), "word ".repeat(18), "x".repeat(60)],
];

/** With their tokens they have more characters than two letters can name. */
const MANY_LINKS = Array.from({ length: 45 }, (_, number) => `<a href="https://x.example/${number}">§</a>`).join("\n");

const FRAMES = [
  ...listed(`§ ¦ <p>§</p> ¦ <p>§ §</p> ¦ <h1>§</h1> ¦ <div>§</div> ¦ <td>§</td> ¦ <pre>§</pre> ¦ <b>§</b> ¦ §<br>
    ¦ <table><tr><th>A</th><th>§</th></tr><tr><td>§</td><td>x</td></tr></table> ¦ <blockquote>§</blockquote>
    ¦ <ul><li>§</li><li>x</li></ul> ¦ <ol start="9"><li>§<li>b</ol> ¦ <ol start="§" type="a"><li>§</ol>
    ¦ <a href="https://x.example/">§</a> ¦ <a href="§">x</a> ¦ <a href="https://x.example/§?y=1">y</a>
    ¦ <a href="§">§</a> ¦ <a href="https://§/">https://§/</a> ¦ <a href="mailto:§">§</a> ¦ <img alt="§" src="x">
    ¦ <a href="https://x.example/"><img alt="§"> §</a> ¦ <p style="color:§">§</p> ¦ <p hidden>§</p> ¦ <p §>x</p>
    ¦ <div style="display:none">§</div> ¦ <div style="display:§">§</div> ¦ <style>.§{}</style> ¦ <title>§</title>
    ¦ <!-- § --> ¦ <!--[if mso]>§<![endif]--> ¦ <script>§</script> ¦ <textarea>§</textarea> ¦ <xmp>§</xmp>
    ¦ <template>§</template> ¦ <noscript>§</noscript> ¦ <§>x</§> ¦ <svg><title>§</title><![CDATA[§]]></svg>
    ¦ <select><option>§</select> ¦ <body>§</body> ¦ <td colspan=§>§</td> ¦ <plaintext>§ ¦ <iframe>§</iframe> ¦ §</body>
    ¦ <html><head><title>§</title></head><body>§</body></html>`),
  MANY_LINKS,
];

/** Here it would change what is around it if a value were a certain word. */
const TRAPS = [
  ...listed(`&§; ¦ &#§; ¦ &a§; ¦ &§ ¦ <§ x>y</§> ¦ </§> ¦ <!§--> ¦ --=§ ¦ -§=_ ¦ §=_ ¦ §§=_ ¦ <!--§-->q-->
    ¦ <title></§><a href="https://x.example/">q</a></title> ¦ <textarea></§><p>q</p></textarea> ¦ <title>§</title>
    ¦ <script><!--<script>--§></script><a href="https://x.example/">q</a></script> ¦ <div style="display:§">q</div>
    ¦ <a href="https://x.example/">§</a> ¦ <a href="https://x.example/"><b>https://</b>§/</a> ¦ <a href="abc">§</a>
    ¦ <div §>q</div> ¦ <a href="https://x.example/<p>§">q</a> ¦ <ol type="i" start="50000"><li>§</ol>`),
  `${"x".repeat(75)}§ x`,
];

function listed(items: string): string[] {
  return items.split(/\s*¦\s*/);
}

const mixed = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...OUTPUTS) }, fc.constantFrom(...STATICS)), { maxLength: 4 })
  .map((parts) => parts.join(""));

const inFrame = fc.oneof(fc.constantFrom("{{ a }}", "{{ b }}", "{{ c }}"), mixed);

const framed = fc
  .tuple(fc.oneof(fc.constantFrom(...FRAMES), fc.constantFrom(...TRAPS)), inFrame, inFrame)
  .map(([frame, one, other]) => frame.replace("§", () => one).replaceAll("§", () => other));

const markup = fc
  .array(fc.oneof({ weight: 4, arbitrary: framed }, mixed), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(""));

const LETTER = { workspaceId: "w", batch: "b", postalAddress: "Main Street 1\nAnn", language: "en" } as const;

export const anyContent: fc.Arbitrary<Content> = fc.record({
  subject: fc.constant("Hello"),
  preheader: fc.option(mixed),
  html: markup,
  text: fc.option(fc.oneof(mixed, framed), { freq: 3 }),
  marketing: fc.constantFrom(null, LETTER),
  isTracked: fc.boolean(),
});
