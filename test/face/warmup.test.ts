// The warm-up of a sender domain in a browser: the plan, what waits, and when a campaign will have left.
import { expect } from "bun:test";
import { journey, soon, visit } from "../support/browser.ts";
import { send, write } from "../support/campaigns.ts";
import { layoutFaults } from "../support/layout.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

/** A folder for pictures, to be looked at. */
const { PICTURES } = process.env;

async function warming(): Promise<{ readonly posthorn: Posthorn; readonly domain: string }> {
  const posthorn = await startPosthorn({
    config: { delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" } },
  });
  for (const [count, at] of [
    [70, "gmail.com"],
    [20, "web.de"],
    [5, "example.com"],
  ] as const)
    for (let one = 0; one < count; one++)
      await posthorn.call("POST /contacts", { email: `p${one}@${at}`, subscribed: true });
  return { posthorn, domain: (await posthorn.call("GET /domains")).body.data[0].id };
}

journey.each(["en-GB", "de-DE"])("In %s, a warm-up says what waits and when it will have left", async (locale) => {
  const { posthorn, domain } = await warming();
  await using _ = posthorn;
  const draft = await write(posthorn, { from: "shop@example.test" });
  const sent = await send(posthorn, { from: "shop@example.test" });
  await posthorn.settle();
  for (const width of [360, 1280]) {
    await using eva = await visit(posthorn, { locale, viewport: { width, height: 900 } });
    await signIn(eva.context, posthorn);
    const places = [
      [`/settings/domains/${domain}`, "Gmail"],
      [`/campaigns/${draft}?tab=check`, "example.test"],
      [`/campaigns/${sent}?tab=results`, "example.test"],
    ] as const;
    for (const [place, words] of places) {
      await eva.open(place);
      await soon(async () => expect(await eva.page.locator("main").innerText()).toContain(words));
      await eva.page.waitForLoadState("networkidle");
      if (PICTURES)
        await eva.page.screenshot({
          path: `${PICTURES}/${locale}-${width}-${words}-${places.findIndex((one) => one[0] === place)}.png`,
          fullPage: true,
        });
      if (words === "Gmail") {
        const text = await eva.page.locator("main").innerText();
        // Who comes from a campaign or from the overview looks for it.
        expect(text.indexOf("Gmail")).toBeLessThan(text.indexOf("DKIM"));
      }
      expect([place, width, await layoutFaults(eva.page)]).toEqual([place, width, []]);
    }
  }
});

journey("A warm-up is paused, resumed, given another plan, and ended by hand", async () => {
  const { posthorn, domain } = await warming();
  await using _ = posthorn;
  await send(posthorn, { from: "shop@example.test" });
  await posthorn.settle();
  await using eva = await visit(posthorn, { locale: "en-GB", viewport: { width: 1280, height: 900 } });
  await signIn(eva.context, posthorn);
  await eva.open(`/settings/domains/${domain}`);
  const { page } = eva;
  const actions = page.getByRole("button", { name: "Warm-up actions" });
  await actions.click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  await soon(async () => expect(await page.locator("main").innerText()).toContain("Day 1 of 22"));
  await actions.click();
  await page.getByRole("menuitem", { name: "Change the plan…" }).click();
  await page.getByLabel("Emails a day").fill("70, often");
  await page.getByRole("button", { name: "Save plan" }).click();
  await soon(async () => expect(await page.getByRole("dialog").innerText()).toContain("Enter whole numbers"));
  await page.getByLabel("Emails a day").fill("70 90");
  await page.getByRole("button", { name: "Save plan" }).click();
  await soon(async () => expect(await page.locator("main").innerText()).toContain("Day 1 of 2: up to 70 emails"));
  await actions.click();
  await page.getByRole("menuitem", { name: "End the warm-up…" }).click();
  await page.getByRole("button", { name: "Send at full pace" }).click();
  await soon(async () => expect(await page.locator("main").innerText()).toContain("at full pace"));
  await posthorn.settle();
  expect(posthorn.transport.sent).toHaveLength(95);
});

journey("An owner warms up a way out, and ends it", async () => {
  const { posthorn } = await warming();
  await using _ = posthorn;
  await using eva = await visit(posthorn, { locale: "en-GB", viewport: { width: 1280, height: 900 } });
  await signIn(eva.context, posthorn);
  await eva.open("/settings/ways");
  const { page } = eva;
  await page.getByRole("button", { name: "Actions for default" }).click();
  await page.getByRole("menuitem", { name: "Start a warm-up…" }).click();
  await page.getByRole("button", { name: "Start the warm-up" }).click();
  await soon(async () => expect(await page.locator("main").innerText()).toContain("Warm-up of default"));
  await soon(async () => expect(await page.locator("main").innerText()).toContain("Day 1 of 22"));
  await soon(async () => expect(await layoutFaults(page)).toEqual([]));
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/way-warm-up.png`, fullPage: true });
  await page.getByRole("button", { name: "Warm-up actions" }).click();
  await page.getByRole("menuitem", { name: "End the warm-up…" }).click();
  await page.getByRole("button", { name: "Send at full pace" }).click();
  await soon(async () => expect(await page.locator("main").innerText()).not.toContain("Warm-up of default"));
});
