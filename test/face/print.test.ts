// Pages on paper: what is read, in ink on white, and nothing that one clicks.
import { expect } from "bun:test";
import { journey, soon, visit } from "../support/browser.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

journey("Statistics, a campaign’s results and lists are printed dark on white, without the navigation", async () => {
  await using posthorn = await startPosthorn();
  await posthorn.call("POST /contacts", { email: "ada@example.com", subscribed: true });
  const letter = { name: "April", subject: "April", body: "<p>Hello</p>", from: "a@example.test" };
  const { data } = (await posthorn.call("POST /campaigns", { ...letter, audienceType: "ALL" })).body;
  await posthorn.call(`POST /campaigns/${data.id}/send`, {});
  await posthorn.settle();
  await using eva = await visit(posthorn, { colorScheme: "dark" });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.context.addInitScript("localStorage.setItem('scheme', 'dark')");
  for (const path of ["/statistics", `/campaigns/${data.id}`, "/people"]) {
    await eva.open(path);
    await page.emulateMedia({ media: "print" });
    const look = () => page.evaluate("getComputedStyle(document.querySelector('main')).color");
    await soon(async () => expect(await look()).toBe("rgb(29, 27, 22)"));
    expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
    for (const what of [".side", ".dock", ".bar .btn"])
      expect(await page.locator(what).filter({ visible: true }).count()).toBe(0);
    await page.emulateMedia({ media: "screen" });
  }
});
