// The pages that a recipient reaches from a mail, without a key (RFC 8058).
import { suppressContacts } from "../support/suppressed.ts";
import { describe, expect, test } from "bun:test";
import { linksFor } from "../../src/content/rendering/links.ts";
import { deleteContactsOf } from "../../src/audience/contacts/removal-queries.ts";
import { LANGUAGES, type Language } from "../../src/base/languages/language.ts";
import { filledIn, textsIn } from "../../src/base/languages/texts.ts";
import { mailSent } from "../support/mails.ts";
import type { Posthorn, Reply } from "../support/posthorn.ts";
import { ask, everything } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { workspace } from "../support/workspace.ts";

const PAGES = ["unsubscribe", "subscribe", "manage"] as const;
const ONE_CLICK = {
  body: "List-Unsubscribe=One-Click",
  headers: { "content-type": "application/x-www-form-urlencoded" },
} as const;

const shared = sharedPosthorn();
let count = 0;

/** A contact, and the token of a link in a mail to it. */
async function subscriber(posthorn: Posthorn, changes: object = {}): Promise<{ id: string; token: string }> {
  const { body } = await ask(posthorn, "POST /contacts", { body: { email: "ada@example.com", ...changes } });
  const emailId = "0199a3b4-0000-7000-8000-00000000abcd";
  const { manageUrl } = linksFor(posthorn.secrets, "", { contactId: body.id, emailId });
  return { id: body.id, token: manageUrl.replace("/manage/", "") };
}

function open(posthorn: Posthorn, route: string, question: object = {}): Promise<Reply> {
  return ask(posthorn, route, { key: "none", ...question });
}

async function isSubscribed(posthorn: Posthorn, id: string): Promise<boolean> {
  return (await ask(posthorn, `GET /contacts/${id}`)).body.subscribed;
}

describe("opening a link", () => {
  test.each(PAGES)("shows /%s and changes nothing, however often", async (page) => {
    const posthorn = shared();
    const { token } = await subscriber(posthorn);
    const before = await everything(posthorn);
    for (const method of ["GET", "HEAD", "GET"]) {
      const { status, headers, body } = await open(posthorn, `${method} /${page}/${token}`);
      expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      if (method === "GET") expect(body).toContain("ada@example.com");
    }
    expect(await everything(posthorn)).toEqual(before);
  });

  test("shows the one button that changes what is, and the button does it (slow)", async () => {
    await using posthorn = await workspace();
    const { id, token } = await subscriber(posthorn);
    for (const subscribed of [false, true, false]) {
      const { body } = await open(posthorn, `GET /manage/${token}`);
      expect(body).toContain(`action="/manage/${token}"`);
      expect(body).toContain(`name="subscribed" value="${subscribed}"`);
      const form = { ...ONE_CLICK, body: `subscribed=${subscribed}` };
      expect((await open(posthorn, `POST /manage/${token}`, form)).status).toBe(200);
      expect(await isSubscribed(posthorn, id)).toBe(subscribed);
    }
  });

  test("is safe from what a name contains", async () => {
    await using posthorn = await workspace();
    await posthorn.store.write((tx) => tx.run`update workspaces set name = '<script>alert(1)</script>'`);
    const { token } = await subscriber(posthorn, { email: "o'brien&co@example.com" });
    const { body, headers } = await open(posthorn, `GET /unsubscribe/${token}`);
    expect(body).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(body).toContain("o&#x27;brien&amp;co@example.com");
    expect(body).not.toContain("<script");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });
});

describe("a page", () => {
  const french = sharedPosthorn();
  const spoken: readonly [what: string, data: object, browser: string, language: string, direction: string][] = [
    ["the contact's own language first of all", { language: "ja" }, "de", "ja", "ltr"],
    ["its locale as well", { locale: "ar-EG" }, "de", "ar", "rtl"],
    ["then what the browser accepts", { language: "tlh" }, "tlh, nl;q=0.4, sv;q=0.9", "sv", "ltr"],
    ["then the workspace's language", {}, "tlh", "fr", "ltr"],
  ];
  test.each(spoken)("speaks %s", async (_, data, browser, language, direction) => {
    const posthorn = french();
    await ask(posthorn, "PATCH /workspace", { body: { language: "fr" } });
    const { token } = await subscriber(posthorn, { data, email: `${++count}@example.com` });
    const { body, headers } = await open(posthorn, `GET /manage/${token}`, { headers: { "accept-language": browser } });
    const texts = textsIn(language as Language);
    expect(body).toStartWith(`<!doctype html>\n<html lang="${language}" dir="${direction}">`);
    expect(body).toContain(`<h1>${texts.subscribedTitle}</h1>`);
    expect(body).toContain(`<button>${texts.unsubscribe}</button>`);
    expect(headers.get("content-language")).toBe(language);
    expect(headers.get("vary")).toBe("accept-language");
  });

  test.each([...LANGUAGES])(
    "says in %s what is, and that a choice was saved, with names and addresses kept apart",
    async (language) => {
      const posthorn = shared();
      const email = `${++count}@example.com`;
      const { token } = await subscriber(posthorn, { data: { language }, email });
      const texts = textsIn(language);
      const values = { email: `<strong><bdi>${email}</bdi></strong>`, workspace: "<bdi>example.test</bdi>" };
      const before = (await open(posthorn, `GET /unsubscribe/${token}`)).body;
      expect(before).toContain(`<p>${filledIn(texts.subscribedState, values)}</p>`);
      expect(before).not.toContain(texts.saved);
      const after = (await open(posthorn, `POST /unsubscribe/${token}`, ONE_CLICK)).body;
      expect(after).toContain(`<p role="status">${texts.saved}</p><p>${filledIn(texts.unsubscribedState, values)}</p>`);
      expect(after).toContain(`<button>${texts.subscribe}</button>`);
    },
  );

  test("is found by no search engine, runs no script and loads nothing", async () => {
    await using posthorn = await workspace();
    const { token } = await subscriber(posthorn);
    for (const path of [token, "broken"]) {
      const { body, headers } = await open(posthorn, `GET /manage/${path}`);
      expect(body).toContain('<meta name="robots" content="noindex">');
      expect(headers.get("x-robots-tag")).toBe("noindex");
      expect(body).not.toMatch(/<(script|img|link|iframe)|https?:|\bon\w+=/);
      expect(headers.get("content-security-policy")).toStartWith("default-src 'none';");
    }
  });
});

describe("one click", () => {
  test("on the link of a real mail unsubscribes, once, and that is an event without a reason", async () => {
    await using posthorn = await workspace();
    const { id } = await subscriber(posthorn);
    const news = { name: "News", subject: "News", body: "<p>News</p>", from: "hello@example.test", type: "MARKETING" };
    const template = (await ask(posthorn, "POST /templates", { body: news })).body.id;
    await ask(posthorn, "POST /v1/send", { body: { to: "ada@example.com", template } });
    const header = (await mailSent(posthorn)).headerLines.find(({ key }) => key === "list-unsubscribe")?.line ?? "";
    const path = /<http:\/\/127\.0\.0\.1:8484(\/unsubscribe\/[\w-]+)>/.exec(header.replace(/\s+/g, ""))?.[1];
    for (let time = 0; time < 2; time++) expect((await open(posthorn, `POST ${path}`, ONE_CLICK)).status).toBe(200);
    expect(await isSubscribed(posthorn, id)).toBe(false);
    expect((await posthorn.events()).slice(1)).toEqual([
      { name: "contact.unsubscribed", contact: "ada@example.com", data: {} },
    ]);
  });

  const strict = sharedPosthorn({ config: { limits: { bodyBytes: 10_000 } } });
  const bodies: readonly [what: string, body: string, type: string][] = [
    ["the form of RFC 8058", "List-Unsubscribe=One-Click", "application/x-www-form-urlencoded"],
    [
      "a form in parts",
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      "multipart/form-data; boundary=x",
    ],
    ["nothing", "", "application/json"],
    ["broken JSON", "{broken", "application/json"],
    ["bytes of any kind", "\u0000\u00ff", "application/octet-stream"],
    ["more than any body may be", "x".repeat(20_000), "text/plain"],
  ];

  test.each(bodies)("works with %s", async (_, body, type) => {
    const posthorn = strict();
    const { id, token } = await subscriber(posthorn, { email: `${++count}@example.com` });
    expect(
      (await open(posthorn, `POST /unsubscribe/${token}`, { body, headers: { "content-type": type } })).status,
    ).toBe(200);
    expect(await isSubscribed(posthorn, id)).toBe(false);
  });

  test("is answered 200 even for a link that names nobody", async () => {
    await using posthorn = await workspace();
    const before = await everything(posthorn);
    for (const token of ["x", "A".repeat(59), "%E0%A4%A", "x".repeat(5_000), "'--"]) {
      expect((await open(posthorn, `POST /unsubscribe/${encodeURI(token)}`, ONE_CLICK)).status).toBe(200);
    }
    expect(await everything(posthorn)).toEqual(before);
  });

  test("is not held up by a limit on requests, nor by a workspace that is off", async () => {
    await using posthorn = await workspace({ config: { limits: { requestsPerMinute: 2 } } });
    const { id, token } = await subscriber(posthorn);
    await posthorn.store.write((tx) => tx.run`update workspaces set disabled_at = ${tx.now}`);
    for (let time = 0; time < 5; time++)
      expect((await open(posthorn, `POST /unsubscribe/${token}`, ONE_CLICK)).status).toBe(200);
    await posthorn.store.write((tx) => tx.run`update workspaces set disabled_at = null`);
    expect(await isSubscribed(posthorn, id)).toBe(false);
  });
});

test.each([
  ["nothing", undefined, "application/x-www-form-urlencoded"],
  ["another word", "subscribed=yes", "application/x-www-form-urlencoded"],
  ["JSON", '{"subscribed":true}', "application/json"],
  [
    "a form in parts",
    '--x\r\nContent-Disposition: form-data; name="subscribed"\r\n\r\ntrue\r\n--x--\r\n',
    "multipart/form-data; boundary=x",
  ],
])("a choice that is %s changes nothing, and the page is shown again", async (_, body, type) => {
  const posthorn = shared();
  const { token } = await subscriber(posthorn);
  const before = await everything(posthorn);
  const reply = await open(posthorn, `POST /manage/${token}`, { body, headers: { "content-type": type } });
  expect([reply.status, reply.body]).toEqual([200, expect.stringContaining(textsIn("en").subscribedTitle)]);
  expect(reply.body).not.toContain(textsIn("en").saved);
  expect(await everything(posthorn)).toEqual(before);
});

describe("subscribing again", () => {
  test("is an event, and the page says so", async () => {
    await using posthorn = await workspace();
    const { id, token } = await subscriber(posthorn, { subscribed: false });
    const { status, body } = await open(posthorn, `POST /subscribe/${token}`);
    expect([status, body]).toEqual([200, expect.stringContaining("You are subscribed")]);
    expect(await isSubscribed(posthorn, id)).toBe(true);
    expect(await posthorn.eventNames()).toEqual(["contact.subscribed"]);
  });

  test("is open to somebody whose mail bounced: it is a person who asks", async () => {
    await using posthorn = await workspace();
    const { id, token } = await subscriber(posthorn, { subscribed: false });
    await suppressContacts(posthorn, "bounce");
    await open(posthorn, `POST /subscribe/${token}`);
    expect(await isSubscribed(posthorn, id)).toBe(true);
    const row = await posthorn.store.read(
      (reader) => reader.get<{ suppressed: string | null }>`select suppressed from contacts`,
    );
    expect(row?.suppressed).toBeNull();
  });
});

describe("a link that we did not make", () => {
  test("opens a page that says so, and names nobody", async () => {
    await using posthorn = await workspace();
    const { id, token } = await subscriber(posthorn);
    const bytes = Buffer.from(token, "base64url");
    const forged = Array.from({ length: bytes.length }, (_, index) => {
      const copy = Buffer.from(bytes);
      copy[index] = (copy[index] as number) ^ 1;
      return copy.toString("base64url");
    });
    const others = [id, token.slice(0, -1), token.slice(1), `${token}AAAA`, token.toLowerCase(), "", "x"];
    for (const wrong of [...forged, ...others]) {
      const { status, body } = await open(posthorn, `GET /unsubscribe/${wrong}`);
      expect(status).toBe(404);
      expect(JSON.stringify(body)).not.toContain("ada@example.com");
      if (wrong !== "") await open(posthorn, `POST /unsubscribe/${wrong}`);
    }
    expect(await isSubscribed(posthorn, id)).toBe(true);
  });

  test("made by another installation is one of them", async () => {
    await using posthorn = await workspace();
    await using other = await workspace();
    const { id } = await subscriber(posthorn);
    const { unsubscribeUrl } = linksFor(other.secrets, "", { contactId: id, emailId: id });
    expect((await open(posthorn, `GET ${unsubscribeUrl}`)).status).toBe(404);
  });

  test("and one to a contact that is gone say so in the reader's language", async () => {
    await using posthorn = await workspace();
    const { token } = await subscriber(posthorn);
    await posthorn.store.write((tx) => deleteContactsOf(tx, 1, 10));
    for (const [route, status] of [
      ["GET /manage", 404],
      ["POST /unsubscribe", 200],
    ] as const) {
      const reply = await open(posthorn, `${route}/${token}`, { headers: { "accept-language": "it" } });
      expect([reply.status, reply.body]).toEqual([status, expect.stringContaining(textsIn("it").goneText)]);
    }
    const broken = await open(posthorn, "GET /manage/x", { headers: { "accept-language": "it" } });
    expect([broken.status, broken.body]).toEqual([404, expect.stringContaining(textsIn("it").brokenText)]);
  });
});
