// Small things that every screen has: times, chips, dialogs, regions.
import { expect } from "bun:test";
import { putOn } from "../support/brakes.ts";
import { journey, soon, visit } from "../support/browser.ts";
import { send, write } from "../support/campaigns.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

journey("Lists are chips, times have seconds, dialogs have a button that closes them", async () => {
  await using posthorn = await startPosthorn();
  const data = { tags: ["tea", "coffee"] };
  const { id } = (await posthorn.call("POST /contacts", { email: "ada@example.com", data })).body;
  const letter = { to: "ada@example.com", from: "shop@example.test", subject: "Tea", body: "<p>Tea" };
  const [sent] = (await posthorn.call("POST /v1/send", letter)).body.data.emails;
  await posthorn.settle();
  await using eva = await visit(posthorn, { locale: "de-DE" });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open(`/people/${id}`);
  await soon(async () => expect(await page.locator(".datum .tag").allTextContents()).toEqual(["tea", "coffee"]));
  await eva.check();
  await eva.open(`/mail/${sent.email}`);
  await soon(async () =>
    expect(await page.locator("main time").allTextContents()).toContainEqual(expect.stringMatching(/^\d\d:\d\d:\d\d$/)),
  );
  await eva.open("/templates");
  await page.getByRole("button", { name: "Neue Vorlage" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Schließen" }).click();
  await dialog.waitFor({ state: "detached" });
  // A landmark has a name of its own.
  await eva.open("/statistics");
  await page.locator("table.groups").waitFor();
  const names = await page
    .locator("main section[aria-label], main [role=region]")
    .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  expect(names).toEqual([...new Set(names)]);
});

journey(
  "Who may not end a warm-up reads whom to ask; an image without words is told on Check, however it is saved",
  async () => {
    await using posthorn = await startPosthorn({
      config: { delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" } },
    });
    for (let at = 0; at < 3; at++)
      await posthorn.call("POST /contacts", { email: `p${at}@gmail.com`, subscribed: true });
    const image = { type: "image", attrs: { src: "https://shop.example/a.png", alt: "" } };
    const letter = {
      ...{ name: "Tea", subject: "New tea", from: "shop@example.test", audienceType: "ALL" },
      // As it was saved before nothing meant that nobody had said anything.
      body: `<p>Tea</p><img src="https://shop.example/a.png" alt="">`,
      design: { kind: "visual", source: { type: "doc", content: [image] } },
    };
    const { id } = (await posthorn.call("POST /campaigns", letter)).body.data;
    await using eva = await visit(posthorn, { locale: "en-GB" });
    await signIn(eva.context, posthorn);
    await using bea = await visit(posthorn, { locale: "en-GB" });
    await signIn(bea.context, posthorn, "MARKETER");
    const { page } = bea;
    await bea.open(`/campaigns/${id}?tab=check`);
    await page.getByText("An image has no alt text.").waitFor();
    await page.getByText(/Has example\.test sent as much elsewhere already\? .* Ask /).waitFor();
    await page.getByText(/done by .*: example\.test is being warmed up/).waitFor();
    await bea.check();
    if (process.env["PICTURES"])
      await page.screenshot({ path: `${process.env["PICTURES"]}/check.png`, fullPage: true });
  },
);

journey(
  "A time reads as in its language, and beside a message a list of emails still shows whom they went to",
  async () => {
    await using posthorn = await startPosthorn();
    const to = "ada.lovelace@example.com";
    await posthorn.call("POST /v1/send", { from: "shop@example.test", to, subject: "Your receipt", body: "<p>Hi</p>" });
    for (const [locale, time] of [
      ["en-US", "9:00 AM"],
      ["en-GB", "09:00"],
      ["de-DE", "09:00"],
    ] as const) {
      await using eva = await visit(posthorn, { locale, viewport: { width: 900, height: 700 } });
      await signIn(eva.context, posthorn);
      await eva.open("/mail");
      const row = eva.page.locator(".mails > .line").first();
      expect(await row.locator("time").textContent()).toBe(time);
      const cut = await row.locator(".to").evaluate((one) => one.scrollWidth - one.clientWidth);
      expect([locale, cut]).toEqual([locale, 0]);
    }
  },
);

journey("A campaign under way has one time, of the slowest of all limits", async () => {
  await using posthorn = await startPosthorn({
    config: { delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" } },
  });
  const { id: domain } = (await posthorn.call("GET /domains")).body.data[0];
  expect((await posthorn.call(`POST /domains/${domain}/warmup/skip`)).status).toBe(200);
  for (let at = 0; at < 5; at++) await posthorn.call("POST /contacts", { email: `p${at}@gmail.com`, subscribed: true });
  await putOn(posthorn, { perHour: 1 });
  const id = await send(posthorn, { from: "shop@example.test" });
  await posthorn.settle();
  const { slowest } = (await posthorn.call(`GET /campaigns/${id}/forecast`)).body.data;
  expect(slowest).toMatchObject({ limit: "PROVIDER_PACE", name: "gmail" });
  await using eva = await visit(posthorn, { locale: "en-GB" });
  await signIn(eva.context, posthorn, "MARKETER");
  await eva.open(`/campaigns/${id}?tab=results`);
  await eva.page.locator(".pace", { hasText: /\d\sh\s?remaining/ }).waitFor();
});

journey("Check says when a campaign for later will be done, by the warm-up of that day", async () => {
  await using posthorn = await startPosthorn({
    config: { delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" } },
  });
  for (let at = 0; at < 90; at++)
    await posthorn.call("POST /contacts", { email: `p${at}@gmail.com`, subscribed: true });
  const id = await write(posthorn, { from: "shop@example.test" });
  await using eva = await visit(posthorn, { locale: "en-GB" });
  await signIn(eva.context, posthorn, "MARKETER");
  await eva.open(`/campaigns/${id}?tab=check`);
  const [now, later] = [eva.page.locator(".when").first(), eva.page.locator(".when").last()];
  await now.getByText("example.test is being warmed up").waitFor();
  await later.locator("input").check();
  const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16);
  await eva.page.locator("input[type=datetime-local]").fill(inThreeDays);
  await later.getByText("example.test is being warmed up").waitFor();
  expect(await now.textContent()).toBe("Now ");
});
