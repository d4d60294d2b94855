// The workspaces of an installation in a browser: an owner makes one, and turns one off and on.
import { expect } from "bun:test";
import { journey, visit } from "../support/browser.ts";
import { letter } from "../support/mails.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";

journey("An owner makes a workspace from the switch, copies its first keys, and opens it", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/");
  await page.getByRole("button", { name: "default" }).click();
  await page.getByRole("menuitem", { name: "New workspace" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("default");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("A workspace default already exists.").waitFor();
  await eva.check();
  await dialog.getByRole("textbox", { name: "Name" }).fill("Second shop");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Copy them now.").waitFor();
  await eva.check();
  const [key = ""] = /sk_\w{48}/.exec((await dialog.textContent()) ?? "") ?? [];
  expect((await ask(posthorn, "GET /workspace", { key: { bearer: key } })).body.name).toBe("Second shop");
  await dialog.getByRole("button", { name: "Open the workspace" }).click();
  await page.getByRole("button", { name: "Second shop" }).waitFor();
  await page.waitForURL(/\/app\/?$/);
  expect(await page.textContent("body")).not.toContain(key);
});

journey("An owner disables a workspace, is told so on every page, and enables it: what was held leaves", async () => {
  await using posthorn = await startPosthorn();
  await posthorn.call("POST /v1/send", { ...letter, to: "ada@example.com" });
  await using eva = await visit(posthorn, { offends: /status of 403/ });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/server");
  const row = page.locator("li.line", { hasText: "default" });
  await row.getByRole("button", { name: "Actions for default" }).click();
  await page.getByRole("menuitem", { name: "Disable…" }).click();
  await eva.check();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await row.getByText("disabled since").waitFor();
  expect((await ask(posthorn, "GET /emails")).status).toBe(403);
  await page.getByRole("link", { name: "Emails", exact: true }).first().click();
  await page.getByText("This workspace is disabled.").first().waitFor();
  await page.getByRole("link", { name: "Enable it under This server" }).click();
  await row.getByRole("button", { name: "Actions for default" }).click();
  await page.getByRole("menuitem", { name: "Enable" }).click();
  await page.getByText("Held email is sent now.").waitFor();
  await posthorn.settle();
  expect(posthorn.transport.recipients).toEqual(["ada@example.com"]);
  await page.getByRole("link", { name: "Emails", exact: true }).first().click();
  await page.getByRole("link", { name: /ada@example.com/ }).waitFor();
});

journey("An owner gives a workspace another name, which the side shows at once", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/server");
  await page.getByRole("button", { name: "Actions for default" }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Lanternfish");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await page.getByRole("button", { name: "Lanternfish", exact: true }).waitFor();
});
