// What lies behind the sign-in: the settings of a workspace, its team, and one's own account.
import { afterAll, beforeAll, expect } from "bun:test";
import { journey, visit } from "../support/browser.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await startPosthorn();
});
afterAll(async () => posthorn[Symbol.asyncDispose]());

journey("What an owner sets for the workspace is there after a reload", async () => {
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  await eva.open("/set-up/workspace");
  const { page } = eva;
  const save = page.getByRole("button", { name: "Save", exact: true });
  expect(await save.getAttribute("title")).toBe("Nothing has changed yet.");
  await page.getByLabel("Confirmation mails from name").fill("Lanternfish");
  await page.getByLabel("Postal address").fill("Lanternfish\n1 Quay Street");
  await page.getByRole("radio", { name: "Marketing only" }).click();
  await page.getByText("Double opt-in").click();
  await page.getByRole("button", { name: /Language of recipients/ }).click();
  await page.getByRole("option", { name: /German/ }).click();
  await eva.check();
  await save.click();
  await page.getByText("Settings saved.").waitFor();
  await eva.open("/set-up/workspace");
  expect(await page.getByLabel("Confirmation mails from name").inputValue()).toBe("Lanternfish");
  expect(await page.getByLabel("Postal address").inputValue()).toBe("Lanternfish\n1 Quay Street");
  expect(await page.getByRole("radio", { name: "Marketing only" }).getAttribute("aria-checked")).toBe("true");
  expect(await page.getByRole("checkbox", { name: /Double opt-in/ }).isChecked()).toBe(true);
  expect(await page.getByRole("button", { name: /Language of recipients/ }).textContent()).toContain("German");
});

journey("Support reads the settings of the workspace and learns why nothing can be saved", async () => {
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "SUPPORT");
  await eva.open("/set-up/workspace");
  const save = eva.page.getByRole("button", { name: "Save", exact: true });
  expect(await save.getAttribute("title")).toContain("Your role here is support");
  expect(await eva.page.getByLabel("Name", { exact: true }).isEditable()).toBe(false);
});
