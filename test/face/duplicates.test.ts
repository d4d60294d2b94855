// Contacts that are one person, in a browser: found, compared, merged, undone and dismissed.
import { expect } from "bun:test";
import { journey, settled, visit } from "../support/browser.ts";
import { layoutFaults } from "../support/layout.ts";
import { signIn } from "../support/signed-in.ts";
import { startPosthorn } from "../support/posthorn.ts";

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
