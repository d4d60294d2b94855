// Reports of receivers on the page of a domain: before the first, with a verdict, and where they cannot be loaded.
import { expect } from "bun:test";
import { journey, soon, visit } from "../support/browser.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { lanternfish } from "./scene.ts";
import { reportsOfReceivers } from "./report-scene.ts";

async function idOf(posthorn: Posthorn): Promise<string> {
  const { data } = (await posthorn.call("GET /domains")).body;
  return data.find(({ domain }: Json) => domain === "lanternfish.example").id;
}

journey("Before the first report, the page says where reports come to, or why none do", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  await eva.open("/settings/domains");
  await eva.page.getByText("This server takes no email from outside, so no reports come in.").waitFor();
  await eva.check();
});

journey(
  "The verdict, the days, the sources and the reports are on the page of the domain, down to 360 pixels and in German",
  async () => {
    await using posthorn = await lanternfish();
    await reportsOfReceivers(posthorn);
    await using eva = await visit(posthorn);
    await signIn(eva.context, posthorn);
    await eva.open(`/settings/domains/${await idOf(posthorn)}`);
    const { page } = eva;
    await page.getByText("Not yet: Mailchimp sends email that fails.", { exact: false }).waitFor();
    const sources = page.getByRole("region", { name: "Who sends in this name" });
    await soon(async () => expect(await sources.textContent()).toContain("set up DKIM for lanternfish.example there"));
    expect(await sources.textContent()).toContain("mail.copycat.example");
    await page.getByText("not counted: it is about another domain").waitFor();
    await page.getByText("could not be read: The file is not well-formed XML", { exact: false }).waitFor();
    await page.getByText("certificate-host-mismatch").waitFor();
    await page.getByRole("radio", { name: "7 days" }).click();
    await page.getByRole("img", { name: /^Email reported by day/ }).waitFor();
    await eva.check();
    await page.setViewportSize({ width: 360, height: 740 });
    await eva.check();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  },
);

journey("A German reader reads all of it in German; what cannot be loaded can be tried again", async () => {
  await using posthorn = await lanternfish();
  await reportsOfReceivers(posthorn);
  await using eva = await visit(posthorn, { locale: "de-DE", offends: /Failed to load resource/ });
  await signIn(eva.context, posthorn);
  await eva.context.route(/\/reports\?/, (route) => route.abort());
  await eva.page.goto(`${posthorn.server.url}/app/settings/domains/${await idOf(posthorn)}`);
  const again = eva.page
    .locator(".panel", { hasText: "Berichte von Empfängern" })
    .locator(".not-loaded button")
    .first();
  await again.waitFor();
  await eva.context.unroute(/\/reports\?/);
  await again.click();
  await eva.page.getByText("Noch nicht: Mails von Mailchimp bestehen nicht.", { exact: false }).waitFor();
  await eva.page.getByText("nicht lesbar: Die Datei ist kein wohlgeformtes XML", { exact: false }).waitFor();
  await eva.check();
});
