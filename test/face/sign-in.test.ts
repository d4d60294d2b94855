// How people come in: by the link of the first start, a password, a passkey; and what they are told when they cannot.
import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { HOUR_MS } from "../../src/base/clock.ts";
import { welcomeToken } from "../../src/operator/team/invitations/link.ts";
import { journey, soon, visit } from "../support/browser.ts";
import { withDevice } from "../support/device.ts";
import { freePort } from "../support/free-port.ts";
import { firstOwner, PASSWORD } from "../support/people.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

let posthorn: Posthorn;
/** Passkeys belong to a host name. */
let home: string;
beforeAll(async () => {
  const port = await freePort();
  home = `http://localhost:${port}`;
  posthorn = await startPosthorn({ config: { http: { port, baseUrl: home } } });
});
afterAll(() => posthorn[Symbol.asyncDispose]());

async function answer(page: Page, answers: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(answers)) await page.getByLabel(label, { exact: true }).fill(text);
}

/** Failures are answered late: time goes by until this one is. */
async function inTime(answer: Promise<unknown>, { clock } = posthorn): Promise<void> {
  let isAnswered = false;
  void answer.then(() => (isAnswered = true));
  while (!isAnswered) {
    clock.advanceToTimeout();
    await new Promise(setImmediate);
  }
}

journey(
  "Before anybody exists, any page asks for the code of the log, says what is wrong with one, and goes on",
  async () => {
    await using bare = await startPosthorn();
    const code = (await bare.store.write(welcomeToken)) ?? "";
    await using somebody = await visit(bare, { offends: /404/ });
    const { page } = somebody;
    await somebody.open("/?day=today");
    await page.getByRole("heading", { level: 1, name: "Set up Posthorn" }).waitFor();
    expect(page.url()).toEndWith("/app/welcome");
    await page.getByText("posthorn user link").waitFor();
    await somebody.check();
    const go = page.getByRole("button", { name: "Continue" });
    await page.getByLabel("Code", { exact: true }).fill("BBBB-CCCC-DDDD");
    await inTime(
      go.click().then(() => page.getByText("This code is unknown").waitFor()),
      bare,
    );
    await somebody.check();
    await page.getByLabel("Code", { exact: true }).fill(code.toLowerCase().replaceAll("-", " "));
    await go.click();
    await page.getByRole("heading", { level: 1, name: "Welcome to Posthorn" }).waitFor();
    await page.reload();
    await page.getByLabel("Email address", { exact: true }).waitFor();
    await page.goBack();
    await page.getByLabel("Code", { exact: true }).waitFor();
    await page.goForward();
    await page.getByLabel("Email address", { exact: true }).waitFor();
  },
);

journey("A link that is over asks for another code; once somebody is the owner, it leads to the sign-in", async () => {
  await using bare = await startPosthorn();
  const code = (await bare.store.write(welcomeToken)) ?? "";
  await using late = await visit(bare, { offends: /404/ });
  bare.clock.advance(25 * HOUR_MS);
  await inTime(
    late.open(`/welcome#${code}`).then(() => late.page.getByText("This code is unknown").waitFor()),
    bare,
  );
  expect(await late.page.getByLabel("Code", { exact: true }).inputValue()).toBe(code);
  await firstOwner(bare);
  await late.open("/welcome");
  await late.page.getByRole("heading", { name: "Sign in to Posthorn" }).waitFor();
});

journey("A server that is opened at an address it does not know says what to set", async () => {
  await using bare = await startPosthorn();
  await using somebody = await visit(bare, { offends: /403/ });
  // As it answers at another host without https, which no browser of this test can open.
  const error = { code: "CROSS_SITE", message: "The request does not come from a page of this server." };
  await somebody.page.route("**/links/look", (route) =>
    route.fulfill({ status: 403, json: { success: false, error } }),
  );
  await somebody.open("/");
  await somebody.page.getByLabel("Code", { exact: true }).fill("BBBB-CCCC-DDDD");
  await somebody.page.getByRole("button", { name: "Continue" }).click();
  await somebody.page.getByText(`base_url = "${bare.server.url}"`).waitFor();
  await somebody.check();
});

journey(
  "The first owner comes in by the link, is told what is wrong with a password, signs out and in again",
  async () => {
    const token = await posthorn.store.write(welcomeToken);
    await using ada = await visit(posthorn, { home });
    const { page } = ada;
    await ada.open(`/welcome#${token}`);
    await answer(page, { "Email address": "ada@example.com", Name: "Ada Lovelace" });
    await page.getByLabel("Password", { exact: true }).last().fill("short");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.locator("[aria-invalid=true]").waitFor();
    await ada.check();
    await page.getByLabel("Password", { exact: true }).last().fill(PASSWORD);
    await page.getByLabel("Name of your shop or company").fill("Ada’s Shop");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { level: 1, name: "Set up this server" }).waitFor();
    await page.getByText("Ada’s Shop").first().waitFor();
    expect(page.url()).not.toContain(token);
    await page.getByRole("button", { name: "Ada Lovelace" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Posthorn" }).waitFor();
    await answer(page, { "Email address": "ada@example.com", Password: "not my password" });
    const refused = page.waitForResponse((response) => response.status() === 401);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await inTime(refused);
    await page.getByRole("alert").waitFor();
    await ada.check();
    await answer(page, { Password: PASSWORD });
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  },
);

journey("A link that was used says so, and how to get a new one", async () => {
  await using somebody = await visit(posthorn, { home });
  await somebody.open(`/welcome#${"x".repeat(43)}`);
  await soon(async () =>
    expect(await somebody.page.getByRole("heading", { level: 1 }).textContent()).toBe("This link no longer works"),
  );
});

journey("A passkey made at the door opens it again, without an address or a password", async () => {
  const port = await freePort();
  const local = `http://localhost:${port}`;
  await using own = await startPosthorn({ config: { http: { port, baseUrl: local } } });
  const token = await own.store.write(welcomeToken);
  await using ada = await visit(own, { home: local });
  const { page } = ada;
  await withDevice(page);
  await ada.open(`/welcome#${token}`);
  await answer(page, { "Email address": "ada@example.com", Name: "Ada Lovelace" });
  await page.getByRole("radio", { name: "Passkey" }).click();
  await ada.check();
  await page.getByRole("button", { name: "Create a passkey and continue" }).click();
  await page.getByRole("heading", { level: 1, name: "Set up this server" }).waitFor();
  await page.context().clearCookies();
  await ada.open("/sign-in");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

journey("A session that has ended leads to the sign-in page, and from there back to where one was", async () => {
  await using own = await startPosthorn();
  const ada = await firstOwner(own);
  await using eva = await visit(own);
  await signIn(eva.context, own);
  await eva.open("/?day=today");
  await eva.context.clearCookies();
  await eva.page.reload();
  await eva.page.getByRole("heading", { name: "Sign in to Posthorn" }).waitFor();
  await answer(eva.page, { "Email address": "ada@example.com", Password: PASSWORD });
  await eva.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await eva.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  expect(new URL(eva.page.url()).search).toBe("?day=today");
  expect(ada.cookie).toStartWith("posthorn=");
});
