// Sessions, networks and servers that go away while a page is open: it stays, says so, and goes on.
import { afterAll, beforeAll, expect } from "bun:test";
import type { Route } from "playwright-core";
import { journey, soon, visit, type Visit } from "../support/browser.ts";
import { firstOwner, PASSWORD } from "../support/people.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { OFFENDS } from "./broken-calls.ts";

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await startPosthorn();
});
afterAll(() => posthorn[Symbol.asyncDispose]());

/** Ada, who has a password, with a name that she has not saved yet. */
async function adaWrites(posthorn: Posthorn, ada: Visit, cookie: string): Promise<void> {
  await setCookie(posthorn, ada, cookie);
  await ada.open("/me");
  await ada.page.getByLabel("Name", { exact: true }).fill("Ada King");
}

async function setCookie(posthorn: Posthorn, { context }: Visit, cookie: string): Promise<void> {
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url: posthorn.server.url }]);
}

journey("A session ends before something is saved: its owner signs in over the page, and it is saved", async () => {
  await using posthorn = await startPosthorn();
  const { cookie } = await firstOwner(posthorn);
  await using ada = await visit(posthorn, { offends: OFFENDS });
  const { page } = ada;
  await adaWrites(posthorn, ada, cookie);
  await ada.context.clearCookies();
  await page.getByRole("button", { name: "Save name" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.waitFor();
  await ada.check();
  await page.keyboard.press("Escape");
  await dialog.getByLabel("Password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Name saved.").waitFor();
  await dialog.waitFor({ state: "detached" });
  expect(page.url()).toEndWith("/app/me");
});

journey("Somebody else signs in in another tab: the page says so, and sends nothing in their name", async () => {
  await using posthorn = await startPosthorn();
  const { cookie } = await firstOwner(posthorn);
  await using ada = await visit(posthorn, { offends: OFFENDS });
  const { page } = ada;
  await adaWrites(posthorn, ada, cookie);
  await signIn(ada.context, posthorn);
  await page.getByRole("button", { name: "Save name" }).click();
  const dialog = page.getByRole("dialog", { name: "Another person is signed in" });
  await dialog.getByText("Eva Moser is now signed in").waitFor();
  await ada.check();
  const { name } = (await page.evaluate("fetch('/me').then((answer) => answer.json())")) as { readonly name: string };
  expect(name).toBe("Eva Moser");
  await dialog.getByRole("button", { name: "Sign in as Ada" }).click();
  await page.getByRole("dialog").getByLabel("Password").fill(PASSWORD);
  await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Name saved.").waitFor();
});

journey("Offline, a page that is not loaded yet is tried again, by itself and by a button", async () => {
  await using eva = await visit(posthorn, { offends: OFFENDS });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/keys");
  await eva.context.setOffline(true);
  await page.getByText("You are offline.").first().waitFor();
  await page.getByRole("link", { name: "Statistics" }).click();
  await page.getByRole("heading", { level: 1, name: "This page could not be loaded" }).waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Try again" }).click();
  expect(page.url()).toEndWith("/app/statistics");
  await eva.context.setOffline(false);
  await page.getByRole("heading", { level: 1, name: "Statistics" }).waitFor();
  await page.getByText("You are offline.").first().waitFor({ state: "detached" });
});

journey("A file of the page that does not come is shown in its place until it comes", async () => {
  await using eva = await visit(posthorn, { offends: OFFENDS });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/keys");
  await page.route(/\/app\/-\/part-/, (route) => route.fulfill({ status: 502, body: "" }));
  await page.getByRole("link", { name: "Statistics" }).click();
  await page.getByRole("heading", { level: 1, name: "This page could not be loaded" }).waitFor();
  await page.getByText("Part of this page could not be loaded. Posthorn keeps trying.").waitFor();
  await page.unroute(/\/app\/-\/part-/);
  await page.getByRole("heading", { level: 1, name: "Statistics" }).waitFor();
});

journey("A page whose own file does not come while it opens is whole once it comes", async () => {
  await using eva = await visit(posthorn, { offends: OFFENDS });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/statistics");
  const own = (await page.locator("link[rel=modulepreload]").first().getAttribute("href")) as string;
  const fails = (route: Route) => route.fulfill({ status: 502, body: "" });
  await page.route(`**${own}`, fails);
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "This page could not be loaded" }).waitFor();
  await page.unroute(`**${own}`, fails);
  await page.getByRole("heading", { level: 1, name: "Statistics" }).waitFor();
});

journey("A page that was used while its own file did not come is whole after Try again", async () => {
  await using eva = await visit(posthorn, { offends: OFFENDS });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/statistics");
  const own = (await page.locator("link[rel=modulepreload]").first().getAttribute("href")) as string;
  const fails = (route: Route) => route.fulfill({ status: 502, body: "" });
  await page.route(`**${own}`, fails);
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "This page could not be loaded" }).waitFor();
  await page.keyboard.press("Tab");
  await page.unroute(`**${own}`, fails);
  // A browser that forgets failures is quicker than the button.
  const again = page.getByRole("button", { name: "Try again" }).first();
  await soon(async () => {
    if (await again.isVisible()) await again.click({ timeout: 1_000 });
    expect(await page.getByRole("heading", { level: 1, name: "Statistics" }).isVisible()).toBe(true);
  });
});

journey("A file of the frame that comes late leaves what has been entered", async () => {
  await using eva = await visit(posthorn, { offends: OFFENDS });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/me");
  const later = (await page.locator("link[rel=modulepreload]").nth(1).getAttribute("href")) as string;
  const fails = (route: Route) => route.fulfill({ status: 502, body: "" });
  await page.route(`**${later}`, fails);
  await page.reload();
  await page.getByLabel("Name", { exact: true }).fill("Eva M.");
  const comes = page.waitForResponse((response) => response.url().endsWith(later) && response.ok());
  await page.unroute(`**${later}`, fails);
  await comes;
  await page.getByRole("button", { name: "Save name" }).click();
  await page.getByText("Name saved.").waitFor();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Eva M.");
});

journey("A new version of the server is offered, and unsaved work is asked about first", async () => {
  await using eva = await visit(posthorn, { offends: OFFENDS });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/me");
  await page.getByLabel("Name", { exact: true }).fill("Eva M.");
  await page.route("**/app/-/version", (route) => route.fulfill({ json: { main: "main-newer.js" } }));
  await page.evaluate("dispatchEvent(new Event('online'))");
  await page.getByText("A new version of Posthorn is available.").waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("button", { name: "Stay on this page" }).click();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Eva M.");
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await soon(async () => expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Eva Moser"));
});

journey("On a slow network the shell and a thin bar are there at once", async () => {
  await using eva = await visit(posthorn, { offends: OFFENDS });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  const script = Promise.withResolvers<void>();
  const overview = Promise.withResolvers<void>();
  await page.route(/\/app\/-\/main-/, async (route) => (await script.promise, route.fallback()));
  await page.route("**/overview", async (route) => (await overview.promise, route.fallback()));
  await page.goto(`${posthorn.server.url}/app`, { waitUntil: "commit" });
  await page.locator(".starting.known").waitFor();
  expect(await page.locator("#root > *").count()).toBe(0);
  script.resolve();
  await page.getByRole("navigation", { name: "Posthorn" }).first().waitFor();
  await page.getByRole("progressbar", { name: "Loading" }).waitFor();
  overview.resolve();
  await page.getByRole("progressbar").first().waitFor({ state: "hidden" });
});

journey("When the server cannot say who is signed in, the page says why, and trying again opens it", async () => {
  await using eva = await visit(posthorn, { offends: OFFENDS });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await page.route("**/me", (route) => route.fulfill({ status: 502, body: "" }));
  await page.goto(`${posthorn.server.url}/app/settings/keys`);
  await page.getByRole("heading", { level: 1, name: "This page could not be loaded" }).waitFor();
  await page.getByText("The server answered with error 502.").waitFor();
  await eva.check();
  await page.unroute("**/me");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
});
