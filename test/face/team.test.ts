// What lies behind the sign-in: the settings of a workspace, its team, and one's own account.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { journey, visit } from "../support/browser.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { PERMISSIONS, ROLES } from "../../src/roles.ts";
import { PASSWORD, somebody } from "../support/people.ts";
import { MAY } from "../../web/team/roles.ts";

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

journey("An owner invites a supporter, who comes in by the link and finds what she may and may not do", async () => {
  await using own = await startPosthorn();
  await using ada = await visit(own);
  await signIn(ada.context, own);
  await ada.open("/set-up/team");
  await ada.page.getByText("Nobody is waiting to join.").waitFor();
  await ada.page.getByRole("button", { name: "Invite", exact: true }).click();
  await ada.page.getByLabel("E-mail").fill("not an address");
  await ada.page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
  await ada.page.locator("[aria-invalid=true]").waitFor();
  await ada.check();
  await ada.page.getByLabel("E-mail").fill("bea@example.com");
  await ada.page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
  await ada.page.getByText("bea@example.com is invited.").waitFor();
  await ada.check();
  const link = (await ada.page.getByRole("dialog").locator("pre").textContent()) ?? "";
  await ada.page.getByRole("button", { name: "Done" }).click();
  await ada.page.getByText("invited by Eva Moser").waitFor();

  await using bea = await visit(own);
  const { page } = bea;
  await bea.open(new URL(link).pathname.replace("/app", "") + new URL(link).hash);
  await page.getByLabel("Name", { exact: true }).fill("Bea Stone");
  await page.getByLabel("Password", { exact: true }).last().fill(PASSWORD);
  await page.getByRole("button", { name: "Come in" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await bea.open("/set-up/team");
  const invite = page.getByRole("button", { name: "Invite", exact: true });
  expect(await invite.getAttribute("aria-disabled")).toBe("true");
  expect(await invite.getAttribute("title")).toContain("Your role here is support");
  expect(await page.getByRole("columnheader", { name: "support (your role)" }).count()).toBe(1);
  await page.getByText("Owners and admins see who has been invited.").waitFor();
  const role = page.getByRole("button", { name: "Role of Bea Stone: support" });
  expect(await role.getAttribute("title")).toContain("Your role here is support");
  const { id, workspaces } = (await page.evaluate('fetch("/me").then((me) => me.json())')) as Json;
  const call = { method: "PATCH", headers: { "x-workspace": workspaces[0].id }, body: '{ "role": "ADMIN" }' };
  const asked = `fetch("/members/${id}", ${JSON.stringify(call)}).then(({ status }) => status)`;
  expect(await page.evaluate(asked)).toBe(403);
  await ada.page.getByText("Bea Stone").first().waitFor();
});

journey("An admin gives another role, and removes somebody after being asked", async () => {
  await using own = await startPosthorn();
  await somebody(own, "EDITOR", "ed@example.com");
  await using eva = await visit(own);
  await signIn(eva.context, own, "ADMIN");
  await eva.open("/set-up/team");
  const { page } = eva;
  await page.getByRole("button", { name: /Role of EDITOR/ }).click();
  await eva.check();
  await page.getByRole("menuitem", { name: "marketer" }).click();
  await page.getByText("EDITOR: marketer from now on.").waitFor();
  await page.getByRole("button", { name: "Remove EDITOR" }).click();
  await page.getByRole("heading", { name: "Remove EDITOR from default?" }).waitFor();
  await eva.check();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("EDITOR was removed.").waitFor();
  await page.getByText("ed@example.com").waitFor({ state: "detached" });
});

journey("An owner is told beforehand that the last owner stays, and makes another owner", async () => {
  await using own = await startPosthorn();
  await somebody(own, "SUPPORT", "sue@example.com");
  await using eva = await visit(own);
  await signIn(eva.context, own);
  await eva.open("/set-up/team");
  const { page } = eva;
  await page.getByRole("button", { name: "What to do about Eva Moser" }).click();
  const removal = page.getByRole("menuitem", { name: "Remove from this server…" });
  expect(await removal.getAttribute("aria-disabled")).toBe("true");
  expect(await removal.textContent()).toContain("The last owner stays.");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "What to do about SUPPORT" }).click();
  await page.getByRole("menuitem", { name: "Link for a new password…" }).click();
  await page.getByRole("button", { name: "Make the link" }).click();
  await page.getByRole("dialog").locator("pre").filter({ hasText: "/app/welcome#" }).waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "What to do about SUPPORT" }).click();
  await page.getByRole("menuitem", { name: "Make an owner" }).click();
  await page.getByText("SUPPORT is an owner now.").waitFor();
});

test("the table of roles says what the server allows", () => {
  const allowed = Object.keys(PERMISSIONS).map((permission) => [
    permission,
    Object.entries(ROLES).flatMap(([role, may]) => ((may as ReadonlySet<string>).has(permission) ? [role] : [])),
  ]);
  expect(MAY).toEqual(Object.fromEntries(allowed));
});
