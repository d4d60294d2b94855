// Contacts that are one person, in a browser: found, compared, merged, undone and dismissed.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { journey, settled, visit } from "../support/browser.ts";
import { layoutFaults } from "../support/layout.ts";
import { signIn } from "../support/signed-in.ts";
import { startPosthorn } from "../support/posthorn.ts";

/** At three widths, in both colours. DUPLICATES_PICTURES: where to put the pictures. */
async function look(page: Page, name: string): Promise<void> {
  const pictures = process.env["DUPLICATES_PICTURES"];
  for (const width of [390, 900, 1440])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await layoutFaults(page)).toEqual([]);
      if (pictures) await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png` });
    }
}

journey("Duplicates are found, compared value by value, merged, undone and dismissed", async () => {
  await using posthorn = await startPosthorn();
  const make = async (email: string, data: object) => (await posthorn.call("POST /contacts", { email, data })).body.id;
  const ada = await make("ada.l@gmail.com", { name: "Ada Lovelace", plan: "free" });
  const other = await make("adal+shop@gmail.com", { name: "Ada Lovelace", plan: "pro", city: "Bonn" });
  await make("ben.f@company.example", { name: "Ben Fox" });
  await make("ben@company.example", { name: "ben fox" });
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  const { page } = eva;
  await eva.open("/people");
  await page.getByRole("link", { name: "Find duplicates" }).click();
  await page.getByText("Nobody has looked for duplicates yet").waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Look for duplicates" }).click();
  await page.getByText("All contacts are being looked through.").waitFor();
  await settled(posthorn, () => page.getByText("2 groups of contacts").waitFor({ timeout: 900 }));
  await eva.check();
  // The older one stays; of the plan the other's value counts.
  const group = page.locator(".duplicate").filter({ hasText: "ada.l@gmail.com" });
  // Only what differs is asked: the city that one of them has stays.
  expect(await group.getByRole("row").locator("th").allTextContents()).not.toContain("city");
  await group.getByText("Kept from whoever has it: city: Bonn").waitFor();
  for (const width of [390, 900, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await layoutFaults(page)).toEqual([]);
    const pictures = process.env["DUPLICATES_PICTURES"];
    if (pictures) await page.screenshot({ path: `${pictures}/duplicates-${width}.png` });
  }
  await group.getByRole("radio", { name: "plan: pro, of adal+shop@gmail.com" }).check();
  await group.getByRole("button", { name: "Merge" }).click();
  const toast = page.locator(".toast").filter({ hasText: "2 contacts are one: ada.l@gmail.com." });
  await toast.waitFor();
  await page.getByText("1 group of contacts").waitFor();
  expect((await posthorn.call(`GET /contacts/${ada}`)).body.data).toEqual({
    ...{ name: "Ada Lovelace", plan: "pro", city: "Bonn" },
  });
  await page.getByText("Merged in the last seven days").waitFor();
  // Its page says so, and undoes it.
  await page.getByRole("link", { name: "into ada.l@gmail.com" }).click();
  await page.getByRole("heading", { name: "Merged from" }).waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Undo the merge of adal+shop@gmail.com" }).click();
  await page.getByText("The merge is undone.").waitFor();
  expect((await posthorn.call(`GET /contacts/${other}`)).status).toBe(200);
  await posthorn.settle();
  // Who is not the same person is not offered again.
  await eva.open("/people/duplicates");
  const ben = page.locator(".duplicate").filter({ hasText: "ben.f@company.example" });
  await ben.getByRole("button", { name: "Not the same person" }).click();
  await ben.waitFor({ state: "detached" });
  // Others are chosen in the list.
  await eva.open("/people?search=company.example");
  for (const email of ["ben.f@company.example", "ben@company.example"])
    await page.locator(".persons .line").filter({ hasText: email }).locator(".checkbox").click();
  await page.locator(".people-bulk").getByRole("button", { name: "Merge…" }).click();
  await page.getByRole("dialog").getByText("Merge these contacts?").waitFor();
  await eva.check();
  await page.getByRole("dialog").getByRole("radio", { name: "ben@company.example stays" }).check();
  await page.getByRole("dialog").getByRole("button", { name: "Merge" }).click();
  await page.locator(".toast").filter({ hasText: "2 contacts are one: ben@company.example." }).waitFor();
  expect((await posthorn.call("GET /contacts?search=company.example")).body.total).toBe(1);
});

journey(
  "All with the same mailbox are merged after a preview that says what stays, and the outcome stays on the screen",
  async () => {
    await using posthorn = await startPosthorn();
    const make = async (email: string, body: object = {}) =>
      (await posthorn.call("POST /contacts", { email, ...body })).body.id;
    const ada = await make("ada.l@gmail.com", { data: { name: "Ada Lovelace", plan: "free" } });
    await make("adal+shop@gmail.com", { subscribed: false, data: { plan: "pro", city: "Bonn" } });
    await make("ben@outlook.com", { data: { name: "Ben Fox" } });
    await make("ben+news@outlook.com");
    await make("cy@gmail.com", { doubleOptIn: true });
    await make("c.y@gmail.com");
    await make("dee.f@company.example", { data: { name: "Dee Fox" } });
    await make("dee@company.example", { data: { name: "Dee Fox" } });
    await posthorn.call("POST /contacts/duplicates");
    await posthorn.settle();
    await using eva = await visit(posthorn);
    await signIn(eva.context, posthorn);
    const { page } = eva;
    const dialog = page.getByRole("dialog");
    await eva.open("/people/duplicates");
    await page.getByRole("button", { name: "Merge all with the same mailbox…" }).click();
    await dialog
      .getByText("2 groups: in each the oldest contact stays, and the others are merged into it (2 contacts).")
      .waitFor();
    await dialog.getByText("In 1 of them one is subscribed and another is not.").waitFor();
    await dialog.getByText("1 group is left out: one of the contacts has not confirmed yet.").waitFor();
    const sample = dialog.getByRole("listitem").filter({ hasText: "ada.l@gmail.com stays" });
    for (const text of ["Merged into it: adal+shop@gmail.com", "Added: city: Bonn", "Lost: plan: pro"])
      await sample.getByText(text).waitFor();
    await sample.getByText("Not subscribed afterwards").waitFor();
    await eva.check();

    await look(page, "merge-all");
    await dialog.getByRole("button", { name: "Merge 2 groups" }).click();
    await page.getByRole("progressbar", { name: "All with the same mailbox are being merged." }).waitFor();
    expect(await page.getByRole("button", { name: "Look again" }).getAttribute("aria-disabled")).toBe("true");
    expect(await page.getByRole("button", { name: "Merge all" }).count()).toBe(0);
    await eva.check();
    await look(page, "merge-all-running");
    const done = page.getByText("2 groups were merged. 1 was left out, and is still in the list.");
    await settled(posthorn, () => done.waitFor({ timeout: 900 }));
    await page.getByText("2 groups of contacts that may be the same person").waitFor();
    await page.getByRole("link", { name: "into ada.l@gmail.com" }).waitFor();
    expect((await posthorn.call(`GET /contacts/${ada}`)).body).toMatchObject({
      ...{ subscribed: false, data: { name: "Ada Lovelace", plan: "free", city: "Bonn" } },
    });
    await eva.check();
    await look(page, "merge-all-done");
    // Who comes later still reads it; a new search takes it away, and what is left cannot be merged.
    await eva.open("/people/duplicates");
    await done.waitFor();
    await page.getByRole("button", { name: "Look again" }).click();
    await settled(posthorn, () => done.waitFor({ state: "detached", timeout: 900 }));
    // The message goes when the search begins, the button comes when it has ended.
    const mergeAll = page.getByRole("button", { name: "Merge all with the same mailbox…" });
    await settled(posthorn, () => mergeAll.click({ timeout: 900 }));
    await dialog.getByText("No group can be merged.").first().waitFor();
    expect(await dialog.getByRole("button", { name: "Merge 0 groups" }).getAttribute("aria-disabled")).toBe("true");
  },
);

journey("A German reads what merging all would do", async () => {
  await using posthorn = await startPosthorn();
  for (const email of ["ada@gmail.com", "a.da@gmail.com", "a.d.a@gmail.com"])
    await posthorn.call("POST /contacts", { email, data: { Kunde: email.length } });
  await posthorn.call("POST /contacts/duplicates");
  await posthorn.settle();
  await using eva = await visit(posthorn, { locale: "de-DE" });
  await signIn(eva.context, posthorn);
  const { page } = eva;
  await eva.open("/people/duplicates");
  await page.getByRole("button", { name: "Alle mit demselben Postfach zusammenführen …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByText("1 Gruppe: Der älteste Kontakt bleibt, und die anderen gehen darin auf (2 Kontakte).")
    .waitFor();
  await eva.check();
  await look(page, "merge-all-de");
  await dialog.getByRole("button", { name: "1 Gruppe zusammenführen" }).click();
  await settled(posthorn, () => page.getByText("1 Gruppe wurde zusammengeführt.").waitFor({ timeout: 900 }));
  await look(page, "merge-all-done-de");
});
