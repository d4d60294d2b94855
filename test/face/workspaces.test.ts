// The workspaces of an installation in a browser: an owner makes one, turns one off and on, and takes one out and in.
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { OWN_PAGE, PASSWORD, firstOwner, somebody } from "../support/people.ts";
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

const aTar = (buffer: Buffer) => ({ name: "shop.tar", mimeType: "application/x-tar", buffer });

/** The file of a workspace with a queued email, as an owner downloads it. */
async function leftFile(): Promise<Buffer> {
  await using source = await startPosthorn();
  await source.call("POST /contacts", { email: "ada@example.com" });
  await source.call("POST /v1/send", { ...letter, to: "ada@example.com" });
  const owner = await somebody(source, "OWNER");
  const headers = { ...OWN_PAGE, cookie: owner.cookie };
  const file = await fetch(`${source.server.url}/workspaces/${owner.workspace}/export`, { headers });
  return Buffer.from(await file.arrayBuffer());
}

journey("An owner downloads a workspace, after a fresh proof, from a day on", async () => {
  await using posthorn = await startPosthorn();
  const { cookie } = await firstOwner(posthorn);
  await posthorn.call("POST /contacts", { email: "ada@example.com" });
  posthorn.clock.advance(11 * MINUTE_MS);
  await using eva = await visit(posthorn, { viewport: { width: 360, height: 800 } });
  const { page } = eva;
  const [name = "", value = ""] = cookie.split("=");
  await eva.context.addCookies([{ name, value, url: posthorn.server.url }]);
  await eva.open("/settings/server");
  await page.getByRole("button", { name: "Actions for default" }).click();
  await page.getByRole("menuitem", { name: "Export…" }).click();
  const dialog = page.getByRole("dialog", { name: "Export default" });
  await dialog.getByText("disable it first").waitFor();
  await eva.check();
  await dialog.getByLabel("Events and email since").fill("2026-02-01");
  await dialog.getByRole("button", { name: "Download" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  const download = await downloading;
  expect(new URL(download.url()).searchParams.get("since")).toBe("2026-02-01T00:00:00.000Z");
  const file = readFileSync(await download.path(), "latin1");
  expect(download.suggestedFilename()).toMatch(/^workspace-[\w-]+\.tar$/);
  expect([file.includes("ada@example.com"), file.includes("manifest.json")]).toEqual([true, true]);
  await page.getByText("The download has begun.").waitFor();
});

journey("An owner takes in a workspace: it is disabled, and says what waits in it", async () => {
  const file = await leftFile();
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn, { offends: /status of 4(09|22)/ });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/server?import=true");
  const dialog = page.getByRole("dialog");
  const takeIn = () => dialog.getByRole("button", { name: "Import" }).click();
  await takeIn();
  await dialog.getByText("Choose a file.").waitFor();
  await dialog.getByLabel("File").setInputFiles(aTar(file.subarray(0, 5_000)));
  await takeIn();
  await dialog.getByText("A workspace default already exists.").waitFor();
  await dialog.getByLabel("Name here").fill("Shop");
  await takeIn();
  await dialog.locator(".fault", { hasText: "The file cannot be taken in: it is" }).waitFor();
  await eva.check();
  await dialog.getByLabel("File").setInputFiles(aTar(file));
  await takeIn();
  await dialog.getByRole("heading", { name: "Shop is here, disabled" }).waitFor();
  await dialog.getByText("1 queued email and 0 executions of workflows wait until you enable it.").waitFor();
  await eva.check();
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await page.locator("li.line", { hasText: "Shop" }).getByText("disabled since").waitFor();
  await page.getByRole("button", { name: "Import" }).click();
  await dialog.getByLabel("File").setInputFiles(aTar(file));
  await takeIn();
  await dialog.locator(".fault", { hasText: "it is here already, as Shop" }).waitFor();
});

journey("What of a file has left is shown, and stopping takes nothing in", async () => {
  const file = await leftFile();
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn, { viewport: { width: 360, height: 800 }, offends: /ERR_/ });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  const held = Promise.withResolvers<void>();
  await page.route("**/workspaces/import", async (route) => {
    await held.promise;
    await route.abort("connectionreset");
  });
  await eva.open("/settings/server?import=true");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("File").setInputFiles(aTar(file));
  await dialog.getByRole("button", { name: "Import" }).click();
  await dialog.getByRole("progressbar").waitFor();
  await eva.check();
  held.resolve();
  await dialog.getByText("The connection broke.").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.locator("li.line", { hasText: "default" }).waitFor();
  expect((await ask(posthorn, "GET /workspace")).body.name).toBe("default");
});

journey("A file that cannot be read, or is too large, is refused in German as well", async () => {
  await using posthorn = await startPosthorn({ config: { limits: { importBytes: 2_048 } } });
  const [viewport, offends] = [{ width: 360, height: 800 }, /status of 422/];
  await using eva = await visit(posthorn, { locale: "de-DE", viewport, offends });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/server?import=true");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Datei").setInputFiles(aTar(Buffer.alloc(1_024, "x")));
  await dialog.getByRole("button", { name: "Importieren" }).click();
  await dialog.locator(".fault", { hasText: "Das ist kein tar-Archiv, oder es ist beschädigt." }).waitFor();
  await dialog.getByLabel("Datei").setInputFiles(aTar(Buffer.alloc(4_096)));
  await dialog.getByRole("button", { name: "Importieren" }).click();
  await dialog.locator(".fault", { hasText: 'posthorn workspace import "shop.tar"' }).waitFor();
  await eva.check();
});
