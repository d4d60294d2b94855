// What recipients see, shown in the face: made by what makes it for them, in a frame where nothing runs and nothing is
// sent.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { linksFor } from "../../src/content/rendering/links.ts";
import { LANGUAGES } from "../../src/base/languages/language.ts";
import { choiceTextsIn } from "../../src/base/languages/choices.ts";
import { questionTextsIn } from "../../src/base/languages/questions.ts";
import { textsIn } from "../../src/base/languages/texts.ts";
import { PAGES } from "../../web/recipient-pages/pages.ts";
import { journey, visit } from "../support/browser.ts";
import { OWN_PAGE, somebody, type Somebody } from "../support/people.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

let posthorn: Posthorn;
let sue: Somebody;
beforeAll(async () => {
  posthorn = await startPosthorn();
  sue = await somebody(posthorn, "SUPPORT");
  const preferencePage = { data: [{ field: "data.plan", label: { en: "Your <plan>" } }] };
  await posthorn.call("PATCH /workspace", { postalAddress: "Lanternfish <Ltd>\n1 Quay Street", preferencePage });
  await posthorn.call("POST /topics", { key: "news", name: { en: "News <1>" } });
});
afterAll(() => posthorn[Symbol.asyncDispose]());

function get(path: string): Promise<Response> {
  const headers = { ...OWN_PAGE, cookie: sue.cookie, "x-workspace": sue.workspace };
  return fetch(`${posthorn.server.url}/app/-/recipient/${path}`, { headers });
}

const shown = async (path: string) => (await get(path)).text();

test.each([...LANGUAGES])("in %s, each page and mail says what recipients read", async (language) => {
  const texts = textsIn(language);
  const choices = choiceTextsIn(language);
  const said = {
    footer: [texts.footer, texts.unsubscribe, "Lanternfish &lt;Ltd&gt;", "1 Quay Street"],
    unsubscribe: [texts.subscribedTitle, texts.topicsTitle, texts.unsubscribe, choices.pauseTitle, choices.data],
    paused: [choices.pausedTitle, choices.resume, choices.nothing],
    left: [texts.topicLeft.split("{topic}")[0] as string, questionTextsIn(language).whyTitle, choices.pauseTitle],
    unsubscribed: [texts.unsubscribedTitle, texts.saved, texts.subscribe, questionTextsIn(language).whyTitle],
    confirmation: [texts.confirm, texts.askNote, "ada@example.com"],
    confirm: [texts.pendingTitle, texts.confirm],
    subscribed: [texts.subscribedTitle, texts.saved, texts.unsubscribe],
    gone: [texts.goneTitle, texts.goneText],
    broken: [texts.brokenTitle, texts.brokenText],
  };
  expect(PAGES.map(({ name }) => name).toSorted()).toEqual(Object.keys(said).toSorted() as never);
  for (const [page, words] of Object.entries(said)) {
    const html = await shown(`${page}?language=${language}`);
    for (const word of words) expect(html).toContain(word);
  }
});

test("the workspace's language is spoken unless another is named", async () => {
  expect(await shown("unsubscribe")).toContain('lang="en"');
  expect(await shown("footer")).toContain('<div lang="en"');
});

test("nothing runs there, nothing is sent from there, and only our pages frame it", async () => {
  const { headers } = await get("confirm");
  const policy = headers.get("content-security-policy");
  for (const rule of ["sandbox", "default-src 'none'", "form-action 'none'", "frame-ancestors 'self'"])
    expect(policy).toContain(rule);
  expect(headers.get("cache-control")).toBe("no-store");
});

test("an unknown page, an unknown language and a visitor without a session are refused", async () => {
  expect((await get("nothing")).status).toBe(404);
  expect((await get("footer?language=tlh")).status).toBe(400);
  expect((await fetch(`${posthorn.server.url}/app/-/recipient/footer`)).status).toBe(401);
});

journey(
  "Somebody who unsubscribes sees the brand, and can read every word in light and dark and on a phone",
  async () => {
    await using posthorn = await startPosthorn();
    await posthorn.call("PUT /workspace/brand", {
      colors: { accent: "#9a5b12", ground: "#f3e9d2", paper: "#fffaf0", ink: "#c9b79c", onAccent: "#9a6b32" },
      logoUrl: `${posthorn.server.url}/i/none.png`,
      ...{ logoAlt: "Lanternfish", pageFooter: "Lanternfish Ltd, https://lanternfish.example/imprint" },
    });
    const { id } = (await posthorn.call("POST /contacts", { email: "ada@example.com" })).body;
    const { unsubscribeUrl } = linksFor(posthorn.secrets, posthorn.server.url, { contactId: id, emailId: id });
    for (const colorScheme of ["light", "dark"] as const) {
      await using ada = await visit(posthorn, { colorScheme, viewport: { width: 390, height: 844 } });
      const { page } = ada;
      await page.goto(unsubscribeUrl);
      await page.getByAltText("Lanternfish").waitFor();
      await ada.check();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
      await page.getByRole("button", { name: /^(un)?subscribe$/i }).click();
      await page.getByRole("status").waitFor();
      await ada.check();
    }
  },
);

journey("Marketing looks at what recipients see, in another language and on a phone", async () => {
  await using eva = await visit(posthorn, { colorScheme: "dark" });
  await signIn(eva.context, posthorn, "MARKETER");
  await eva.open("/settings/pages");
  const { page } = eva;
  const frame = page.frameLocator("iframe");
  await frame.getByText("You get this email because you are subscribed.").waitFor();
  await page.getByRole("link", { name: /Confirm subscribeUrl/ }).click();
  await frame.getByRole("heading", { name: "Please confirm your subscription" }).waitFor();
  await page.getByRole("button", { name: /Language/ }).click();
  await page.getByRole("option", { name: /German/ }).click();
  await frame.getByRole("button", { name: "Bestätigen" }).waitFor();
  await page.getByRole("radio", { name: "As on a phone" }).click();
  await eva.check();
  expect(page.url()).toContain("page=confirm&language=de&size=phone");
  // What the brand screen saves shows at once.
  await page.getByRole("link", { name: "Change the brand" }).click();
  await page.getByLabel("Buttons and links").fill("#ffd400");
  await page.getByLabel("Background").fill("#f3e9d2");
  await page.getByLabel("Footer text").fill("Lanternfish Ltd\nhttps://lanternfish.example/imprint");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await page.getByRole("link", { name: "Recipient pages" }).click();
  await page.getByRole("link", { name: /Unsubscribe, preferences/ }).click();
  await page.locator("dd", { hasText: "Lanternfish Ltd" }).waitFor();
  const link = frame.locator("footer a");
  expect(await link.textContent()).toBe("https://lanternfish.example/imprint");
  expect(await frame.locator("style").textContent()).toContain("--accent: #ffd400; --on-accent: #000000");
  await eva.check();
  await eva.open("/settings/pages?page=unsubscribe&language=fr");
  await frame
    .getByRole("heading", { level: 1 })
    .filter({ hasText: textsIn("fr").subscribedTitle })
    .waitFor();
});
