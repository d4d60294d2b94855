// Suppressions in a browser: added, counted, filtered, imported, seen on a person's page, and lifted.
import { expect } from "bun:test";
import { journey, settled, soon, visit } from "../support/browser.ts";
import { startPosthorn, type Json } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

journey("An address is suppressed, a list comes in, and somebody is freed again", async () => {
  await using posthorn = await startPosthorn();
  const listed = async (): Promise<Json[]> => (await posthorn.call("GET /suppressions")).body.data;
  const ada = (await posthorn.call("POST /contacts", { email: "ada@example.com" })).body;
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);

  await eva.open("/suppressions");
  await page.getByText("Nothing is suppressed").waitFor();
  await page.getByRole("button", { name: "Add suppression" }).last().click();
  await page.getByRole("button", { name: "Suppress", exact: true }).click();
  await page.getByText("Give address or domain.").waitFor();
  await page.getByRole("textbox", { name: "Address or domain" }).fill("@example.com");
  await page.getByText("It hits 1 contact at example.com.").waitFor();
  await page.getByText("1 of them subscribed. ada@example.com").waitFor();
  await page.getByRole("textbox", { name: /^Note/ }).fill("Closed");
  await eva.check();
  await page.getByRole("button", { name: "Suppress", exact: true }).click();
  await page.getByText("example.com is suppressed.").waitFor();
  expect(await listed()).toMatchObject([{ domain: "example.com", scope: "all", until: null, note: "Closed" }]);

  // Until the list shows the new row, its empty state has such a button, too.
  await page.locator("header.bar").getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog");
  const file = "EmailAddress,SuppressionReason\nada@example.com,HardBounce\nbob@example.net,SpamComplaint\nnobody,\n";
  await dialog.locator("input[type=file]").setInputFiles({
    ...{ name: "suppressions.csv", mimeType: "text/csv", buffer: Buffer.from(file) },
  });
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await settled(posthorn, () => dialog.getByText("2 added, 0 suppressed before.").waitFor({ timeout: 1_000 }));
  await dialog.getByText("Row 4, “nobody”: This is neither an address nor a domain.").waitFor();
  await eva.check();
  await dialog.getByRole("button", { name: "Close" }).last().click();

  await page.getByRole("radio", { name: "Complained 1" }).click();
  await soon(async () => expect(await page.locator(".suppressions > .line").count()).toBe(1));
  await page.getByRole("radio", { name: /^All 3/ }).click();
  await page.getByRole("link", { name: "ada@example.com" }).click();
  const card = page.locator(".card-part", { hasText: "Email consent" });
  await card.getByText("Transactional email: no").waitFor();
  await card.getByText("example.com is suppressed for all email", { exact: false }).first().waitFor();
  await eva.check();

  await eva.open("/suppressions?search=ada");
  await page.getByRole("button", { name: "Actions for ada@example.com" }).click();
  await page.getByRole("menuitem", { name: "Lift" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Lift", exact: true }).click();
  await page.getByText("ada@example.com is not suppressed any more.").waitFor();
  expect((await posthorn.call(`GET /contacts/${ada.id}`)).body.suppressed).toBeNull();
  await eva.check();

  // Her domain still is, which her page names as the reason.
  const news = { name: "News", subject: "News", body: "<p>News</p>", from: "shop@example.test", audienceType: "ALL" };
  await posthorn.call("POST /contacts", { email: "cy@example.org" });
  const campaign = (await posthorn.call("POST /campaigns", news)).body.data.id;
  const at = new Date(posthorn.clock.nowMs() + 86_400_000).toISOString();
  await posthorn.call(`POST /campaigns/${campaign}/send`, { scheduledFor: at });
  await eva.open(`/people/${ada.id}`);
  await page.getByText("excluded: example.com is suppressed").waitFor();
  await eva.check();
});
