// Pasting into the visual editor from Google Docs, Word, Outlook, Notion and Excel, as each of them fills the
// clipboard.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { journey, soon, visit } from "../support/browser.ts";
import { startPosthorn, type Json } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const GOOGLE_DOCS = `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-7d3a"><h1 dir="ltr" style="line-height:1.38;margin-top:20pt;margin-bottom:6pt;"><span style="font-size:20pt;font-family:Arial,sans-serif;color:#000000;font-weight:400;font-style:normal;text-decoration:none;white-space:pre-wrap;">Spring news</span></h1><p dir="ltr" style="line-height:1.38;"><span style="font-size:11pt;font-weight:400;font-style:normal;text-decoration:none;">We have </span><span style="font-weight:700;">new</span><span style="font-weight:400;"> things, </span><span style="font-weight:400;font-style:italic;">truly</span><span style="font-weight:400;">: </span><a href="https://www.google.com/url?q=https://example.com/shop&amp;sa=D&amp;ust=1" style="text-decoration:none;"><span style="color:#1155cc;font-weight:400;text-decoration:underline;-webkit-text-decoration-skip:none;">the shop</span></a></p><br /><ul style="margin-top:0;padding-inline-start:48px;"><li dir="ltr" style="list-style-type:disc;font-weight:400;" aria-level="1"><p dir="ltr" style="line-height:1.38;" role="presentation"><span style="font-weight:400;">Tea</span></p></li><ul style="margin-top:0;"><li dir="ltr" style="list-style-type:circle;" aria-level="2"><p dir="ltr" role="presentation"><span style="font-weight:400;">Green tea</span></p></li></ul></ul></b><br class="Apple-interchange-newline">`;

const WORD = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {margin:0cm;} --></style></head><body lang=DE style='tab-interval:35.4pt'><!--StartFragment-->
<h2><span lang=EN-US>Spring
fair<o:p></o:p></span></h2>
<p class=MsoNormal><b style='mso-bidi-font-weight:normal'><span lang=EN-US>Hall 7</span></b><span lang=EN-US>, <i>every</i> day<o:p></o:p></span></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span><![endif]>Come<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;text-indent:-18.0pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp; </span></span></span><![endif]>by train</p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>2.<span style='font:7.0pt "Times New Roman"'>&nbsp; </span></span><![endif]>See</p>
<p class=MsoNormal><!--[if gte vml 1]><v:shape id="Picture_1"><v:imagedata src="file:///C:/clip_image001.png"/></v:shape><![endif]--><![if !vml]><img width=600 height=400 src="file:///C:/clip_image001.png" alt="The hall" v:shapes="Picture_1"><![endif]></p>
<!--EndFragment--></body></html>`;

const OUTLOOK = `<html><body><div class="elementToProof" style="font-family: Calibri, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);">Hello <b>Ada</b>,</div><div class="elementToProof" style="font-family: Calibri;"><br></div><div>see <a href="https://eur02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.com%2Foffer&amp;data=05" style="text-decoration: underline;">the offer</a>.</div><table cellspacing="0" style="border-collapse:collapse"><tbody><tr><th style="background-color: rgb(238, 238, 238);">Size</th><th>Price</th></tr><tr><td>Small</td><td style="text-align:right"><b>7 €</b></td></tr></tbody></table><div><img src="data:image/png;base64,${PIXEL}" alt="Sign" width="120"></div></body></html>`;

const NOTION = `<meta charset='utf-8'><h3 id="1f0c">Plan</h3><p>First <strong>bold</strong>, <em>italic</em>, <s>gone</s> and <u>under</u>.</p><ul><li>One<ul><li>Inner</li></ul></li><li>Two</li></ul><ol type="1"><li>Alpha</li></ol><hr><blockquote>Said</blockquote><!-- notionvc: 3a7c -->`;

/** As a browser gives it to the page. */
const PASTE = `(html, pixel) => {
  const data = new DataTransfer();
  data.setData("text/html", html);
  const bytes = Uint8Array.from(atob(pixel), (character) => character.charCodeAt(0));
  if (pixel !== "") data.items.add(new File([bytes], "image.png", { type: "image/png" }));
  const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
  document.querySelector(".doc").dispatchEvent(event);
}`;

async function paste(page: Page, html: string, hasPicture: boolean): Promise<void> {
  await page.evaluate(`(${PASTE})(${JSON.stringify(html)}, ${JSON.stringify(hasPicture ? PIXEL : "")})`);
}

/** `h1(Spring news)`, `p(We have **new** things)`. */
function shown({ type, text, marks = [], attrs = {}, content = [] }: Json): string {
  if (type === "text") return marks.reduce((inner: string, mark: Json) => shownMark(mark, inner), text);
  const inside = content.map(shown).join(type === "paragraph" || type === "heading" ? "" : " ");
  if (type === "image") return `image(${String(attrs.src).replace(/.*(\/i\/).*/, "$1…")} ${attrs.alt} ${attrs.width})`;
  if (type === "rawHtml") return attrs.html;
  const name = { paragraph: "p", heading: `h${attrs.level}`, bulletList: "ul", orderedList: "ol", listItem: "li" }[
    type as string
  ];
  return type === "doc" ? inside : `${name ?? type}(${inside})`;
}

function shownMark({ type, attrs }: Json, inner: string): string {
  return type === "link" ? `[${inner}](${attrs.href})` : `<${type}>${inner}</${type}>`;
}

journey("What is pasted from other programs looks as it did there", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn, { offends: /^foreign: \S+\/i\// });
  const { page } = eva;
  await signIn(eva.context, posthorn, "MARKETER");
  await eva.open("/templates?make=true");
  await page.getByRole("textbox", { name: "Name" }).fill("Spring");
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("textbox", { name: "Email", exact: true });
  await sheet.waitFor();
  const [{ id }] = (await posthorn.call("GET /templates")).body.data;
  const pastes = async (html: string, expected: string, hasPicture = false) => {
    await sheet.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await paste(page, html, hasPicture);
    await soon(async () => {
      const { design } = (await posthorn.call(`GET /templates/${id}`)).body;
      expect(shown(design.source).trim()).toBe(expected);
    });
  };
  await pastes(
    GOOGLE_DOCS,
    "h1(Spring news) p(We have <bold>new</bold> things, <italic>truly</italic>: [the shop](https://example.com/shop)) ul(li(p(Tea) ul(li(p(Green tea)))))",
  );
  // Word has a picture of the words beside them, and its own pictures in files.
  await pastes(
    WORD,
    "h2(Spring fair) p(<bold>Hall 7</bold>, <italic>every</italic> day) ol(li(p(Come) ul(li(p(by train)))) li(p(See))) image(/i/… The hall 552)",
    true,
  );
  await pastes(
    OUTLOOK,
    'p(Hello <bold>Ada</bold>,) p(see [the offer](https://example.com/offer).) <table cellpadding="0" cellspacing="0" style="border-collapse:collapse;width:100%"><tr><th style="border:1px solid #d0d0d0;padding:6px 10px;vertical-align:top;text-align:left;background:rgb(238, 238, 238)">Size</th><th style="border:1px solid #d0d0d0;padding:6px 10px;vertical-align:top;text-align:left">Price</th></tr><tr><td style="border:1px solid #d0d0d0;padding:6px 10px;vertical-align:top;text-align:left">Small</td><td style="border:1px solid #d0d0d0;padding:6px 10px;vertical-align:top;text-align:right"><strong>7 €</strong></td></tr></table> image(/i/… Sign 120)',
  );
  const mail = page.frameLocator("iframe[sandbox='allow-same-origin']").last();
  await mail.getByRole("cell", { name: "7 €" }).waitFor();
  await pastes(
    NOTION,
    "h3(Plan) p(First <bold>bold</bold>, <italic>italic</italic>, <strike>gone</strike> and <underline>under</underline>.) ul(li(p(One) ul(li(p(Inner)))) li(p(Two))) ol(li(p(Alpha))) horizontalRule() p(Said)",
  );
  // A picture without words asks for them.
  await pastes(OUTLOOK.slice(OUTLOOK.indexOf("<img")).replace(' alt="Sign"', ""), "image(/i/…  120)");
  const asks = sheet.getByText("No alt text: select the image, and say what it shows.");
  await asks.waitFor();
  await eva.check();
  await sheet.locator("img").click();
  await page.getByLabel("Alt text").fill("A sign");
  await asks.waitFor({ state: "detached" });
  // A picture that is not in the clipboard is missed, and that is said.
  await pastes(
    WORD.replace("Spring", "Summer"),
    "h2(Summer fair) p(<bold>Hall 7</bold>, <italic>every</italic> day) ol(li(p(Come) ul(li(p(by train)))) li(p(See)))",
  );
  await page.getByText("One picture could not be pasted. Insert it as a file.").waitFor();
  await eva.check();
  expect((await posthorn.call("GET /images")).body.total).toBeGreaterThan(0);
});
