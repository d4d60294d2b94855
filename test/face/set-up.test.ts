// The set-up in a browser: a domain that is proven while somebody watches, keys, lines to copy.
import { expect } from "bun:test";
import { journey, visit } from "../support/browser.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";
import { startSubmission } from "../support/submission.ts";

const LOOK_MS = 5_000;

journey("A new owner adds a domain, publishes its record, and sees it turn green", async () => {
  const zones: Record<string, Zone> = {
    "news.example": { TXT: ["v=spf1 include:_spf.office.example ?all", "v=spf1 mx -all"] },
    "_dmarc.news.example": "silence",
  };
  await using posthorn = await startPosthorn({ resolver: new TableResolver(zones) });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/set-up");
  await page.getByRole("button", { name: "Add a domain" }).click();
  await page.getByRole("textbox", { name: "Domain" }).fill("not a domain");
  await page.getByRole("dialog").getByRole("button", { name: "Add a domain" }).click();
  await page.locator(".fault").waitFor();
  await page.getByRole("textbox", { name: "Domain" }).fill("news.example");
  await page.getByRole("dialog").getByRole("button", { name: "Add a domain" }).click();
  await page.getByRole("heading", { name: "news.example" }).waitFor();
  await page.getByText("Last look", { exact: false }).waitFor();
  await eva.check();
  expect(await page.getByRole("region", { name: /^DMARC/ }).textContent()).toContain("Nothing is wrong");
  const { data } = (await ask(posthorn, "GET /domains")).body;
  const dkim = data.find(({ domain }: { domain: string }) => domain === "news.example").records[0];
  zones[dkim.name] = { TXT: [dkim.value] };
  posthorn.clock.advance(LOOK_MS);
  await page.getByText("news.example is verified. Mail may leave from it.").waitFor();
  await eva.check();
});

journey("A key is made for one domain, shown once, used, and revoked", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "DEVELOPER");
  await eva.open("/set-up/keys");
  await page.getByRole("button", { name: "Make a key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("shop");
  await dialog.getByText("example.test", { exact: true }).click();
  await eva.check();
  await dialog.getByRole("button", { name: "Make a key" }).click();
  await dialog.getByText("Copy them now.").waitFor();
  await eva.check();
  const [key = ""] = /sk_\w{48}/.exec((await dialog.textContent()) ?? "") ?? [];
  const send = () =>
    posthorn.call(
      "POST /v1/send",
      { to: "ada@example.com", from: "hello@example.test", subject: "Hi", body: "Hi" },
      { authorization: `Bearer ${key}` },
    );
  expect((await send()).status).toBe(200);
  await dialog.getByRole("button", { name: "I have copied them" }).click();
  expect(await page.textContent("body")).not.toContain(key);
  const row = page.locator(".line", { hasText: "shop" });
  expect(await row.textContent()).toContain("example.test");
  await row.getByRole("button", { name: "Revoke…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("“shop” is revoked.").waitFor();
  await row.waitFor({ state: "detached" });
  expect((await send()).status).toBe(401);
});

journey("The last key that may manage the workspace cannot be revoked, and the button says why", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  await eva.open("/set-up/keys");
  const button = eva.page.getByRole("button", { name: "Revoke…" });
  expect(await button.getAttribute("aria-disabled")).toBe("true");
  expect(await button.getAttribute("title")).toContain("Make another one first.");
});

journey("Support is told who may make keys", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "SUPPORT");
  await eva.open("/set-up/keys");
  await eva.page.getByText("Ask an owner, admin or developer for a key.").waitFor();
});

journey("A developer copies the lines for Laravel, with a key that was made for them", async () => {
  const smtp = { hostname: "mail.example.com" };
  const { posthorn, ports } = await startSubmission({ config: { smtp } });
  await using _ = posthorn;
  await using eva = await visit(posthorn, { permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = eva;
  await signIn(eva.context, posthorn, "DEVELOPER");
  await eva.open("/set-up/smtp");
  await page.getByRole("link", { name: "Laravel" }).click();
  await page.getByRole("button", { name: "Make a key for it" }).click();
  await page.getByText("The new key stands in these lines.").waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Copy lines for Laravel" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const lines = (await page.evaluate("navigator.clipboard.readText()")) as string;
  expect(lines).toContain('MAIL_FROM_ADDRESS="hello@example.test"');
  const [, key = ""] =
    new RegExp(`smtp://posthorn:(sk_\\w+)@mail.example.com:${ports.starttls}\\?verify_peer=0`).exec(lines) ?? [];
  expect((await posthorn.call("GET /domains", undefined, { authorization: `Bearer ${key}` })).status).toBe(200);
  expect(page.url()).toContain("for=laravel");
});

journey("A test mail is sent from the set-up", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "SUPPORT");
  await eva.open("/set-up/smtp?by=api");
  await page.getByRole("button", { name: "Send a test mail" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "To" }).fill("ada@example.com");
  await eva.check();
  await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
  await page.getByText("The mail is queued.").waitFor();
  await posthorn.settle();
  expect(posthorn.transport.sent.map(({ envelope }) => envelope.recipient)).toEqual(["ada@example.com"]);
});
