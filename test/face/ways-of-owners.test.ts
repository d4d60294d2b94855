// Owners add ways out, try and pause them, and make rules for them, in the browser.
import { expect } from "bun:test";
import type { Locator } from "playwright-core";
import { journey, visit } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { somebody } from "../support/people.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { agreeingAtGoogle, refusedToken, TokenService } from "../support/token-service.ts";
import { RecordingTransport } from "../support/transport.ts";

const PICTURES = process.env["WAYS_PICTURES"];

journey("An owner adds a way out, tries it, pauses the default one, and gives newsletters to the new one", async () => {
  const spare = new RecordingTransport();
  await using posthorn = await startPosthorn({
    wayTransports: { spare },
    config: { delivery: { transport: "smtp", ratePerSecond: 14 }, relay: { host: "smtp.example.com" } },
  });
  await using eva = await visit(posthorn, { offends: /status of 4\d\d/ });
  const { page } = eva;
  const picture = async (name: string) => {
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
  };
  await signIn(eva.context, posthorn);
  await eva.open("/settings/ways");
  await page.getByText("There are no rules").waitFor();
  await page.getByRole("button", { name: "Add a route" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("spare");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByText("A relay needs a host.").waitFor();
  await dialog.getByLabel("Host").fill("smtp.spare.example");
  await dialog.getByLabel("User").fill("shop");
  await dialog.getByLabel("Password").fill("hunter-2");
  await dialog.getByLabel("Price of 1,000 emails").fill("0,4");
  await eva.check();
  await dialog.getByText("More settings").click();
  await dialog.getByLabel("Timeout in seconds").fill("soon");
  await picture("add");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByText("characters that are not allowed").waitFor();
  await dialog.getByLabel("Timeout in seconds").fill("20");
  await dialog.getByText("Check the certificate of the relay").click();
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("smtp.spare.example:587").waitFor();
  await posthorn.settle();

  await page.getByRole("button", { name: "Actions for spare" }).click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  await dialog.getByText("More settings").click();
  expect(await dialog.getByLabel("Timeout in seconds").inputValue()).toBe("20");
  await dialog.getByLabel("User").fill("");
  await dialog.getByText("Remove the password").click();
  await picture("edit");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "hidden" });
  const spareNow = await posthorn.store.read((reader) => reader.all`select settings, secrets from ways`);
  expect(spareNow).toMatchObject([{ settings: expect.stringContaining('"verifyCertificate":false'), secrets: null }]);
  await posthorn.settle();

  await page.getByRole("button", { name: "Actions for spare" }).click();
  await page.getByRole("menuitem", { name: "Try…" }).click();
  await page.getByText("It works.").waitFor();
  spare.fault = "535 5.7.8 wrong password";
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("535 5.7.8 wrong password").waitFor();
  await eva.check();
  await dialog.getByRole("button", { name: "Close" }).last().click();

  await page.getByRole("button", { name: "Actions for default" }).click();
  await page.getByRole("menuitem", { name: "Pause…" }).click();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByText("paused since").waitFor();

  await page.getByRole("button", { name: "Add a rule" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("This field cannot be empty.").waitFor();
  await dialog.getByLabel("Name").fill("Newsletters");
  await dialog.getByRole("radio", { name: "marketing" }).click();
  await dialog.getByRole("button", { name: "Add a route" }).click();
  await dialog.getByLabel("Share").first().fill("20");
  await dialog.getByLabel("Share").last().fill("80");
  await dialog.getByRole("radio", { name: "it waits" }).click();
  await eva.check();
  await picture("rule");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("default 20, spare 80").waitFor();
  await posthorn.settle();

  await page.getByLabel("From").fill("shop@example.test");
  await page.getByLabel("To", { exact: true }).fill("ada@gmail.com");
  await page.getByRole("radio", { name: "marketing" }).click();
  await page.getByRole("button", { name: "Find out" }).click();
  await page.getByText("spare, first choice of 80 %").waitFor();
  await page.getByText("The rule “Newsletters” is about it.").waitFor();
  await eva.check();
  await picture("page");
  await page.setViewportSize({ width: 360, height: 800 });
  await picture("phone");
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole("button", { name: "Actions for spare" }).click();
  await page.getByRole("menuitem", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("names the sending route spare").first().waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Actions for the rule Newsletters" }).click();
  await page.getByRole("menuitem", { name: "Remove…" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("There are no rules").waitFor();
});

journey("A German owner is told what a way lacks, and that somebody else has saved the rules", async () => {
  await using posthorn = await startPosthorn({
    config: { delivery: { transport: "smtp", ratePerSecond: 14 }, relay: { host: "smtp.example.com" } },
  });
  await using eva = await visit(posthorn, { locale: "de-DE", offends: /status of 4\d\d/ });
  const { page } = eva;
  const dialog = page.getByRole("dialog");
  await signIn(eva.context, posthorn);
  await page.setViewportSize({ width: 360, height: 700 });
  await eva.open("/settings/ways");
  await page.getByRole("button", { name: "Neuer Versandweg" }).click();
  await dialog.getByLabel("Name").fill("Ersatz");
  const add = dialog.getByRole("button", { name: "Hinzufügen", exact: true });
  await add.click();
  const fault = dialog.getByText("Ein Versandweg heißt nicht „default“");
  await fault.waitFor();
  await expectInSight(fault);
  await dialog.getByLabel("Name").fill("ersatz");
  await dialog.getByLabel("Benutzer").fill("shop");
  await add.click();
  await dialog.getByText("Ein Relay braucht einen Host.").waitFor();
  await dialog.getByText("Zum Benutzer gehört ein Passwort.").waitFor();
  await eva.check();
  await dialog.getByRole("button", { name: "Abbrechen" }).click();

  await page.getByRole("button", { name: "Regel hinzufügen" }).click();
  await dialog.getByLabel("Name").fill("Briefe");
  await dialog.getByLabel("Anteil").fill("200");
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await dialog.getByText("Höchstens 100.").waitFor();
  await dialog.getByLabel("Anteil").fill("");
  const owner = await somebody(posthorn, "OWNER");
  const rules = [{ name: "Die andere", ways: [{ name: "default" }] }];
  await owner.ask("PUT /installation/way-rules", { body: { rules } });
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await page.getByText("nachdem Sie es geöffnet hatten").waitFor();
});

async function expectInSight(place: Locator): Promise<void> {
  const { y = -1 } = (await place.boundingBox()) ?? {};
  expect(y).toBeGreaterThan(0);
}

journey("An owner adds a way that logs in with OAuth 2.0, and its secret is never shown", async () => {
  await using posthorn = await startPosthorn({
    config: { delivery: { transport: "smtp", ratePerSecond: 14 }, relay: { host: "smtp.example.com" } },
  });
  await using eva = await visit(posthorn, { offends: /status of 4\d\d/ });
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/ways");
  await page.getByRole("button", { name: "Add a route" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("office");
  await dialog.getByLabel("Host").fill("smtp.office365.com");
  await dialog.getByRole("button", { name: /Login/ }).click();
  await page.getByRole("option", { name: /Microsoft 365/ }).click();
  await dialog.getByLabel("User").fill("news@shop.example");
  const add = dialog.getByRole("button", { name: "Add", exact: true });
  await add.click();
  await dialog.getByText("This must not be empty").waitFor();
  await dialog.getByLabel("Tenant").fill("shop.onmicrosoft.com");
  await dialog.getByLabel("Client ID").fill("app-1");
  await eva.check();
  await dialog.getByLabel("Client secret").fill("hush");
  await add.click();
  await page.getByText("smtp.office365.com:587").waitFor();
  await page.getByRole("button", { name: "Actions for office" }).click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  expect(await dialog.getByLabel("Client secret").inputValue()).toBe("");
  await dialog.getByRole("button", { name: /Login/ }).click();
  await page.getByRole("option", { name: "Without OAuth 2.0" }).click();
  await dialog.getByLabel("User").fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "hidden" });
  const kept = await posthorn.store.read((reader) => reader.all`select settings, secrets from ways`);
  expect(kept).toMatchObject([{ settings: expect.not.stringContaining("tenant"), secrets: null }]);
});

journey("An owner signs in for a way on another screen, and sees when that is done", async () => {
  await using tokens = new TokenService("/shop/oauth2/v2.0/token");
  await using posthorn = await startPosthorn({
    config: { delivery: { transport: "smtp", ratePerSecond: 14 }, relay: { host: "smtp.example.com" } },
  });
  const [device_code, user_code, verification_uri] = ["device-1", "ABCD-EFGH", "https://login.example/device"];
  let hasAgreed = false;
  tokens.answer = ({ grant_type }) => {
    if (grant_type === undefined)
      return Response.json({ device_code, user_code, verification_uri, expires_in: 900, interval: 1 });
    if (!hasAgreed) return refusedToken(400, "authorization_pending", "Not yet");
    return tokens.token({ refresh_token: "of a person" });
  };
  const login = { auth: "oauth2", user: "news@shop.example", clientId: "app-1", tokenUrl: tokens.url };
  const owner = await somebody(posthorn, "OWNER");
  await owner.ask("POST /installation/ways", {
    body: { name: "office", kind: "smtp", host: "smtp.office.example", ...login },
  });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/ways");
  await page.getByRole("button", { name: "Actions for office" }).click();
  await page.getByRole("menuitem", { name: "Sign in…" }).click();
  await page.getByText(user_code).waitFor();
  expect(await page.getByRole("link", { name: verification_uri }).getAttribute("href")).toBe(verification_uri);
  await page.getByText("Waiting for you to agree there.").waitFor();
  await eva.check();
  hasAgreed = true;
  await page.getByText("Email can leave by this route.").waitFor();
  expect(tokens.asked.filter(({ client_id }) => client_id === "app-1").length).toBeGreaterThan(1);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  tokens.answer = () => refusedToken(400, "unauthorized_client", "AADSTS7000218: not allowed for this app");
  await page.getByRole("button", { name: "Actions for office" }).click();
  await page.getByRole("menuitem", { name: "Sign in…" }).click();
  await page.getByRole("dialog").getByText("AADSTS7000218").waitFor();
});

journey("An owner signs in at Google, comes back, and sees that the way is signed in", async () => {
  await using tokens = new TokenService("/oauth2.googleapis.com/token");
  const agree = agreeingAtGoogle(tokens, "hush");
  const port = await freePort();
  const home = `http://127.0.0.1:${port}`;
  await using posthorn = await startPosthorn({
    config: {
      ...{ http: { port, baseUrl: home }, delivery: { transport: "smtp", ratePerSecond: 14 } },
      relay: { host: "smtp.example.com" },
    },
  });
  const owner = await somebody(posthorn, "OWNER");
  const login = { auth: "oauth2", user: "news@shop.example", clientId: "app-1", clientSecret: "hush" };
  await owner.ask("POST /installation/ways", {
    body: { name: "office", kind: "smtp", host: "smtp.office.example", tokenUrl: tokens.url, ...login },
  });
  await using eva = await visit(posthorn, { offends: /^foreign: https:\/\/accounts\.google\.com/ });
  const { page } = eva;
  let back = agree;
  await eva.context.route("https://accounts.google.com/**", (route) => {
    const url = route.request().url();
    const location = `${new URL(url).searchParams.get("redirect_uri")}${back(url)}`;
    return route.fulfill({ status: 302, headers: { location } });
  });
  await signIn(eva.context, posthorn);
  await eva.open("/settings/ways");
  const begin = async () => {
    await page.getByRole("button", { name: "Actions for office" }).click();
    await page.getByRole("menuitem", { name: "Sign in…" }).click();
    await page.getByText(`${home}/app/settings/ways`, { exact: true }).waitFor();
  };
  await begin();
  await eva.check();
  back = (url) => `?error=access_denied&state=${new URL(url).searchParams.get("state")}`;
  await page.getByRole("button", { name: "Sign in with Google" }).click();
  await page.getByText("It was declined there.").waitFor();
  await eva.check();
  expect(page.url()).toBe(`${home}/app/settings/ways`);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  back = agree;
  await begin();
  await page.getByRole("button", { name: "Sign in with Google" }).click();
  await page.getByText("Email can leave by this route.").waitFor();
  expect(page.url()).toBe(`${home}/app/settings/ways`);
  await eva.open("/settings/ways?state=of-another&code=planted");
  await page.getByText("was not begun in this tab").waitFor();
  expect(tokens.asked.filter(({ grant_type }) => grant_type === "authorization_code")).toHaveLength(1);
});

journey("A way at Google is added by its client alone, and opened again as such", async () => {
  await using posthorn = await startPosthorn({
    config: { delivery: { transport: "smtp", ratePerSecond: 14 }, relay: { host: "smtp.example.com" } },
  });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/ways");
  await page.getByRole("button", { name: "Add a route" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("gmail");
  await dialog.getByLabel("Host").fill("smtp.gmail.com");
  await dialog.getByRole("button", { name: /Login/ }).click();
  await page.getByRole("option", { name: "Google with a sign-in" }).click();
  await dialog.getByLabel("User").fill("news@shop.example");
  await dialog.getByLabel("Client ID").fill("app-1");
  await dialog.getByLabel("Client secret").fill("hush");
  await eva.check();
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("smtp.gmail.com:587").waitFor();
  const kept = await posthorn.store.read((reader) => reader.all`select settings from ways where name = 'gmail'`);
  expect(kept).toMatchObject([{ settings: expect.stringContaining("https://oauth2.googleapis.com/token") }]);
  await page.getByRole("button", { name: "Actions for gmail" }).click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  await dialog.getByRole("button", { name: /Login/ }).getByText("Google with a sign-in").waitFor();
});
