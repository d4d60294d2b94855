// The steps of a first start in a browser: from an empty server to the first email, and what is set elsewhere already.
import { expect } from "bun:test";
import { welcomeToken } from "../../src/operator/team/invitations/link.ts";
import { journey, settled, soon, visit } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { PASSWORD } from "../support/people.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";

const LOOK_MS = 5_000;

journey("From an empty server to the first email: the code, the owner, an address, a way out, a domain", async () => {
  const zones: Record<string, Zone> = {};
  await using posthorn = await startPosthorn({ resolver: new TableResolver(zones) });
  const code = (await posthorn.store.write(welcomeToken)) ?? "";
  await using ada = await visit(posthorn);
  const { page } = ada;
  const go = (name: string) => page.getByRole("link", { name, exact: true }).click();
  const title = (name: string) => page.getByRole("heading", { level: 2, name }).waitFor();

  await ada.open("/");
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Email address", { exact: true }).fill("ada@example.com");
  await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
  await page.getByLabel("Password", { exact: true }).last().fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();

  await title("The address of this server");
  const address = page.getByRole("textbox", { name: "Server address" });
  await address.fill("not an address");
  await page.getByRole("button", { name: "Use this address" }).click();
  await page.locator("[aria-invalid=true]").waitFor();
  await ada.check();
  await address.fill(posthorn.server.url);
  await page.getByRole("button", { name: "Use this address" }).click();
  await page.getByText("http.base_url: goes back in").waitFor();
  await ada.check();
  await page.getByRole("button", { name: "Keep", exact: true }).click();
  await page.getByText("That is where you are.").waitFor();
  await go("Continue");

  await title("The sending route");
  const use = page.getByRole("button", { name: "Try and use this relay" });
  await page.getByRole("textbox", { name: "Host" }).fill("smtp.example.com");
  await use.click();
  await page.getByText("must be an address that recipients can reach").waitFor();
  await ada.check();
  await page.getByRole("radio", { name: "Amazon SES" }).click();
  await page.getByRole("textbox", { name: "Region" }).waitFor();
  await page.getByRole("radio", { name: "Keeps email" }).click();
  await page.getByText("example.test is there to try things out").waitFor();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await settled(posthorn, () => page.getByText("It went through every step").waitFor({ timeout: 1_000 }));
  await ada.check();
  expect(posthorn.transport.sent.map(({ envelope }) => envelope.recipient)).toEqual(["ada@example.com"]);
  await ada.open("/first-start");
  await address.fill("http://mail.example.com");
  await page.getByRole("button", { name: "Use this address" }).click();
  await page.getByRole("button", { name: "Keep", exact: true }).click();
  await page.getByText("You are at another address.").waitFor();
  await go("Continue");

  await title("The sending route");
  await page.getByRole("textbox", { name: "Host" }).fill("smtp.example.com");
  await page.getByRole("button", { name: /Encryption/ }).click();
  await page.getByRole("option", { name: "TLS from the start" }).click();
  await page.getByLabel("User", { exact: true }).fill("posthorn");
  await page.getByLabel("Password", { exact: true }).fill("wrong");
  posthorn.transport.fault = "The relay did not accept our login: 535 5.7.8 No";
  await use.click();
  await page.getByText("The relay did not accept our login: 535 5.7.8 No").waitFor();
  expect(await page.locator("[aria-invalid=true]").count()).toBe(1);
  await ada.check();
  posthorn.transport.fault = null;
  await page.getByLabel("Password", { exact: true }).fill("correct horse");
  await use.click();
  await page.getByText("SMTP relay set here").waitFor();
  await page.getByText("It works").waitFor();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await settled(posthorn, () => page.getByText("The relay accepted it.").waitFor({ timeout: 1_000 }));
  await ada.check();
  await go("Continue");

  await page.getByRole("button", { name: "Add a domain" }).click();
  await page.getByRole("textbox", { name: "Domain" }).fill("news.example");
  await page.getByRole("dialog").getByRole("button", { name: "Add a domain" }).click();
  await page.getByRole("region", { name: /^DKIM/ }).waitFor();
  await ada.check();
  const { data } = (await ask(posthorn, "GET /domains")).body;
  const dkim = data.find(({ domain }: { domain: string }) => domain === "news.example").records[0];
  zones[dkim.name] = { TXT: [dkim.value] };
  posthorn.clock.advance(LOOK_MS);
  await page.getByText("news.example is verified. You can send from it.").waitFor();
  await go("Continue");

  await title("What is next");
  await ada.check();
  await page.goBack();
  await title("Your sender domain");
  await page.goForward();
  await go("Go to the overview");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await go("Set up this server");
  await title("The address of this server");
});

journey("What the configuration sets is shown as done, with its place", async () => {
  const port = await freePort();
  await using posthorn = await startPosthorn({
    config: { http: { port, baseUrl: `http://127.0.0.1:${port}` } },
    origins: new Map([["http.base_url", { source: "ENVIRONMENT", place: "POSTHORN_HTTP_BASE_URL" }]]),
  });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/first-start");
  await page.getByText("by POSTHORN_HTTP_BASE_URL").waitFor();
  await page.getByText("That is where you are.").waitFor();
  expect(await page.getByRole("textbox").count()).toBe(0);
  await eva.check();
});

journey("A relay of the configuration that does not answer says so, with its place", async () => {
  await using posthorn = await startPosthorn({
    config: { delivery: { transport: "smtp" }, relay: { host: "smtp.example.com" } },
    origins: new Map([["delivery.transport", { source: "FILE", place: "/etc/posthorn/config.toml" }]]),
  });
  posthorn.transport.fault = "connect ECONNREFUSED 192.0.2.9:587";
  posthorn.transport.answer = () => ({ kind: "failed", reply: "550 5.7.1 Not from here" });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/first-start?step=way");
  await page.getByText("in /etc/posthorn/config.toml").waitFor();
  await page.getByText("connect ECONNREFUSED 192.0.2.9:587").first().waitFor();
  expect(await page.getByRole("button", { name: "Change the route" }).count()).toBe(0);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await settled(posthorn, () => page.getByText("550 5.7.1 Not from here").waitFor({ timeout: 1_000 }));
  await eva.check();
});

journey("Who may not set up the server is told whom to ask", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "ADMIN");
  await eva.open("/first-start");
  await eva.page.getByText("Ask an owner of the installation.").waitFor();
  await eva.open("/");
  expect(await eva.page.getByRole("link", { name: "Set up this server" }).count()).toBe(0);
  await soon(async () => expect(await eva.page.getByRole("heading", { name: /first email/ }).count()).toBe(1));
});
