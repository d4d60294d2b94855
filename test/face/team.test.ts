// What lies behind the sign-in: the settings of a workspace, its team, and the user's own account.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { journey, soon, type Visit, visit } from "../support/browser.ts";
import { TOTP } from "otpauth";
import { withDevice } from "../support/device.ts";
import { freePort } from "../support/free-port.ts";
import { startPosthorn, type Json, type Posthorn } from "../support/posthorn.ts";
import { documentOf, operationsOf } from "../support/operations.ts";
import { signIn } from "../support/signed-in.ts";
import { MINUTE_MS } from "../../src/base/clock.ts";
import { PERMISSIONS, ROLES } from "../../src/base/roles.ts";
import { askAsNobody, firstOwner, PASSWORD, signedIn, somebody, type Somebody } from "../support/people.ts";
import { audit as german } from "../../web/texts/de/audit.ts";
import { audit as english } from "../../web/texts/en/audit.ts";
import { PERMISSIONS_BY_ROLE } from "../../web/team/roles.ts";

let posthorn: Posthorn;
beforeAll(async () => {
  posthorn = await startPosthorn();
});
afterAll(async () => posthorn[Symbol.asyncDispose]());

journey("What an owner sets for the workspace is there after a reload", async () => {
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  await eva.open("/settings/workspace");
  const { page } = eva;
  const save = page.getByRole("button", { name: "Save", exact: true });
  await soon(async () => expect(await save.getAttribute("title")).toBe("Nothing has changed yet."));
  await page.getByLabel("Confirmation emails from name").fill("Lanternfish");
  await page.getByLabel("Postal address").fill("Lanternfish\n1 Quay Street");
  await page.getByRole("radio", { name: "Marketing only" }).click();
  await page.getByText("Double opt-in").click();
  await page.getByRole("radio", { name: "All email" }).last().click();
  await page.getByLabel("Soft bounces in a row").fill("8");
  await page.getByLabel("Spread over at least").fill("14");
  await page.getByRole("button", { name: /Language of recipients/ }).click();
  await page.getByRole("option", { name: /German/ }).click();
  await eva.check();
  await save.click();
  await page.getByText("Settings saved.").waitFor();
  expect((await posthorn.call("GET /workspace")).body.suppressions).toEqual({
    ...{ complaints: "all", softBounces: 8, softBounceDays: 14 },
  });
  await eva.open("/settings/workspace");
  await soon(async () =>
    expect(await page.getByLabel("Confirmation emails from name").inputValue()).toBe("Lanternfish"),
  );
  await soon(async () =>
    expect(await page.getByLabel("Postal address").inputValue()).toBe("Lanternfish\n1 Quay Street"),
  );
  await soon(async () =>
    expect(await page.getByRole("radio", { name: "Marketing only" }).getAttribute("aria-checked")).toBe("true"),
  );
  await soon(async () => expect(await page.getByRole("checkbox", { name: /Double opt-in/ }).isChecked()).toBe(true));
  await soon(async () =>
    expect(await page.getByRole("button", { name: /Language of recipients/ }).textContent()).toContain("German"),
  );
});

journey("Support reads the settings of the workspace and learns why nothing can be saved", async () => {
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "SUPPORT");
  await eva.open("/settings/workspace");
  const save = eva.page.getByRole("button", { name: "Save", exact: true });
  await soon(async () => expect(await save.getAttribute("title")).toContain("Support can’t do this"));
  await soon(async () => expect(await eva.page.getByLabel("Name", { exact: true }).isEditable()).toBe(false));
});

journey("An owner invites a supporter, who comes in by the link and finds what she may and may not do", async () => {
  await using own = await startPosthorn();
  await using ada = await visit(own);
  await signIn(ada.context, own);
  await ada.open("/settings/team");
  await ada.page.getByText("No open invitations.").waitFor();
  await ada.page.getByRole("button", { name: "Invite", exact: true }).click();
  await ada.page.getByLabel("Email address").fill("not an email address");
  await ada.page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
  await ada.page.locator("[aria-invalid=true]").waitFor();
  await ada.check();
  await ada.page.getByLabel("Email address").fill("bea@example.com");
  await ada.page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
  await ada.page.getByText("bea@example.com is invited.").waitFor();
  await ada.page.getByText("This server sends no email").waitFor();
  await ada.check();
  const link = (await ada.page.getByRole("dialog").locator("pre").textContent()) ?? "";
  await ada.page.getByRole("button", { name: "Done" }).click();
  await ada.page.getByText("invited by Eva Moser").waitFor();

  await using bea = await visit(own);
  const { page } = bea;
  await bea.open(new URL(link).pathname.replace("/app", "") + new URL(link).hash);
  await page.getByLabel("Name", { exact: true }).fill("Bea Stone");
  await page.getByLabel("Password", { exact: true }).last().fill(PASSWORD);
  await page.getByRole("button", { name: /^Join / }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await bea.open("/settings/team");
  const invite = page.getByRole("button", { name: "Invite", exact: true });
  await soon(async () => expect(await invite.getAttribute("aria-disabled")).toBe("true"));
  await soon(async () => expect(await invite.getAttribute("title")).toContain("Support can’t do this"));
  // Once it is known who they are.
  await page.locator(`button[title$="Ask Eva Moser."]`).first().waitFor();
  await soon(async () => expect(await page.getByRole("columnheader", { name: "support (your role)" }).count()).toBe(1));
  await page.getByText("Owners and admins see who has been invited.").waitFor();
  const role = page.getByRole("button", { name: "Role of Bea Stone: support" });
  await soon(async () => expect(await role.getAttribute("title")).toContain("Support can’t do this"));
  const { id, workspaces } = (await page.evaluate('fetch("/me").then((me) => me.json())')) as Json;
  const call = { method: "PATCH", headers: { "x-workspace": workspaces[0].id }, body: '{ "role": "ADMIN" }' };
  const asked = `fetch("/members/${id}", ${JSON.stringify(call)}).then(({ status }) => status)`;
  expect(await page.evaluate(asked)).toBe(403);
  await ada.page.getByText("Bea Stone").first().waitFor();
});

journey("A marketer sets the postal address, and nothing else of the workspace", async () => {
  await using own = await startPosthorn();
  await using eva = await visit(own);
  await signIn(eva.context, own, "MARKETER");
  await eva.open("/settings/workspace");
  const { page } = eva;
  await soon(async () => expect(await page.getByLabel("Name", { exact: true }).isEditable()).toBe(false));
  await page.getByLabel("Postal address").fill("Lanternfish, 1 Quay Street");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Settings saved.").waitFor();
});

journey("An admin gives another role, and removes somebody after being asked", async () => {
  await using own = await startPosthorn();
  await somebody(own, "EDITOR", "ed@example.com");
  await using eva = await visit(own);
  await signIn(eva.context, own, "ADMIN");
  await eva.open("/settings/team");
  const { page } = eva;
  await page.getByRole("button", { name: /Role of EDITOR/ }).click();
  await eva.check();
  await page.getByRole("menuitemradio", { name: "marketer" }).click();
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
  await eva.open("/settings/team");
  const { page } = eva;
  await page.getByRole("button", { name: "Actions for Eva Moser" }).click();
  const removal = page.getByRole("menuitem", { name: "Remove from this server…" });
  await soon(async () => expect(await removal.getAttribute("aria-disabled")).toBe("true"));
  await soon(async () => expect(await removal.textContent()).toContain("The last owner cannot be removed."));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Actions for SUPPORT" }).click();
  await page.getByRole("menuitem", { name: "Link for a new password…" }).click();
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByRole("dialog").locator("pre").filter({ hasText: "/app/welcome#" }).waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Actions for SUPPORT" }).click();
  await page.getByRole("menuitem", { name: "Make an owner" }).click();
  await page.getByText("SUPPORT is an owner now.").waitFor();
});

test("the table of roles says what the server allows", () => {
  const allowed = Object.keys(PERMISSIONS).map((permission) => [
    permission,
    Object.entries(ROLES).flatMap(([role, may]) => ((may as ReadonlySet<string>).has(permission) ? [role] : [])),
  ]);
  expect(PERMISSIONS_BY_ROLE).toEqual(Object.fromEntries(allowed));
});

/** The session of somebody, in a browser. */
async function give({ context }: Visit, { cookie, posthorn }: Somebody, url = posthorn.server.url): Promise<void> {
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
}

journey("A new password asks who is there if that is long ago, and ends the other session", async () => {
  await using own = await startPosthorn();
  const ada = await firstOwner(own);
  const again = await askAsNobody(own, "POST /session", { email: "ada@example.com", password: PASSWORD });
  await using here = await visit(own);
  await using there = await visit(own);
  await give(here, ada);
  await give(there, await signedIn(own, again));
  await there.open("/me");
  own.clock.advance(11 * 60_000);
  await here.open("/me");
  const { page } = here;
  await soon(async () => expect(await page.getByRole("button", { name: /^End the session/ }).count()).toBe(1));
  await page.getByLabel("New password").fill("password12");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByRole("heading", { name: "Confirm that it is you" }).waitFor();
  await here.check();
  await page.getByRole("dialog").getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator("[aria-invalid=true]").waitFor();
  await here.check();
  await page.getByLabel("New password").fill("four words of mine");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Your other sessions have ended.").waitFor();
  await page.getByRole("button", { name: /^End the session/ }).waitFor({ state: "detached" });
  await there.page.reload();
  await there.page.getByRole("heading", { name: "Sign in to Posthorn" }).waitFor();
});

journey("Another session is ended from here, and where there is none the button says so", async () => {
  await using own = await startPosthorn();
  const ada = await firstOwner(own);
  await askAsNobody(own, "POST /session", { email: "ada@example.com", password: PASSWORD });
  await using here = await visit(own);
  await give(here, ada);
  await here.open("/me");
  await here.page.getByRole("button", { name: /^End the session/ }).click();
  await here.page.getByText(/^The session in .* has ended\.$/).waitFor();
  const all = here.page.getByRole("button", { name: "End all other sessions" });
  await here.page.getByRole("button", { name: /^End the session/ }).waitFor({ state: "detached" });
  await soon(async () => expect(await all.getAttribute("title")).toBe("There are no others."));
});

journey("A passkey is added, named and asked for besides the password, and removed", async () => {
  const port = await freePort();
  const home = `http://localhost:${port}`;
  await using own = await startPosthorn({ config: { http: { port, baseUrl: home } } });
  await using eva = await visit(own, { home });
  await give(eva, await firstOwner(own), home);
  const { page } = eva;
  await withDevice(page);
  await eva.open("/me");
  await page.getByLabel("Name of a new passkey").fill("Eva’s laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("Passkey added.").waitFor();
  await page.getByText("Eva’s laptop", { exact: true }).waitFor();
  await page.getByRole("switch", { name: "Require a passkey in addition to the password" }).click();
  await page.getByRole("switch", { checked: true }).waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("The browser created no passkey.").waitFor();
  await page.getByRole("button", { name: "Remove passkey Eva’s laptop" }).click();
  await page
    .getByText(/last|only|CONFLICT/i)
    .first()
    .waitFor();
});

/** What the app on her phone shows, half a minute after the last code. */
function nextCode(own: Posthorn, secret: string): string {
  own.clock.advance(30_000);
  return new TOTP({ secret }).generate({ timestamp: own.clock.nowMs() });
}

journey(
  "An authenticator app is set up, its recovery codes are shown once, and a code is asked for from then on",
  async () => {
    await using own = await startPosthorn();
    await using eva = await visit(own);
    await give(eva, await firstOwner(own));
    const { page } = eva;
    const dialog = page.getByRole("dialog");
    await eva.open("/me");
    await page.getByRole("button", { name: "Set up an app" }).click();
    await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
    await eva.check();
    const secret = (await dialog.locator("pre").textContent()) ?? "";
    await dialog.getByRole("textbox", { name: "Code" }).fill("000000");
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await page.locator("[aria-invalid=true]").waitFor();
    await dialog.getByRole("textbox", { name: "Code" }).fill(nextCode(own, secret));
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("heading", { name: "Recovery codes", level: 2 }).waitFor();
    const codes = ((await dialog.locator("pre").textContent()) ?? "").split("\n");
    expect(codes).toHaveLength(10);
    await eva.check();
    const file = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as a file" }).click();
    expect((await file).suggestedFilename()).toBe("posthorn-recovery-codes.txt");
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText("10 recovery codes are left.").waitFor();
    await page.context().clearCookies();
    await eva.open("/sign-in");
    await page.getByLabel("Email address").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("textbox", { name: "Code" }).waitFor();
    await eva.check();
    await page.getByRole("textbox", { name: "Code" }).fill(nextCode(own, secret));
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    own.clock.advance(11 * MINUTE_MS);
    await eva.open("/me");
    await page.getByRole("button", { name: "New recovery codes" }).click();
    await dialog.getByLabel("Password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByRole("textbox", { name: "Code" }).fill(codes[0] ?? "");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText("10 recovery codes are left.").waitFor();
    await page.getByRole("button", { name: "Remove app" }).click();
    await dialog.getByRole("button", { name: "Remove app" }).click();
    await page.getByRole("button", { name: "Set up an app" }).waitFor();
  },
);

journey("An owner sees who has a second factor, and removes the app of somebody who has lost it", async () => {
  await using own = await startPosthorn();
  const sue = await somebody(own, "SUPPORT", "sue@example.com");
  const { secret } = (await sue.ask("POST /me/totp")).body;
  const confirmed = await sue.ask("POST /me/totp/confirm", { body: { code: nextCode(own, secret) } });
  expect(confirmed.status).toBe(200);
  await using eva = await visit(own, { viewport: { width: 360, height: 800 } });
  await signIn(eva.context, own);
  await eva.open("/settings/team");
  const { page } = eva;
  await page.getByText("second factor", { exact: true }).waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Actions for SUPPORT" }).click();
  await page.getByRole("menuitem", { name: "Remove authenticator app…" }).click();
  await eva.check();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("The authenticator app of SUPPORT was removed.").waitFor();
  await page.getByText("second factor", { exact: true }).waitFor({ state: "detached" });
});

journey(
  "A second factor for everybody is set with a date, announced, and then set up before anything else",
  async () => {
    await using own = await startPosthorn();
    const ada = await firstOwner(own);
    await using eva = await visit(own);
    await give(eva, ada);
    await eva.open("/settings/team");
    await eva.page.getByLabel("Needed from").fill("2026-03-08");
    await eva.page.getByRole("button", { name: "Save date" }).click();
    await eva.page.getByText("Saved.", { exact: true }).waitFor();
    await eva.page.getByText("Everybody on this server needs a second factor to sign in from").waitFor();
    await eva.check();
    own.clock.advance(7 * 24 * 60 * MINUTE_MS);
    await using late = await visit(own, { viewport: { width: 360, height: 800 } });
    const { page } = late;
    await late.open("/sign-in");
    await page.getByLabel("Email address").fill("ada@example.com");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "A second factor first" }).waitFor();
    await late.check();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await page.getByRole("button", { name: "Set up an app" }).click();
    const dialog = page.getByRole("dialog");
    const secret = (await dialog.locator("pre").textContent()) ?? "";
    await late.check();
    await dialog.getByRole("textbox", { name: "Code" }).fill(nextCode(own, secret));
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("heading", { name: "Recovery codes", level: 2 }).waitFor();
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  },
);

journey("Where passkeys cannot work, one’s account says why", async () => {
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  await eva.open("/me");
  await eva.page.getByText(/Passkeys need a host name/).waitFor();
});

journey("German, dark and roomy are chosen once, and hold at the next visit", async () => {
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  await eva.open("/me");
  const { page } = eva;
  await page.getByRole("radio", { name: "Deutsch" }).click();
  await page.getByRole("heading", { level: 1, name: "Ihr Konto" }).waitFor();
  await page.getByRole("radio", { name: "Dunkel" }).click();
  await page.getByRole("radio", { name: "Hoch, 44 px" }).click();
  await eva.open("/settings/team");
  await page.getByRole("heading", { level: 1, name: "Einstellungen" }).waitFor();
  await page.getByRole("button", { name: "Einladen", exact: true }).waitFor();
  const { lang, dataset } = (await page.evaluate(
    "({ lang: document.documentElement.lang, dataset: { ...document.documentElement.dataset } })",
  )) as Json;
  expect([lang, dataset]).toEqual(["de", { scheme: "dark", rows: "roomy" }]);
});

journey("The audit log says who changed what, and shows what one person did", async () => {
  await using own = await startPosthorn();
  const admin = await somebody(own, "ADMIN");
  await admin.ask("POST /invitations", { body: { email: "bob@example.com", role: "EDITOR" } });
  await own.call("PATCH /workspace", { language: "de" });
  await using eva = await visit(own);
  await signIn(eva.context, own);
  await eva.open("/settings/team");
  await eva.page.getByRole("link", { name: "Audit log" }).click();
  const { page } = eva;
  await page.getByText("invited somebody").waitFor();
  await page.getByText("changed the settings of the workspace").waitFor();
  await eva.check();
  await page.getByRole("link", { name: "ADMIN" }).click();
  await page.getByText("changed the settings of the workspace").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Only ADMIN" }).click();
  await page.getByRole("radio", { name: "Keys" }).click();
  await page.getByText("invited somebody").waitFor({ state: "detached" });
  await page.getByText("changed the settings of the workspace").waitFor();
  await page.getByRole("radio", { name: "This server" }).click();
  await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
  await eva.check();
});

journey(
  "What was changed has its name and a link, a sitting is one row, and a template says who changed it",
  async () => {
    await using own = await startPosthorn();
    const admin = await somebody(own, "ADMIN");
    const mail = { from: "shop@example.test", subject: "Hi", body: "<p>Hi</p>", type: "MARKETING" };
    const { id } = (await admin.ask("POST /templates", { body: { ...mail, name: "Welcome" } })).body;
    for (const subject of ["One", "Two", "Three"]) await admin.ask(`PATCH /templates/${id}`, { body: { subject } });
    await admin.ask("POST /segments", { body: { name: "Pro", type: "STATIC" } });
    await using eva = await visit(own, { colorScheme: "dark" });
    await signIn(eva.context, own);
    const { page } = eva;
    await eva.open("/settings/team/audit");
    const rows = page.locator(".audit .line");
    await soon(async () => expect(await rows.count()).toBe(3));
    await rows.nth(1).getByText("3 changes").waitFor();
    expect(await rows.nth(1).locator(".what").innerText()).toMatch(/changed a template Welcome\s+subject/);
    await page.getByRole("searchbox", { name: "Name of what was changed" }).fill("welc");
    await soon(async () => expect(await rows.count()).toBe(2));
    await page.getByRole("searchbox", { name: "Name of what was changed" }).fill("nothing");
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor();
    await eva.check();
    await page.getByRole("searchbox", { name: "Name of what was changed" }).fill("");
    await rows.nth(1).getByRole("link", { name: "Welcome" }).click();
    await page.getByRole("button", { name: "Actions for Welcome" }).click();
    await page.getByRole("menuitem", { name: "Who changed this" }).click();
    const dialog = page.getByRole("dialog", { name: "Who changed “Welcome”" });
    await dialog.getByText("3 changes").waitFor();
    await eva.check();
    // A change shifts the pages, and none is shown twice.
    const change = async (subject: string) => {
      own.clock.advance(11 * MINUTE_MS);
      await admin.ask(`PATCH /templates/${id}`, { body: { subject } });
    };
    for (let count = 0; count < 20; count++) await change(`${count}`);
    await page.reload();
    await page.getByRole("button", { name: "Actions for Welcome" }).click();
    await page.getByRole("menuitem", { name: "Who changed this" }).click();
    await soon(async () => expect(await dialog.locator(".changes .line").count()).toBe(20));
    await change("Last");
    await dialog.getByRole("button", { name: "Show older" }).click();
    await dialog.getByText("created a template").waitFor();
    expect(await dialog.locator(".changes .line").count()).toBe(22);
  },
);

test("each call that is in the audit log has its words, in each language", async () => {
  const changing = operationsOf(await documentOf(posthorn)).filter(({ method, operation }) => {
    const permission = operation["x-permission"];
    return operation["x-proof"] || (method !== "GET" && permission && permission !== "read");
  });
  const names = changing.map(({ operation }) => operation.operationId as string);
  expect(names.length).toBeGreaterThan(50);
  const silent = [
    "verifyDomain",
    "checkImport",
    "importFrom",
    "computeSegment",
    "askToAddPasskey",
    "trackEventAlias",
    "refreshSegmentAlias",
    "verifyLinkHost",
    "tryWay",
    "previewWay",
    "planContent",
  ];
  for (const { actions } of [english, german])
    expect(names.filter((name) => !(name in actions) && !silent.includes(name))).toEqual([]);
});

journey(
  "⌘K leads by keys to the part of the set-up that is theirs, and shows a verb that is off with its reason",
  async () => {
    await using eva = await visit(posthorn, { viewport: { width: 390, height: 844 } });
    await signIn(eva.context, posthorn, "SUPPORT");
    await eva.open("/settings/team");
    const { page } = eva;
    await page.keyboard.press("Control+k");
    await page.keyboard.type("invite");
    const verb = page.getByRole("menuitem", { name: /Invite a member/ });
    await soon(async () => expect(await verb.getAttribute("aria-disabled")).toBe("true"));
    await soon(async () => expect(await verb.textContent()).toContain("Support can’t do this"));
    for (const [words, heading, path] of [
      ["account", "Your account", "/app/me"],
      ["team", "Settings", "/app/settings/team"],
    ] as const) {
      if (!(await page.getByRole("dialog").isVisible())) await page.keyboard.press("Control+k");
      await page.getByRole("searchbox").fill(words);
      await page.getByRole("menuitem", { name: new RegExp(words, "i") }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname === path);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    }
  },
);
