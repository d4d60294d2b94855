// Changes that are not saved, in a browser: whoever leaves is asked, whichever way they leave.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { journey, soon, visit } from "../support/browser.ts";
import { layoutFaults } from "../support/layout.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { addWorkspace } from "../support/workspaces.ts";

const nameOf = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });

async function isAskedOnClose(page: Page): Promise<boolean> {
  const asked = page.waitForEvent("dialog", { timeout: 2_000 }).then(
    async (dialog) => (await dialog.dismiss(), true),
    () => false,
  );
  await page.close({ runBeforeUnload: true });
  return asked;
}

journey("Settings that were changed and not saved are asked about on every way out", async () => {
  await using posthorn = await startPosthorn();
  await addWorkspace(posthorn, { name: "other", domain: "other.example" });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/keys");
  await page.getByRole("link", { name: "General", exact: true }).click();
  await nameOf(page).fill("Lanternfish");
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await page.getByText("Leave without saving?").waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Stay on this page" }).click();
  await soon(async () => expect(await nameOf(page).inputValue()).toBe("Lanternfish"));
  await page.goBack();
  await page.getByRole("button", { name: "Stay on this page" }).click();
  await page.getByRole("button", { name: "default" }).click();
  await page.getByRole("menuitemradio", { name: /other/ }).click();
  await page.getByRole("button", { name: "Stay on this page" }).click();
  await soon(async () => expect(await nameOf(page).inputValue()).toBe("Lanternfish"));
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await page.waitForURL(/\/settings\/keys$/);
});

journey("The question whether to leave lies above a list that is open", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/segments");
  await page
    .getByRole("link", { name: "New segment" })
    .or(page.getByRole("button", { name: "New segment" }))
    .first()
    .click();
  await nameOf(page).fill("Pro");
  await page.getByRole("button", { name: "Add a filter" }).or(page.locator(".adders > button")).first().click();
  await page.getByRole("listbox").waitFor();
  await page.goBack();
  await page.getByText("Leave without saving?").waitFor();
  expect(await layoutFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await page.waitForURL(/\/segments$/);
});

journey("A window with changes asks before it closes, and one that was saved does not", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  // Every screen is saved at the same place: in its head.
  const head = page.locator("header.bar");
  const { body } = await posthorn.call("POST /templates", {
    ...{ name: "Receipt", type: "TRANSACTIONAL", subject: "Your receipt", body: "<p>Thank you.</p>" },
  });
  await eva.open(`/templates/${body.id}?tab=settings`);
  await nameOf(page).first().fill("Invoice");
  // The form goes with its tab.
  await page.getByRole("link", { name: "Used by", exact: true }).click();
  await page.getByRole("button", { name: "Stay on this page" }).click();
  expect(await isAskedOnClose(page)).toBe(true);
  await eva.check();
  await head.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Invoice" }).waitFor();
  await eva.open("/me");
  await nameOf(page).fill("Eva M.");
  await page.getByRole("link", { name: "Settings" }).first().click();
  await page.getByRole("button", { name: "Stay on this page" }).click();
  expect(await isAskedOnClose(page)).toBe(true);
  await head.getByRole("button", { name: "Save name" }).click();
  await page.getByText("Name saved.").waitFor();
  expect(await isAskedOnClose(page)).toBe(false);
});

journey("What a form has sent and fails after it was closed is told in a toast", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn, { offends: /status of 503/ });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  const { promise: late, resolve: fail } = Promise.withResolvers<void>();
  await page.route("**/topics", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await late;
    await route.fulfill({ status: 503, json: { error: { code: "NOT_READY", message: "It starts." } } });
  });
  await eva.open("/topics?make=true");
  await nameOf(page).fill("News");
  const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/topics"));
  await page.keyboard.press("Enter");
  await sent;
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  fail();
  await page.locator(".toast.bad").waitFor();
});
