// The settings in a browser: what each role sees of them, where it lands, and who is told of what.
import { expect } from "bun:test";
import { DEFAULTS } from "../../src/base/config.ts";
import type { Role } from "../../src/base/roles.ts";
import { journey, soon, visit } from "../support/browser.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

const WORKSPACE = ["General", "Brand", "Team", "Recipient pages", "Domains"];
const PROGRAMS = ["Keys", "SMTP", "Webhooks"];
const SERVER = ["Sending routes", "Alerts", "This server"];

const PARTS: readonly (readonly [role: Role, landsOn: string, parts: readonly string[]])[] = [
  ["OWNER", "/settings/workspace", [...WORKSPACE, ...PROGRAMS, ...SERVER]],
  ["ADMIN", "/settings/workspace", [...WORKSPACE, ...PROGRAMS]],
  ["DEVELOPER", "/settings/brand", ["Brand", "Team", "Domains", ...PROGRAMS]],
  ["MARKETER", "/settings/brand", ["General", "Brand", "Team", "Recipient pages", "Domains"]],
  ["EDITOR", "/settings/brand", ["Brand", "Team", "Recipient pages", "Domains"]],
  ["SUPPORT", "/settings/team", ["Team", "Domains"]],
];

journey("Everybody sees the settings that they may use, and lands on the first", async () => {
  await using posthorn = await startPosthorn();
  for (const [role, landsOn, parts] of PARTS) {
    await using eva = await visit(posthorn);
    const { page } = eva;
    await signIn(eva.context, posthorn, role);
    await eva.open("/settings");
    await page.waitForURL((url) => url.pathname === `/app${landsOn}`);
    const nav = page.getByRole("navigation", { name: "Settings" });
    await soon(async () => expect(await nav.getByRole("link").allTextContents()).toEqual([...parts]));
    // So does the palette.
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox").fill("this server");
    await soon(async () =>
      expect(await page.getByRole("menuitem", { name: "This server" }).count()).toBe(role === "OWNER" ? 1 : 0),
    );
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    // An address that somebody was sent still opens.
    await eva.open("/settings/keys");
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  }
});

journey("On a phone the parts of the settings are a list that opens, in German too", async () => {
  await using posthorn = await startPosthorn();
  for (const width of [390, 900]) {
    await using eva = await visit(posthorn, { viewport: { width, height: 844 }, locale: "de-DE", colorScheme: "dark" });
    const { page } = eva;
    await signIn(eva.context, posthorn);
    await eva.open("/settings/brand");
    const nav = page.getByRole("navigation", { name: "Einstellungen" });
    expect(await nav.getByRole("link").count()).toBe(0);
    await nav.getByRole("button", { name: "Marke" }).click();
    await nav.getByRole("group", { name: "Server" }).waitFor();
    await eva.check();
    await nav.getByRole("link", { name: "Versandwege" }).click();
    await page.waitForURL(/\/settings\/ways$/);
    await nav.getByRole("button", { name: "Versandwege", expanded: false }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  }
});

journey("At 1440 pixels every part of the settings is in sight, in both languages", async () => {
  await using posthorn = await startPosthorn();
  for (const locale of ["en-GB", "de-DE"]) {
    await using eva = await visit(posthorn, { locale });
    await signIn(eva.context, posthorn);
    await eva.open("/settings/domains");
    const links = eva.page.locator(".settings-nav a");
    expect(await links.count()).toBe(11);
    for (const link of await links.all()) {
      const box = await link.boundingBox();
      expect([
        (box?.y ?? 0) + (box?.height ?? 0) <= 900,
        await link.evaluate((one) => one.scrollWidth <= one.clientWidth),
      ]).toEqual([true, true]);
    }
  }
});

journey("Alerts say who is told of what, and by which keys of the configuration", async () => {
  const alerts = {
    ...DEFAULTS.alerts,
    email: ["ops@example.com"],
    webhook: "https://chat.example.com/hooks/secret-token",
    queueSeconds: 1_800,
  };
  await using posthorn = await startPosthorn({ config: { alerts } });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/alerts");
  const line = (text: string) => page.locator(".alert-rows .line", { hasText: text });
  await line("ops@example.com").getByText("alerts.email").waitFor();
  await line("chat.example.com").getByText("alerts.webhook", { exact: true }).waitFor();
  expect(await page.content()).not.toContain("secret-token");
  await line("Email is late")
    .getByText(/30\smin/)
    .waitFor();
  await line("Email is late").getByText("alerts.queue_after").waitFor();
  await page.getByText("posthorn alerts test").waitFor();
  await page.getByText("No alert leaves by email.").waitFor();
  await using bob = await visit(posthorn);
  await signIn(bob.context, posthorn, "ADMIN");
  await bob.open("/settings/alerts");
  await bob.page.getByText("Ask an owner of the installation.").waitFor();
});

journey("Where nobody is told, the screen says so, and how to change it", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn, { viewport: { width: 390, height: 844 }, locale: "de-DE" });
  await signIn(eva.context, posthorn);
  await eva.open("/settings/alerts");
  await eva.page.getByText("Niemand erfährt, wenn etwas nicht stimmt.").waitFor();
  await eva.page.getByText('email = ["ops@example.com"]').waitFor();
});
