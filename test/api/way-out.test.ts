// Marketing mail always has a way out that readers see: a link that nobody sees does not count.
import { describe, expect, test } from "bun:test";
import { withFooter, withTextFooter } from "../../src/content/mime/footer.ts";
import { linksSeenIn } from "../../src/content/mime/seen.ts";
import { addReaders } from "../support/campaigns.ts";
import { mailSent } from "../support/mails.ts";
import type { Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const URL = "https://mail.example/unsubscribe/token";
const LINK = `<a href="${URL}">Unsubscribe</a>`;

const mail = {
  ...{ unsubscribeUrl: URL, workspaceId: "w", postalAddress: null, language: "en" as const },
  ...{ fromAddress: "shop@example.test", batch: "b" },
};
const footed = (html: string, postalAddress: string | null = null) => withFooter(html, { ...mail, postalAddress });
const footedText = (text: string) => withTextFooter(text, mail);

const unseen: Readonly<Record<string, string>> = {
  "in a comment": `<!-- old footer: ${LINK} -->`,
  "for Outlook alone": `<!--[if mso]>${LINK}<![endif]-->`,
  "in a style sheet": `<style>a { background: url(${URL}) }</style>`,
  "in a script": `<script>write('${LINK}')</script>`,
  "in the head": `<head>${LINK}</head>`,
  "in a template": `<template>${LINK}</template>`,
  "in a title": `<title>${LINK}</title>`,
  "in a text field": `<textarea>${LINK}</textarea>`,
  "for want of scripts": `<noscript>${LINK}</noscript>`,
  "in something not displayed": `<div style="DISPLAY : none !important"><p><span>${LINK}</span></p></div>`,
  "in something whose style has entities": `<p style="display&#58;none">${LINK}</p>`,
  "in something with the attribute hidden": `<p hidden>${LINK}</p>`,
  "in something invisible": `<div style="visibility:hidden">${LINK}</div>`,
  "in something without opacity": `<div style="opacity:.0">${LINK}</div>`,
  "in something without height": `<div style="max-height:0;overflow:hidden">${LINK}</div>`,
  "in something without width": `<div style="width:0px;overflow-x:hidden">${LINK}</div>`,
  "in letters without size": `<td style="font:0/0 a">${LINK}</td>`,
  "in letters without color": `<p style="color:transparent">${LINK}</p>`,
  "in letters of a color without opacity": `<p style="color:rgba(0, 0, 0, 0)">${LINK}</p>`,
  "far aside": `<div style="position:absolute;left:-9999px">${LINK}</div>`,
  "hidden by a style sheet": `<style>.a, .b { display: none }</style><p class="b">${LINK}</p>`,
  "hidden on phones": `<style>@media (max-width: 480px) { .wide { display: none !important } }</style><p class="wide">${LINK}</p>`,
  "hidden itself": `<a style="font-size:0" href="${URL}">Unsubscribe</a>`,
  "without content": `<a href="${URL}"></a>`,
  "with blanks alone": `<a href="${URL}"> &nbsp;&#8203;\u200b</a>`,
  "with hidden content": `<a href="${URL}"><span style="display:none">Unsubscribe</span></a>`,
  "with a picture that says nothing": `<a href="${URL}"><img src="x.png" alt=""></a>`,
  "with a hidden picture": `<a href="${URL}"><img src="x.png" alt="Unsubscribe" style="display:none"></a>`,
  "in another attribute": `<a href="https://shop.example/" title="${URL}">Shop</a><img src="${URL}">`,
  "as the target of a form": `<form action="${URL}"><button>Unsubscribe</button></form>`,
  "as text that is no link": `<p>${URL}</p>`,
  "within another target": `<a href="https://shop.example/?to=${URL}">Unsubscribe</a>`,
};

describe("a footer is added where the link is", () => {
  test.each(Object.entries(unseen))("%s", (_, html) => {
    const links = linksSeenIn(footed(`<p>News</p>${html}<p>Bye</p>`));
    expect(links.filter((link) => link === URL)).toHaveLength(1);
    expect(linksSeenIn(html)).not.toContain(URL);
  });
});

const seen: Readonly<Record<string, string>> = {
  "in the text": `<p>${LINK}</p>`,
  "in a document whose head has no end": `<head><title>News</title><body>${LINK}`,
  "for all but Outlook": `<!--[if !mso]><!-->${LINK}<!--<![endif]-->`,
  "behind something hidden": `<div style="display:none">Preheader</div>${LINK}`,
  "behind something hidden without an end": `<div><p style="display:none">News</div>${LINK}`,
  "in letters of a size of their own": `<td style="font-size:0px"><div style="font-size:13px">${LINK}</div></td>`,
  "in a box that cuts what is too much": `<div style="overflow:hidden;height:20px">${LINK}</div>`,
  "in any color": `<p style="color:rgb(0, 0, 0)">${LINK}</p><p style="color:#000000"></p>`,
  "beside rules that hide others": `<style>.b { display: none } a:hover { opacity: 0 }</style>${LINK}`,
  "with a picture that has words": `<a href="${URL}"><img src="x.png" alt="Unsubscribe"></a>`,
  "with markup in it": `<a href=' ${URL} '><b>&copy;</b></a>`,
};

describe("nothing is added where the link is", () => {
  test.each(Object.entries(seen))("%s", (_, html) => expect(footed(html)).toBe(html));
});

const open: Readonly<Record<string, string>> = {
  "a comment": "<p>News</p><!-- ",
  "something hidden": "<html><body><p>News</p><div style='display:none'>",
  "a title": "<head><title>News</head><body>",
  "an attribute": "<p>News</p><img alt='Picture>",
  "an attribute with the end of the body": "<html><body><p>News</p><img alt='</body>'>",
  "a comment with the end of the body": "<body><p>News</p></body><!-- </body> -->",
};

test.each(Object.entries(open))("the footer is seen beside %s that has no end, or its own", (_, html) =>
  expect(linksSeenIn(footed(html))).toContain(URL),
);

const alike: Readonly<Record<string, readonly [string, string]>> = {
  "a style sheet": ["<style>p { color: red }</style><p>News", "<style>p { display: none }</style><p>News"],
  "a tag": ['<p class="a">News', '<p style="display:none">News'],
  "a tag behind a >": [`<p title="a > b" class="a">News`, `<p title="a > b" style="display:none">News`],
};

test.each(Object.entries(alike))(
  "a mail that differs from another in %s has its footer where it is seen",
  (_, mails) => {
    for (const html of mails) expect(linksSeenIn(footed(html))).toContain(URL);
  },
);

test("however many characters without a shape a link has, it is read at once", () => {
  const blank = `\u200b${"\ufeff".repeat(1_000)}${"&#0000;".repeat(1_000)}`;
  const shown = (words: string) => linksSeenIn(`<style>p { color: red }</style><a href="${URL}">${words}</a>`);
  expect([shown(blank), shown(`${blank}x`)]).toEqual([[], [URL]]);
});

test("the postal address is added where readers do not see it", () => {
  expect(footed(`<!-- Here 1 -->${LINK}`, "Here 1")).toContain(">Here 1</div>");
  expect(footed(`<p>Here 1</p><!-- ${LINK} -->`, "Here 1").match(/Here 1/g)).toHaveLength(1);
  expect(footed(`<p>Here 1</p>${LINK}`, "Here 1")).not.toContain("<div");
});

test("in a text part the link counts by itself, and not within another", () => {
  for (const text of [`Out: ${URL}`, `Out: <${URL}>.`, `(${URL})`, `${URL}?from=text,`])
    expect(footedText(text)).toBe(text);
  for (const text of [`Out: https://shop.example/?to=${URL}`, `Out: ${URL}2`])
    expect(footedText(text)).toBe(`${text}\n\n--\nUnsubscribe: ${URL}\n`);
});

test("a mail whose template has the link in a comment leaves with a footer in both parts (slow)", async () => {
  await using posthorn = await workspace();
  const body = '<p>News</p>\n<!-- old footer: <a href="{{ unsubscribeUrl }}">Unsubscribe</a> -->\n';
  const news = { name: "News", subject: "News", body, from: "hello@example.test", type: "MARKETING" };
  const { id } = (await ask(posthorn, "POST /templates", { body: news })).body;
  const to = { to: "ada@example.com", template: id, subscribed: true };
  await ask(posthorn, "POST /v1/send", { body: to });
  const sent = await mailSent(posthorn);
  expect(sent.html).toMatch(
    /-->\s*<div lang="en"[^>]*>.* <a href="http[^"]*\/unsubscribe\/[^"]*" style="[^"]*">Unsubscribe<\/a>/,
  );
  expect(sent.text).toMatch(/Unsubscribe\s+\[http\S+\/unsubscribe\/\S+\]/);
});

test("the text that is made of a mail has the link, also where the HTML leaves a table of data open", async () => {
  await using posthorn = await workspace();
  const body = "<table><tr><th>Offer</th><td>1</td></tr>";
  const news = { name: "News", subject: "News", body, from: "hello@example.test", type: "MARKETING" };
  const { id } = (await ask(posthorn, "POST /templates", { body: news })).body;
  await ask(posthorn, "POST /v1/send", { body: { to: "ada@example.com", template: id, subscribed: true } });
  expect((await mailSent(posthorn)).text).toMatch(/Unsubscribe: http\S+\/unsubscribe\/\S+/);
});

describe("without a postal address", () => {
  const news = { name: "News", subject: "News", body: "<p>News</p>", from: "hello@example.test", type: "MARKETING" };
  const told = [{ field: "postalAddress", message: expect.stringContaining("set it with PATCH /workspace") }];

  async function warningsOf(posthorn: Posthorn): Promise<unknown[]> {
    await addReaders(posthorn, 1);
    const template = await ask(posthorn, "POST /templates", { body: news });
    const mail = { to: "ada@example.com", template: template.body.id, subscribed: true };
    const sent = await ask(posthorn, "POST /v1/send", { body: mail });
    const { type: _, ...written } = { ...news, audienceType: "ALL" };
    const campaign = await ask(posthorn, "POST /campaigns", { body: written });
    const leaving = await ask(posthorn, `POST /campaigns/${campaign.body.data.id}/send`, { body: {} });
    return [sent, campaign, leaving].map(({ body }) => body.warnings);
  }

  test("whoever sends marketing mail, or writes a campaign, is told", async () => {
    await using posthorn = await workspace();
    expect(await warningsOf(posthorn)).toEqual([told, told, told]);
  });

  test("nobody is told once there is one", async () => {
    await using posthorn = await workspace();
    await ask(posthorn, "PATCH /workspace", { body: { postalAddress: "1 High Street" } });
    expect(await warningsOf(posthorn)).toEqual([undefined, undefined, undefined]);
  });

  test("transactional mail needs none", async () => {
    await using posthorn = await workspace();
    const { body } = await ask(posthorn, "POST /templates", { body: { ...news, type: "TRANSACTIONAL" } });
    const sent = await ask(posthorn, "POST /v1/send", { body: { to: "ada@example.com", template: body.id } });
    expect(sent.body.warnings).toBeUndefined();
  });
});
