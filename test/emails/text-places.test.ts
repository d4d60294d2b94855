// What the text version of a mail's HTML is made of: src/mime/text-places.ts.
import { describe, expect, test } from "bun:test";
import { allTextIn, linksIn } from "../../src/mime/text-places.ts";

const wordsIn = (html: string) => allTextIn(html).split(/\s+/).filter(Boolean);

describe("all text is found", () => {
  test.each([
    ["in elements and beside them", "A<p>B <b>C</b></p>D", ["A", "B", "C", "D"]],
    ["in a whole document", "<html><head><title>A</title></head><body>B</body></html>C", ["A", "B", "C"]],
    ["that is not shown", '<p hidden>A</p><div style="display:none">B</div>', ["A", "B"]],
    ["in tables, links and headings, as it stands", "<table><tr><th>a<td>b</table><a href=x>c</a><h1>d</h1>", "abcd"],
  ])("%s", (_what, html, words) => expect(wordsIn(html)).toEqual([...words]));

  test.each([
    ["tags", '<a href="A" title="B">x</a><img alt="C" src="D"><p E>'],
    ["comments and declarations", "<!-- A -->x<!B><?C?>"],
    ["scripts and styles", "<style>A</style><script>B</script>x"],
    ["elements whose markup is not read", "<textarea>A</textarea><xmp>B</xmp><template>C</template>x"],
    ["an unclosed tag", "x<A"],
  ])("and nothing of %s", (_what, html) => expect(wordsIn(html)).toEqual(["x"]));
});

test("links are read as they are compared: URLs as shown, texts without white space and without URLs of others", () => {
  const html = '<a href="mailto:a@b">a <b>@b</b></a><a href=" x y ">t<pre>not compared</pre><a href="z">u</a></a>';
  expect(linksIn(html)).toEqual([
    { text: "a@b", url: "a@b" },
    { text: "u", url: "z" },
    { text: "tu", url: "x%20y" },
  ]);
});
