// Forms in a browser: made and published by somebody of marketing, filled in on another site with its script, and on
// their own page without one.
import { expect } from "bun:test";
import { journey, settled, soon, visit, whole } from "../support/browser.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";
import { contactAt } from "../forms/sending.ts";

/** A site of its own, which shows this HTML. */
function site(html: () => string) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      new URL(url).pathname === "/"
        ? new Response(`<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1>${html()}</main></html>`, {
            headers: { "content-type": "text/html; charset=utf-8" },
          })
        : new Response(null, { status: 204 }),
  });
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** Links name another port than the one that is listened on. */
const here = (posthorn: Posthorn, text: string) => text.replaceAll("http://127.0.0.1:8484", posthorn.server.url);

journey("Marketing makes a form, puts its HTML on the shop's site, and sees who came", async () => {
  await using posthorn = await startPosthorn();
  let html = "";
  await using shop = site(() => html);
  await ask(posthorn, "POST /segments", { body: { name: "Readers", type: "STATIC" } });
  await ask(posthorn, "POST /topics", { body: { key: "tools", name: { en: "New tools" } } });
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  const { page } = eva;
  await eva.open("/segments");
  await page.keyboard.press("Control+k");
  await page.getByRole("menuitem").first().waitFor();
  await page.keyboard.type("new form");
  // A key that comes before the first hit is chosen opens nothing.
  await page.getByRole("menuitem", { name: "New form" }).and(page.locator("[data-focused]")).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "New form" }).waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Newsletter");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Newsletter" }).waitFor();
  await whole(page);
  await page.getByLabel("Title").fill("News from the shop");
  await page.getByRole("button", { name: "Add a field" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(".form-field input:focus").waitFor();
  await page.keyboard.type("First name");
  expect(await page.getByLabel("Data key").inputValue()).toBe("firstName");
  await page.getByText("New tools", { exact: true }).click();
  await page.getByLabel("Wording").fill("Send me news about tools.");
  await page.getByLabel("Path").fill("shop-news");
  await page.getByRole("textbox", { name: "Websites" }).fill("not a site");
  // The preview has what was typed, in another language what is said in that one.
  const preview = page.frameLocator("iframe:not(.coming)");
  await preview.getByLabel("First name").waitFor();
  await preview.getByRole("group", { name: "What interests you?" }).getByLabel("New tools").waitFor();
  await preview.getByLabel("Send me news about tools.").waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("not a site is not a website").waitFor();
  await page.getByRole("textbox", { name: "Websites" }).fill(shop.url);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await page.getByText("This is version 1.").waitFor();
  await page.getByRole("link", { name: "Publish" }).click();
  await page.getByText('action="http://127.0.0.1:8484/f/shop-news"').first().waitFor();
  await eva.check();
  const [{ id, topics }] = (await ask(posthorn, "GET /forms")).body.data;
  expect(topics).toEqual(["tools"]);
  html = here(posthorn, (await ask(posthorn, `GET /forms/${id}/html`)).body);
  await fillIn(posthorn, shop.url);
  await page.getByRole("link", { name: "Results" }).click();
  await page.getByText(shop.url).waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Actions for Newsletter" }).click();
  await page.getByRole("menuitem", { name: "Close the form" }).click();
  await page.getByText("The form is closed.").waitFor();
  await page.getByText("closed", { exact: true }).waitFor();
  await eva.open("/forms");
  await page.getByText("Newsletter").waitFor();
});

/** On the shop's page: the script answers there, and a fault is beside its field. */
async function fillIn(posthorn: Posthorn, url: string): Promise<void> {
  await using ada = await visit(posthorn, { home: url, offends: /^foreign: |422/ });
  const { page } = ada;
  // Nobody is quicker than two seconds, and the page waits for that by its own clock.
  await ada.context.clock.setSystemTime(posthorn.clock.nowMs());
  await page.goto(url);
  await soon(async () => expect(await page.getByLabel("Email address").isVisible()).toBe(true));
  await ada.check();
  await page.getByLabel("Email address").fill("ada@nowhere");
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Send me news about tools.").check();
  posthorn.clock.advance(3_000);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByText("This is not an email address.").waitFor();
  expect(await page.locator("input:focus").getAttribute("aria-invalid")).toBe("true");
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByRole("status").getByText("We are sending you an email.").waitFor();
  expect(page.url()).toBe(`${url}/`);
  await ada.check();
  await settled(posthorn, async () =>
    expect(await contactAt(posthorn, "ada@example.com")).toMatchObject({ status: "PENDING" }),
  );
}

journey("On a phone the editor shows the fields or the preview, and what was refused", async () => {
  await using posthorn = await startPosthorn();
  const { id } = (await ask(posthorn, "POST /forms", { body: { name: "News", key: "news" } })).body;
  for (const [key, name] of [
    ["tools", "New tools"],
    ["tips", "Tips"],
  ] as const)
    await ask(posthorn, "POST /topics", { body: { key, name: { en: name } } });
  await using eva = await visit(posthorn, { viewport: { width: 390, height: 844 }, offends: /422/ });
  await signIn(eva.context, posthorn);
  const { page } = eva;
  await eva.open(`/forms/${id}`);
  const preview = page.frameLocator("iframe:not(.coming)").getByRole("heading", { name: "From a phone" });
  await page.getByLabel("Title").fill("From a phone");
  expect(await preview.isVisible()).toBe(false);
  await page.getByText("New tools", { exact: true }).click();
  // It is in reach where one has scrolled to.
  const choice = (name: string) => page.getByRole("radio", { name, exact: true });
  expect(((await choice("Preview").boundingBox())?.y ?? 999) < 100).toBe(true);
  await choice("Preview").click();
  await preview.waitFor();
  expect(await page.getByLabel("Title").isVisible()).toBe(false);
  await eva.check();
  await choice("Edit").click();
  await page.getByRole("textbox", { name: "Websites" }).fill("not a site");
  await choice("Preview").click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("not a site is not a website").waitFor();
  await page.getByRole("textbox", { name: "Websites" }).fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  // From the form to its topics, and from a topic to its forms.
  await page.getByRole("link", { name: "To the topics" }).click();
  await page.getByRole("button", { name: "Actions for Tips" }).click();
  expect(await page.getByRole("menuitem", { name: "Forms" }).getAttribute("aria-disabled")).toBe("true");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Actions for New tools" }).click();
  await page.getByRole("menuitem", { name: "1 form offers it" }).click();
  await page.getByRole("button", { name: "Offer the topic “New tools”" }).waitFor();
  await page.getByRole("link", { name: "News" }).waitFor();
  await eva.check();
  // Both are found by their names from anywhere.
  await page.keyboard.press("Control+k");
  await page.getByRole("menuitem").first().waitFor();
  await page.keyboard.type("news");
  await page.getByRole("menuitem", { name: "News" }).click();
  await page.getByRole("heading", { level: 1, name: "News" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("menuitem").first().waitFor();
  await page.keyboard.type("new tools");
  await page.getByRole("menuitem", { name: "New tools" }).click();
  await page.getByRole("heading", { level: 1, name: "Topics" }).waitFor();
  expect(await page.getByRole("searchbox", { name: "Find a topic" }).inputValue()).toBe("tools");
});

journey(
  "A site that may not show a form cannot send it, with a script or without: its visitor is told in words",
  async () => {
    await using posthorn = await startPosthorn();
    let html = "";
    await using shop = site(() => html);
    await using thief = site(() => html);
    const body = { name: "News", key: "news", sites: [shop.url], consent: { wording: { en: "Yes." } } };
    const { id } = (await ask(posthorn, "POST /forms", { body })).body;
    html = here(posthorn, (await ask(posthorn, `GET /forms/${id}/html?language=de`)).body);
    for (const javaScriptEnabled of [true, false])
      for (const { url } of [shop, thief]) {
        const offends = /^foreign: |403|CORS|ERR_FAILED/;
        await using ada = await visit(posthorn, { home: url, javaScriptEnabled, offends, locale: "de-DE" });
        const { page } = ada;
        await ada.context.clock.setSystemTime(posthorn.clock.nowMs());
        await page.goto(url);
        await page.getByLabel("E-Mail-Adresse").fill(`ada@${new URL(url).port}.example`);
        await page.getByLabel("Yes.").check();
        posthorn.clock.advance(60_000);
        await page.getByRole("button").click();
        const answer = url === thief.url ? "Das Formular wurde nicht gesendet" : "Wir schicken Ihnen eine E-Mail.";
        await page.getByText(answer).waitFor();
        expect(page.url().startsWith(url)).toBe(javaScriptEnabled && url === shop.url);
        if (url === shop.url) continue;
        await page.getByRole("link", { name: "Auf seiner eigenen Seite ausfüllen" }).click();
        await page.getByRole("button", { name: "Abonnieren" }).waitFor();
      }
    await posthorn.settle();
    const { port } = new URL(shop.url);
    expect(posthorn.transport.recipients).toEqual([`ada@${port}.example`]);
  },
);

journey("Somebody signs up on the form's own page, on a phone, in either scheme", async () => {
  await using posthorn = await startPosthorn();
  const size = { name: "size", type: "choice", label: { en: "Size" }, options: [{ value: "S" }, { value: "L" }] };
  const fields = [size, { name: "since", type: "date", label: { en: "Since" }, required: true }];
  const consent = { wording: { en: "Yes, see https://example.com/privacy." } };
  await ask(posthorn, "POST /forms", { body: { name: "News", key: "news", title: { en: "News" }, fields, consent } });
  for (const colorScheme of ["light", "dark"] as const) {
    const options = { colorScheme, viewport: { width: 390, height: 844 }, offends: /422/ };
    await using bob = await visit(posthorn, options);
    const { page } = bob;
    await page.goto(`${posthorn.server.url}/f/news`);
    await bob.check();
    expect(await page.evaluate("getComputedStyle(document.querySelector('label small')).display")).toBe("inline");
    await page.getByLabel("Email address").fill("bob@example.com");
    await page.getByLabel("Size").selectOption("L");
    // What the browser checks itself may be switched off.
    await page.locator("form").evaluate((form) => form.setAttribute("novalidate", ""));
    posthorn.clock.advance(900_000);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.getByRole("alert").getByText("Since: Please fill this in.").waitFor();
    await bob.check();
    expect(await page.getByLabel("Size").inputValue()).toBe("L");
    await page.getByLabel("Since").fill("2026-01-02");
    await page.getByLabel("Yes, see").check();
    posthorn.clock.advance(3_000);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await bob.check();
    await posthorn.settle();
  }
  expect(posthorn.transport.recipients).toEqual(["bob@example.com", "bob@example.com"]);
});
