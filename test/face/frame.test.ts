// The frame of the face: where one is, where one may go, what can be done from anywhere.
import { afterAll, beforeAll, expect } from "bun:test";
import { journey, soon, visit } from "../support/browser.ts";
import { layoutFaults } from "../support/layout.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { firstOwner, PASSWORD } from "../support/people.ts";

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await startPosthorn();
});
afterAll(() => posthorn[Symbol.asyncDispose]());

journey("Somebody who is signed in sees their workspace, their name and the overview", async () => {
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  await eva.open("/");
  const side = eva.page.getByRole("navigation", { name: "Posthorn" }).first();
  await soon(async () => expect(await side.getByText("default").count()).toBe(1));
  await soon(async () => expect(await side.getByText("Eva Moser").count()).toBe(1));
  await soon(async () =>
    expect(await side.getByRole("link", { name: "Overview" }).getAttribute("aria-current")).toBe("page"),
  );
  await soon(async () => expect(await eva.page.title()).toBe("Overview · Posthorn"));
});

journey("With longer German words on a small window, titles, the rail and the bar of an email are whole", async () => {
  const mail = { from: "hello@example.test", subject: "Your receipt", body: "<p>Thanks.</p>" };
  const template = { ...mail, name: "Receipt", type: "TRANSACTIONAL" };
  const { id } = (await posthorn.call("POST /templates", template)).body;
  await posthorn.call(`PATCH /templates/${id}`, { publishManually: true });
  await posthorn.call(`PATCH /templates/${id}`, { subject: "Your invoice" });
  const sent = (await posthorn.call("POST /v1/send", { ...mail, to: "ada@example.com" })).body;
  await using eva = await visit(posthorn, { locale: "de-DE", viewport: { width: 900, height: 768 } });
  await signIn(eva.context, posthorn);
  const { page } = eva;
  const isWhole = (part: string) =>
    page.locator(part).evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
  await eva.open(`/templates/${id}`);
  await page.getByRole("button", { name: "Veröffentlichen" }).waitFor();
  expect(await layoutFaults(page)).toEqual([]);
  expect(await isWhole("header h1")).toBe(true);
  await eva.open("/settings/keys");
  expect(await isWhole(".side")).toBe(true);
  await eva.open(`/mail/${sent.data.emails[0].email}`);
  await page.locator(".viewbar .segmented").first().waitFor();
  expect(await isWhole(".viewbar")).toBe(true);
});

journey("⌘K finds pages and verbs by keys alone, and gives the focus back", async () => {
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  await eva.open("/settings");
  const { page } = eva;
  await page.keyboard.press("Control+k");
  await page.getByRole("menuitem", { name: "Overview" }).waitFor();
  await eva.check();
  await page.keyboard.type("copy api");
  await soon(async () => expect(await page.getByRole("menuitem").allTextContents()).toEqual(["Copy API call"]));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("overv");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

journey("⌘K finds a sender domain by a part of its name, and opens it", async () => {
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "DEVELOPER");
  await eva.open("/");
  await eva.page.keyboard.press("Control+k");
  await eva.page.getByRole("searchbox").waitFor();
  await eva.page.keyboard.type("example.t");
  // What was found for the first letters is there before what was found for all of them, which then takes its place.
  const domain = eva.page.getByRole("menuitem", { name: "example.test" }).and(eva.page.locator("[data-focused]"));
  await domain.waitFor();
  await eva.check();
  await domain.waitFor();
  await eva.page.keyboard.press("Enter");
  await eva.page.waitForURL(/\/app\/settings\/domains\/[\w-]+$/);
});

journey("What a screen shows is copied as a link and as a curl line without the session", async () => {
  await using eva = await visit(posthorn, { permissions: ["clipboard-read", "clipboard-write"] });
  await signIn(eva.context, posthorn);
  await eva.open("/");
  const copied = () => eva.page.evaluate("navigator.clipboard.readText()") as Promise<string>;
  await eva.page.locator(".bar").getByRole("button", { name: "Copy API call" }).click();
  await eva.page.getByText("Copied as a curl command.").waitFor();
  expect(await copied()).toStartWith(`curl "${posthorn.server.url}/`);
  expect(await copied()).toContain('-H "Authorization: Bearer $KEY"');
  await eva.page.getByRole("button", { name: "Copy link" }).click();
  await eva.page.getByText("Link copied.").waitFor();
  const { body } = await posthorn.call("GET /workspace");
  expect(await copied()).toBe(`${posthorn.server.url}/app?workspace=${body.id}`);
  await eva.check();
});

journey("Colours and language are chosen in the menu and kept for the next visit", async () => {
  await using eva = await visit(posthorn, { colorScheme: "light" });
  await signIn(eva.context, posthorn);
  await eva.open("/");
  const { page } = eva;
  const ground = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  const choose = async (name: string) => {
    await page.getByRole("button", { name: "Eva Moser" }).click();
    await page.getByRole("menuitemradio", { name }).click();
  };
  expect(await ground()).toBe("rgb(251, 250, 248)");
  await choose("Dark");
  await choose("Deutsch");
  await page.getByRole("heading", { level: 1, name: "Übersicht" }).waitFor();
  await eva.open("/");
  await soon(async () => expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Übersicht"));
  await soon(async () => expect(await page.evaluate("document.documentElement.lang")).toBe("de"));
  expect(await ground()).toBe("rgb(20, 19, 15)");
});

journey("A browser that wishes German is answered in German", async () => {
  await using eva = await visit(posthorn, { locale: "de-AT" });
  await signIn(eva.context, posthorn);
  await eva.open("/");
  await soon(async () => expect(await eva.page.getByRole("heading", { level: 1 }).textContent()).toBe("Übersicht"));
});

journey("On a phone the names stand at the bottom, and the rest is behind one of them", async () => {
  await using eva = await visit(posthorn, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await signIn(eva.context, posthorn);
  await eva.open("/");
  const dock = eva.page.getByRole("navigation", { name: "Posthorn" });
  await soon(async () => expect(await dock.getByRole("link", { name: "Overview" }).isVisible()).toBe(true));
  await dock.getByRole("button", { name: "More" }).click();
  await eva.page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  await soon(async () =>
    expect(await eva.page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true),
  );
  await eva.check();
  const audience = eva.page.getByRole("menu").getByRole("group", { name: "Audience" });
  expect(await audience.getByRole("menuitem").allTextContents()).toEqual([
    ...["Segments", "Topics", "Forms", "Suppressions"],
  ]);
  // On a small phone its end is reached by scrolling, inside of it.
  await eva.page.setViewportSize({ width: 360, height: 640 });
  const end = eva.page.getByRole("menuitem", { name: "Sign out" });
  await end.scrollIntoViewIfNeeded();
  await soon(async () => {
    const [menu, item] = [await eva.page.locator(".menu").boundingBox(), await end.boundingBox()];
    const bottomOf = (box: typeof menu) => (box?.y ?? 0) + (box?.height ?? Infinity);
    expect([bottomOf(item) <= bottomOf(menu), bottomOf(menu) <= 640]).toEqual([true, true]);
  });
});

journey("What is about people is together, in the side, in the palette and by N", async () => {
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  const { page } = eva;
  await eva.open("/topics");
  const group = page.getByRole("navigation", { name: "Posthorn" }).getByRole("group", { name: "Audience" });
  const names = ["Contacts", "Segments", "Topics", "Forms", "Suppressions"];
  expect(await group.getByRole("link").allTextContents()).toEqual(names);
  for (const [name, dialog] of [
    ["Topics", "New topic"],
    ["Forms", "New form"],
    ["Suppressions", "Add suppression"],
  ] as const) {
    await group.getByRole("link", { name }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.keyboard.press("n");
    await page.getByRole("dialog", { name: dialog }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: dialog }).waitFor({ state: "detached" });
  }
  // An empty list can be filled by an import at once.
  await page.locator(".empty").getByRole("button", { name: "Import" }).click();
  await page.getByRole("dialog", { name: "Import suppressions" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.getByRole("menuitem", { name: "Contacts" }).waitFor();
  await page.keyboard.type("audience");
  await soon(async () =>
    expect(await page.getByRole("menuitem").allTextContents()).toEqual(names.map((name) => `${name}Audience`)),
  );
  await page.keyboard.press("Control+k");
  for (const width of [360, 900, 1024, 1440, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await soon(async () => expect(await layoutFaults(page)).toEqual([]));
  }
});

journey("An address that names nothing says so, and leads back", async () => {
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  await eva.open("/nowhere/at/all");
  await eva.page.getByRole("heading", { name: "Page not found" }).waitFor();
  await soon(async () => expect(await eva.page.getByRole("navigation").first().isVisible()).toBe(true));
  await eva.page.getByRole("link", { name: "Go to overview" }).click();
  await eva.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

journey("While the browser is offline, the page says that it may be old", async () => {
  await using eva = await visit(posthorn, { offends: /ERR_INTERNET_DISCONNECTED/ });
  await signIn(eva.context, posthorn);
  await eva.open("/");
  await eva.context.setOffline(true);
  await eva.page.getByText("You are offline.").waitFor();
  await eva.context.setOffline(false);
  await eva.page.getByText("You are offline.").waitFor({ state: "detached" });
});

journey("Of two tabs one listens for news, and both show what has changed", async () => {
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  let streams = 0;
  eva.context.on("request", (request) => void (streams += request.url().includes("/app/-/live") ? 1 : 0));
  await eva.open("/settings/domains");
  const second = await eva.context.newPage();
  await second.goto(`${posthorn.server.url}/app/settings/domains`);
  await second.getByRole("link", { name: "example.test" }).waitFor();
  await posthorn.call("POST /domains", { domain: "shop.example" });
  for (const page of [eva.page, second]) await page.getByRole("link", { name: "shop.example" }).waitFor();
  expect(streams).toBe(1);
});

journey("Who signed in long ago is asked again, and goes on by keys alone", async () => {
  await using posthorn = await startPosthorn();
  const ada = await firstOwner(posthorn);
  await using here = await visit(posthorn);
  const [name = "", value = ""] = ada.cookie.split("=");
  await here.context.addCookies([{ name, value, url: posthorn.server.url }]);
  posthorn.clock.advance(11 * 60_000);
  await here.open("/settings/keys");
  const { page } = here;
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("shop");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Confirm that it is you" }).waitFor();
  await soon(async () => expect(await page.evaluate("document.activeElement.type")).toBe("password"));
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("Copy them now.").waitFor();
});

journey("Filters stand in the address as people write them", async () => {
  await using posthorn = await startPosthorn();
  await using here = await visit(posthorn);
  await signIn(here.context, posthorn);
  await here.open("/mail?held=true&search=4410");
  const { page } = here;
  await page.getByRole("link", { name: "Failed" }).click();
  await page.waitForURL(/\/mail\?search=4410&status=FAILED$/);
  await page.goBack();
  await page.waitForURL(/\/mail\?(search=4410&held=true|held=true&search=4410)$/);
});

journey("What many screens need is asked once, and again when a notice tells of a change", async () => {
  await using posthorn = await startPosthorn();
  await posthorn.call("POST /contacts", { email: "ada@example.com", data: { plan: "pro" } });
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  const { page } = eva;
  const asked: string[] = [];
  page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
  const times = (path: string) => asked.filter((one) => one === path).length;
  const go = (name: string) => page.getByRole("link", { name, exact: true }).first().click();
  await eva.open("/mail");
  await go("Segments");
  await page.getByRole("button", { name: "New segment" }).first().click();
  await soon(async () => expect(times("/contacts/fields")).toBe(1));
  const before = times("/overview");
  await go("Overview");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "New segment" }).waitFor();
  expect([times("/contacts/fields"), times("/overview"), times("/emails/counts")]).toEqual([1, before, 1]);
  await posthorn.call("POST /contacts", { email: "eva@example.com", data: { city: "Linz" } });
  await soon(async () => expect([times("/contacts/fields"), times("/overview")]).toEqual([2, before + 1]));
});

journey("Escape from a dialog that a key has opened leaves the focus on the button that makes a new one", async () => {
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  const { page } = eva;
  await eva.open("/topics");
  const make = page.locator("header.bar").getByRole("button", { name: "New topic" });
  await make.waitFor();
  await page.keyboard.press("n");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator("header.bar .btn.first:focus").waitFor();
});
