// Mails that mean harm, in their frame: nothing runs, nothing leaves, the page around them stays whole, and they stay
// as they were sent.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { journey, soon, visit } from "../support/browser.ts";
import { OWN_PAGE, somebody, type Somebody } from "../support/people.ts";
import { signIn } from "../support/signed-in.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { TestClock } from "../support/clock.ts";

let posthorn: Posthorn;
let person: Somebody;
beforeAll(async () => {
  posthorn = await startPosthorn({ clock: new TestClock(new Date().toISOString()) });
  person = await somebody(posthorn, "SUPPORT");
});
afterAll(async () => {
  await posthorn[Symbol.asyncDispose]();
  await elsewhere.stop(true);
});

/** Whatever reaches it got out. */
const reached: string[] = [];
const elsewhere = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: ({ url, headers }) => {
    reached.push(`${new URL(url).pathname} ${headers.get("referer") ?? ""}`.trim());
    return new Response("");
  },
});
const AWAY = `http://127.0.0.1:${elsewhere.port}`;
/** The browser names what it has refused, in the console and as requests that were never sent. */
const REFUSED = /^console: |^foreign: /;

/** Each would be seen: as a request to elsewhere, as a change of the page around, or as a title. */
const HOSTILE: Readonly<Record<string, string>> = {
  script: `<script>top.document.title = "owned"; fetch("${AWAY}/script")</script>`,
  "handlers of events": `<img src="x" onerror="top.document.title='owned'"><svg onload="parent.location='${AWAY}'"></svg><body onload="top.document.title='owned'">`,
  "links that are scripts": `<a id="link" href="javascript:top.document.title='owned'">go</a><iframe src="javascript:top.document.title='owned'"></iframe>`,
  "pictures from elsewhere": `<img src="${AWAY}/pixel.gif"><img srcset="${AWAY}/2x.gif 2x"><picture><source srcset="${AWAY}/s.webp"><img src="${AWAY}/p.png"></picture><table background="${AWAY}/bg.png"></table><input type="image" src="${AWAY}/i.png"><video poster="${AWAY}/v.png" src="${AWAY}/v.mp4" autoplay></video>`,
  forms: `<form id="form" action="${AWAY}/form" method="post"><input name="password" autofocus><button>Sign in</button></form>`,
  "meta refresh and base": `<base href="${AWAY}/"><meta http-equiv="refresh" content="0; url=${AWAY}/refresh"><img src="relative.png">`,
  "styles that fetch": `<link rel="stylesheet" href="${AWAY}/a.css"><link rel="prefetch" href="${AWAY}/pre"><link rel="preconnect" href="${AWAY}"><style>@import "${AWAY}/b.css"; @font-face { font-family: f; src: url(${AWAY}/f.woff2) } body { font-family: f; background: url(${AWAY}/c.png) } li { list-style: url(${AWAY}/l.png) } p::after { content: url(${AWAY}/d.png) } input[value^=a] { background: url(${AWAY}/e.png) }</style><p style="background: url('${AWAY}/g.png')">text<li>x`,
  "styles that cover the page": `<style>html, body { position: fixed; inset: -9999px; z-index: 2147483647; background: red } * { color: red !important }</style><div style="position: fixed; inset: 0; background: red">Sign in again</div>`,
  "frames, plugins and workers": `<iframe src="${AWAY}/frame"></iframe><object data="${AWAY}/o.swf"></object><embed src="${AWAY}/e.swf"><applet code="${AWAY}/a"></applet><iframe srcdoc="<script>top.document.title='owned'</script>"></iframe>`,
  "our own addresses": `<img src="/emails?limit=1"><img src="/app"><iframe src="/app/mail"></iframe><form action="/session" method="post"></form>`,
  "broken HTML": `</iframe></body></html><!-- <script>top.document.title="owned"</script> --><table><tr><td><b><i></table></div></div></section></main><plaintext>`,
  "a broken comment": `<!--><script>top.document.title="owned"</script><![CDATA[<script>top.document.title="owned"</script>]]><noscript><p title="</noscript><img src=x onerror=top.document.title='owned'>">`,
};

async function send(body: string): Promise<string> {
  const mail = {
    to: "ada@example.com",
    from: "hello@example.test",
    subject: "Hostile",
    body: `${body}<p id="end">The end.</p>`,
  };
  const { status, body: answer } = await posthorn.call("POST /v1/send", mail);
  expect([body.slice(0, 80), status]).toEqual([body.slice(0, 80), 200]);
  await posthorn.settle();
  return answer.data.emails[0].email;
}

function frame(id: string, headers: Record<string, string> = {}, more = ""): Promise<Response> {
  return fetch(`${posthorn.server.url}/app/-/message/${id}?workspace=${person.workspace}${more}`, {
    headers: { ...OWN_PAGE, cookie: person.cookie, ...headers },
  });
}

journey.each(Object.entries(HOSTILE))("In the frame, %s: nothing happens", async (_, body) => {
  const id = await send(body);
  reached.length = 0;
  const answered: string[] = [];
  await using eva = await visit(posthorn, { offends: REFUSED });
  await signIn(eva.context, posthorn);
  eva.page.on("response", (response) => {
    if (response.frame() !== eva.page.mainFrame()) answered.push(new URL(response.url()).pathname);
  });
  await eva.page.goto(`${posthorn.server.url}/app/mail/${id}`);
  const letter = eva.page.frameLocator("iframe[sandbox='']");
  await letter.locator("body").waitFor({ state: "attached" });
  await eva.page.getByRole("link", { name: "Headers" }).waitFor();
  await eva.page.getByRole("button", { name: "Send again" }).click();
  await eva.page.getByRole("dialog").waitFor();
  await eva.page.keyboard.press("Escape");
  for (const name of ["#link", "#form button"]) {
    const thing = letter.locator(name);
    if ((await thing.count()) > 0) await thing.click({ force: true, timeout: 2_000 }).catch(() => undefined);
  }
  await soon(async () => expect(await eva.page.title()).toBe("Emails · Posthorn"));
  expect(new URL(eva.page.url()).pathname).toBe(`/app/mail/${id}`);
  expect(reached).toEqual([]);
  expect(answered).toEqual([`/app/-/message/${id}`]);
  const box = await eva.page.locator("iframe").boundingBox();
  expect(box && box.x > 700).toBe(true);
});

journey("A huge mail is shown, and the page around it still answers", async () => {
  const id = await send(
    `<table>${"<tr><td style='padding:1px'>row</td></tr>".repeat(20_000)}</table>${"<div>".repeat(3_000)}`,
  );
  await using eva = await visit(posthorn, { offends: REFUSED });
  await signIn(eva.context, posthorn);
  await eva.page.goto(`${posthorn.server.url}/app/mail/${id}`);
  await eva.page.frameLocator("iframe").locator("td").first().waitFor();
  await eva.page.getByRole("link", { name: "Raw" }).click();
  await eva.page.locator("pre.plain").waitFor();
  expect((await eva.page.locator("pre.plain").textContent())?.length).toBeLessThanOrEqual(200_000);
});

journey("Images from elsewhere come only once somebody asks for them, and without saying who", async () => {
  const id = await send(`<img src="${AWAY}/pixel.gif">`);
  reached.length = 0;
  await using eva = await visit(posthorn, { offends: REFUSED });
  await signIn(eva.context, posthorn);
  await eva.open(`/mail/${id}`);
  await eva.page.getByText("Remote images are off").waitFor();
  expect(reached).toEqual([]);
  const asked = eva.page.waitForResponse(`${AWAY}/pixel.gif`);
  await eva.page.getByRole("button", { name: "Show images" }).click();
  await asked;
  expect(reached).toEqual(["/pixel.gif"]);
});

test("the frame has a policy of its own, and its mail is not changed", async () => {
  const id = await send(HOSTILE["script"] as string);
  const response = await frame(id);
  expect(response.headers.get("content-security-policy")).toBe(
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: http://127.0.0.1:8484/i/; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  );
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  const { body } = await posthorn.call(`GET /emails/${id}/content`);
  expect(await response.text()).toBe(body.html);
  expect(body.html).toContain(HOSTILE["script"] as string);
  const shown = await frame(id, {}, "&images=1");
  expect(shown.headers.get("content-security-policy")).toContain("img-src data: https: http:;");
});

test("pictures that came with a mail are in its frame, other files are not", async () => {
  const attachments = [
    {
      filename: "a.png",
      content: "iVBORw0KGgo=",
      contentType: "image/png",
      disposition: "inline",
      contentId: "logo@x",
    },
    { filename: "a.pdf", content: "PGI+", contentType: "application/pdf", disposition: "inline", contentId: "page" },
  ];
  const { body } = await posthorn.call("POST /v1/send", {
    ...{ to: "ada@example.com", from: "hello@example.test", subject: "Pictures", attachments },
    body: `<img src="cid:logo@x"><img src='cid:logo%40x'><a href="cid:page">page</a><i style="background:url(cid:logo@x)">cid:logo@x</i>`,
  });
  const html = await (await frame(body.data.emails[0].email)).text();
  const picture = "data:image/png;base64,iVBORw0KGgo=";
  expect(html).toBe(
    `<img src="${picture}"><img src='${picture}'><a href="cid:page">page</a><i style="background:url(${picture})">cid:logo@x</i>`,
  );
});

const CONNECTING: readonly (readonly [sent: string, shown: string])[] = [
  [`<p>a<iframe src="${AWAY}/f">none</iframe>b</p>`, "<p>ab</p>"],
  [`a<EMBED src="${AWAY}/e.swf">b`, "ab"],
  [`a<object data="${AWAY}/o"><b>instead</b><param name="x"></object>`, `a<b>instead</b><param name="x">`],
  [`<frameset><frame src="${AWAY}/f"></frameset>`, "<frameset>"],
  [`<link rel="preconnect" href="${AWAY}"><link rel="dns-prefetch" href="//a.test">a`, "a"],
  [`<noscript><iframe src="${AWAY}"></iframe></noscript>`, `<noscript>&lt;iframe src="${AWAY}"></iframe></noscript>`],
  [`<select><xmp><iframe src="${AWAY}"></xmp></select>`, `<select><xmp>&lt;iframe src="${AWAY}"></xmp></select>`],
  ["<framework>a</framework>", "<framework>a</framework>"],
];

test.each(CONNECTING)("what opens a connection though pictures are off is taken out: %s", async (sent, shown) => {
  const end = `<p id="end">The end.</p>`;
  const id = await send(sent);
  expect(await (await frame(id)).text()).toBe(shown + end);
  expect(await (await frame(id, {}, "&images=1")).text()).toBe(shown + end);
  const body = new URLSearchParams({ html: sent });
  const url = `${posthorn.server.url}/app/-/draft?workspace=${person.workspace}`;
  const draft = await fetch(url, { method: "POST", body, headers: { ...OWN_PAGE, cookie: person.cookie } });
  expect(await draft.text()).toBe(shown);
});

test("nobody else gets at it: not without a session, from another site, with a key, or from another workspace", async () => {
  const id = await send("<p>Hello</p>");
  const status = async (headers: Record<string, string>) => (await frame(id, headers)).status;
  expect(await status({ cookie: "" })).toBe(401);
  expect(await status({ "sec-fetch-site": "cross-site" })).toBe(403);
  expect(await status({ "sec-fetch-site": "none" })).toBe(403);
  expect(await status({ cookie: "", authorization: `Bearer ${posthorn.keys.secret}` })).toBe(401);
  expect((await frame(crypto.randomUUID())).status).toBe(404);
});
