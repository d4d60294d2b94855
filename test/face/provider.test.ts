// How people come in with a provider of sign-ins: a company with three roles, one who loses a group, and a provider
// that is down.
import { afterAll, beforeAll, expect } from "bun:test";
import { HOUR_MS } from "../../src/base/clock.ts";
import type { Page } from "playwright-core";
import { journey, visit } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { firstOwner, PASSWORD } from "../support/people.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { everything } from "../support/scenario.ts";
import { MIA, SignInProvider } from "../support/sign-in-provider.ts";

let provider: SignInProvider;
let posthorn: Posthorn;
let home: string;
beforeAll(async () => {
  provider = await SignInProvider.start();
  const port = await freePort();
  home = `http://localhost:${port}`;
  const roles = ["it = owner", "sales = marketer", "help = support"];
  posthorn = await startPosthorn({
    config: { http: { port, baseUrl: home }, oidc: [provider.settings({ roles })] },
  });
  provider.startOver(posthorn);
  await firstOwner(posthorn);
});
afterAll(async () => {
  await posthorn[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** Their browser goes to the provider as well. */
const visitor = () => visit(posthorn, { home, offends: new RegExp(`^foreign: ${provider.issuer}/authorize`) });

/** Failures are answered late: time goes by until this one is shown. */
async function inTime(shown: Promise<unknown>): Promise<void> {
  let isShown = false;
  const watched = shown.finally(() => (isShown = true));
  while (!isShown) {
    posthorn.clock.advanceToTimeout();
    await new Promise(setImmediate);
  }
  await watched;
}

async function enterByPassword(page: Page): Promise<void> {
  await page.getByLabel("Email address", { exact: true }).fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

journey("Members of three groups come in with the provider, each with the role of theirs", async () => {
  const people = [
    [{ ...MIA, groups: ["sales"] }, "Marketer"],
    [{ sub: "ben-1", email: "ben@example.com", email_verified: true, name: "Ben Kurz", groups: ["help"] }, "Support"],
    [{ sub: "ida-1", email: "ida@example.com", email_verified: true, name: "Ida Roth", groups: ["it"] }, "Owner"],
  ] as const;
  for (const [person, role] of people) {
    provider.person = person;
    await using somebody = await visitor();
    const { page } = somebody;
    await somebody.open("/settings/team");
    await page.getByRole("link", { name: "Sign in with Example" }).waitFor();
    await somebody.check();
    await page.getByRole("link", { name: "Sign in with Example" }).click();
    await page.getByRole("button", { name: `Role of ${person.name}: ${role}` }).waitFor();
    expect(page.url()).toBe(`${home}/app/settings/team`);
    await somebody.check();
  }
});

journey("Whoever has lost their group reads that they have no role, and their open page asks to sign in", async () => {
  provider.person = { ...MIA, groups: ["sales"] };
  await using before = await visitor();
  await before.open("/people");
  await before.page.getByRole("link", { name: "Sign in with Example" }).click();
  await before.page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  provider.person = { ...MIA, groups: [] };
  await using after = await visitor();
  await after.open("/sign-in");
  await after.page.getByRole("link", { name: "Sign in with Example" }).click();
  await inTime(after.page.getByText("Example knows you, but gives you no role here.").waitFor());
  await after.check();
  await before.page.getByRole("link", { name: "Emails", exact: true }).click();
  await before.page.getByRole("heading", { name: "Sign in again" }).waitFor();
  await before.check();
  provider.person = { ...MIA, groups: ["help"] };
  await after.page.getByRole("button", { name: "Try again" }).click();
  await after.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

journey("An owner links their account, proves with it who they are in another tab, and removes it", async () => {
  provider.person = { ...MIA, sub: "ada-1", email: "ada@example.com", groups: [] };
  await using ada = await visitor();
  const { page } = ada;
  await ada.open("/me");
  await page.getByRole("link", { name: "Sign in with Example" }).click();
  await inTime(page.getByText("This address is not linked to Example yet.").waitFor());
  await page.getByRole("link", { name: "Sign in another way" }).click();
  await enterByPassword(page);
  await ada.open("/me");
  await page.getByRole("button", { name: "Link Example" }).click();
  await page.getByRole("button", { name: "Remove the link to Example" }).waitFor();
  expect(page.url()).toBe(`${home}/app/me`);
  await ada.check();
  posthorn.clock.advance(HOUR_MS);
  await page.getByRole("button", { name: "Remove the link to Example" }).click();
  await page.getByRole("link", { name: "Confirm with Example" }).waitFor();
  await ada.check();
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Confirm with Example" }).click();
  const tab = await opened;
  await tab.getByRole("heading", { name: "Confirmed" }).waitFor();
  await tab.close();
  await page.bringToFront();
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.getByText("You no longer sign in with Example.").waitFor();
  await page.getByRole("button", { name: "Link Example" }).waitFor();
});

journey("While the provider is down, members read so, and an owner comes in with the password", async () => {
  posthorn.clock.advance(HOUR_MS);
  provider.isBroken = true;
  await using ada = await visitor();
  const { page } = ada;
  await ada.open("/sign-in");
  await page.getByRole("link", { name: "Sign in with Example" }).click();
  await page.getByText("Example cannot be reached").waitFor();
  await ada.check();
  provider.isBroken = false;
  await page.getByRole("link", { name: "Sign in another way" }).click();
  await enterByPassword(page);
});

journey(
  "Another site that opens the page of a provider links no account to the person who is signed in there",
  async () => {
    provider.person = { ...MIA, sub: "eve-1", email: "eve@example.com", groups: [] };
    await using ada = await visitor();
    const { page } = ada;
    await ada.open("/sign-in");
    await enterByPassword(page);
    await page.goto(`${home}/app/provider/default?errand=link`);
    await inTime(page.getByText("Example knows you, but gives you no role here.").waitFor());
    expect(JSON.stringify((await everything(posthorn))["identities"])).not.toContain("eve-1");
  },
);

journey("Trying again after a refusal leads to the page that was asked for", async () => {
  provider.person = { ...MIA, groups: [] };
  await using mia = await visitor();
  const { page } = mia;
  await mia.open("/people");
  await page.getByRole("link", { name: "Sign in with Example" }).click();
  await inTime(page.getByText("Example knows you, but gives you no role here.").waitFor());
  provider.person = { ...MIA, groups: ["help"] };
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
});
