// The set-up in a browser: a domain that is proven while somebody watches, keys, lines to copy.
import { expect } from "bun:test";
import { journey, settled, soon, visit } from "../support/browser.ts";
import { freshDirectory } from "../support/database.ts";
import { pathOf } from "../support/providers.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";
import { startSubmission } from "../support/submission.ts";
import { addWorkflow, track } from "../support/workflows.ts";

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
  await eva.open("/settings/domains");
  await page.getByRole("button", { name: "Add a domain" }).click();
  await page.getByRole("textbox", { name: "Domain" }).fill("not a domain");
  await page.getByRole("dialog").getByRole("button", { name: "Add a domain" }).click();
  await page.locator(".fault").waitFor();
  await page.getByRole("textbox", { name: "Domain" }).fill("news.example");
  await page.getByRole("dialog").getByRole("button", { name: "Add a domain" }).click();
  await page.getByRole("heading", { name: "news.example" }).waitFor();
  await page.getByText("Last checked", { exact: false }).waitFor();
  await eva.check();
  await soon(async () =>
    expect(await page.getByRole("region", { name: /^DMARC/ }).textContent()).toContain("Nothing is wrong"),
  );
  const { data } = (await ask(posthorn, "GET /domains")).body;
  const dkim = data.find(({ domain }: { domain: string }) => domain === "news.example").records[0];
  zones[dkim.name] = { TXT: [dkim.value] };
  posthorn.clock.advance(LOOK_MS);
  await page.getByText("news.example is verified. You can send from it.").waitFor();
  await eva.check();
});

journey("A German reader is told in German what is wrong with a record, with its values", async () => {
  const zones: Record<string, Zone> = {
    "news.example": { TXT: ["v=spf1 include:_spf.office.example ?all", "v=spf1 mx -all"] },
  };
  await using posthorn = await startPosthorn({ resolver: new TableResolver(zones) });
  const { id } = (await ask(posthorn, "POST /domains", { body: { domain: "news.example" } })).body;
  await using eva = await visit(posthorn, { locale: "de-DE" });
  await signIn(eva.context, posthorn);
  await eva.open(`/settings/domains/${id}`);
  await eva.page.getByText("Unter news.example stehen 2 SPF-Einträge, damit sind alle ungültig.").waitFor();
  await eva.check();
});

journey("A key is made for one domain, shown once, used, and revoked", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "DEVELOPER");
  await eva.open("/settings/keys");
  await page.getByRole("button", { name: "Create a key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("shop");
  await dialog.getByText("example.test", { exact: true }).click();
  await eva.check();
  await dialog.getByRole("button", { name: "Create a key" }).click();
  await dialog.getByText("Copy them now.").waitFor();
  await eva.check();
  let [key = ""] = /sk_\w{48}/.exec((await dialog.textContent()) ?? "") ?? [];
  const send = () =>
    posthorn.call(
      "POST /v1/send",
      { to: "ada@example.com", from: "hello@example.test", subject: "Hi", body: "Hi" },
      { authorization: `Bearer ${key}` },
    );
  expect((await send()).status).toBe(200);
  await dialog.getByRole("button", { name: "I have copied them" }).click();
  expect(await page.textContent("body")).not.toContain(key);
  const row = page.getByRole("region", { name: "Keys in use" }).locator(".line", { hasText: "shop" });
  await soon(async () => expect(await row.textContent()).toContain("example.test"));
  await posthorn.settle();
  await page.reload();
  await row.locator('time[datetime="2026-03-01T09:00:00.000Z"]').nth(1).waitFor();
  await row.getByRole("button", { name: "Actions for shop" }).click();
  await page.getByRole("menuitem", { name: "Replace the secret key…" }).click();
  await page.getByRole("radio", { name: "Not at all" }).click();
  await eva.check();
  await dialog.getByRole("button", { name: "Replace" }).click();
  await dialog.getByText("Copy it now.").waitFor();
  expect((await send()).status).toBe(401);
  key = /sk_\w{48}/.exec((await dialog.textContent()) ?? "")?.[0] ?? "";
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  expect((await send()).status).toBe(200);
  await row.getByRole("button", { name: "Actions for shop" }).click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  await dialog.getByRole("textbox", { name: "Only from these IP addresses" }).fill("here");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Enter IP addresses or networks").waitFor();
  await dialog.getByRole("textbox", { name: "Only from these IP addresses" }).fill("127.0.0.1, 10.0.0.0/8");
  await dialog.getByLabel("Expires on").fill("2027-01-31");
  await dialog.getByRole("button", { name: "Save" }).click();
  await soon(async () => expect(await row.textContent()).toContain("from 127.0.0.1, 10.0.0.0/8 · until"));
  expect((await send()).status).toBe(200);
  await row.getByRole("button", { name: "Actions for shop" }).click();
  await page.getByRole("menuitem", { name: "Revoke…" }).click();
  // Until it is known what the key has scheduled, the button is busy.
  await page.getByRole("dialog").locator("button:not([aria-busy])", { hasText: "Revoke" }).click();
  await page.getByText("“shop” is revoked.").waitFor();
  await row.waitFor({ state: "detached" });
  expect((await send()).status).toBe(401);
});

journey("The last key that may manage the workspace cannot be revoked, and the button says why", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  await eva.open("/settings/keys");
  await eva.page.getByRole("button", { name: "Actions for without a name" }).click();
  const entry = eva.page.getByRole("menuitem", { name: "Revoke…" });
  expect(await entry.getAttribute("aria-disabled")).toBe("true");
  await entry.getByText("Create another one first.").waitFor();
});

journey("Support is told who may make keys, and finds the part of the set-up that is theirs by ⌘K", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "SUPPORT");
  await eva.open("/settings/keys");
  await eva.page.getByText("Ask an owner, admin or developer for a key.").waitFor();
  await eva.page.keyboard.press("Control+k");
  await eva.page.getByRole("searchbox").fill("team");
  await eva.page.getByRole("menuitem", { name: "Team" }).click();
  await eva.page.waitForURL(/\/settings\/team$/);
  await eva.open("/settings/server");
  await eva.page.getByText("Ask an owner of the installation.").waitFor();
});

journey("A developer copies the lines for Laravel, with a key that was made for them", async () => {
  const smtp = { hostname: "mail.example.com" };
  const { posthorn, ports } = await startSubmission({ config: { smtp } });
  await using _ = posthorn;
  await using eva = await visit(posthorn, { permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = eva;
  await signIn(eva.context, posthorn, "DEVELOPER");
  await eva.open("/settings/smtp");
  await page.getByRole("link", { name: "Laravel" }).click();
  await page.getByRole("button", { name: "Create a key for it" }).click();
  await page.getByText("These examples now contain the new key.").waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Copy code for Laravel" }).click();
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
  await eva.open("/settings/smtp?by=api");
  await page.getByRole("button", { name: "Send a test email" }).click();
  const to = page.getByRole("dialog").getByRole("combobox", { name: "To" });
  await to.fill("ada@example.com");
  await eva.check();
  await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
  await page.getByText("The email is queued.").waitFor();
  await posthorn.settle();
  expect(posthorn.transport.sent.map(({ envelope }) => envelope.recipient)).toEqual(["ada@example.com"]);
});

/** Where a workflow's webhooks go, and what it answers. */
function receiver() {
  let status = 422;
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("no such order", { status }) });
  return {
    url: `http://127.0.0.1:${server.port}/`,
    answer: (next: number) => void (status = next),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

journey("A webhook that gave up is read, and called again", async () => {
  await using ledger = receiver();
  await using posthorn = await startPosthorn({ config: { webhooks: { allow: ["127.0.0.1"], timeoutSeconds: 1 } } });
  await addWorkflow(posthorn, [
    { type: "WEBHOOK", name: "Tell the ledger", config: { url: ledger.url } },
    { type: "EXIT", name: "End", config: {} },
  ]);
  await track(posthorn, "signup");
  await posthorn.settle();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "DEVELOPER");
  await eva.open("/settings/webhooks?outcome=failed");
  const attempt = page.locator(".attempt");
  await attempt.locator("summary").click();
  await attempt.getByText("no such order").waitFor();
  await attempt.getByText("Tell the ledger").waitFor();
  await eva.check();
  ledger.answer(200);
  await attempt.getByRole("button", { name: "Call again" }).click();
  await page.getByText("The webhook is called again.").waitFor();
  await posthorn.settle();
  await page.getByRole("radio", { name: "All" }).click();
  await page.locator(".attempt", { hasText: "delivered" }).waitFor();
  await soon(async () => expect(await page.locator(".attempt").count()).toBe(2));
});

journey("A webhook is added, tried with an example, read, sent again, replayed, switched off and removed", async () => {
  await using shop = receiver();
  shop.answer(200);
  await using posthorn = await startPosthorn({ config: { webhooks: { allow: ["127.0.0.1"], timeoutSeconds: 1 } } });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "DEVELOPER");
  await eva.open("/settings/webhooks");
  await page.locator(".empty").getByRole("button", { name: "Add a webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill("ftp://shop.example.com");
  await dialog.getByRole("button", { name: "Add a webhook" }).click();
  await dialog.locator(".fault").waitFor();
  await dialog.getByLabel("URL").fill(shop.url);
  await dialog.getByLabel("Description").fill("The shop");
  await dialog.getByLabel("Headers").fill("X-Token");
  await dialog.getByRole("button", { name: "Add a webhook" }).click();
  await dialog.getByText("X-Token: The header has no value").waitFor();
  await dialog.getByLabel("Headers").fill("X-Token: abc");
  await dialog.getByRole("radio", { name: "Only some" }).click();
  await dialog.getByRole("radio", { name: "Postmark" }).click();
  await dialog.getByText("are not signed").waitFor();
  expect(await dialog.getByText("event.tracked").count()).toBe(0);
  await eva.check();
  await dialog.getByRole("radio", { name: "Posthorn" }).click();
  await dialog.getByRole("button", { name: "Add a webhook" }).click();
  await dialog.getByText("Select at least one event.").waitFor();
  await dialog.getByText("event.tracked").click();
  const tags = dialog.getByLabel("Only emails with a tag");
  await tags.pressSequentially("receipt ");
  await dialog.getByRole("button", { name: "Remove the tag receipt" }).waitFor();
  await tags.fill("for Käthe");
  await tags.press("Enter");
  await dialog.getByText("“Käthe” is not a tag.").waitFor();
  await dialog.getByRole("button", { name: "Remove the tag Käthe" }).click();
  await tags.press("Backspace");
  // What is still typed counts as well.
  await tags.fill("plan:pro");
  await eva.check();
  await dialog.getByRole("button", { name: "Add a webhook" }).click();
  await page.getByRole("heading", { name: "The shop" }).waitFor();
  await page.getByText("receipt, plan:pro").waitFor();
  await page.getByRole("button", { name: "Send an example…" }).click();
  await dialog.getByRole("button", { name: "Send" }).click();
  await page.getByText("The example is sent.").waitFor();
  await posthorn.settle();
  const row = page.locator(".attempt", { hasText: "email.bounce" });
  await row.getByText("delivered").first().waitFor();
  await row.locator("summary").click();
  await row.getByText("X-Token: abc").waitFor();
  await row.getByText("no such order").waitFor();
  await eva.check();
  shop.answer(422);
  await row.getByRole("button", { name: "Send again" }).click();
  await settled(posthorn, () => row.getByText("failed").first().waitFor({ timeout: 1_000 }));
  await page.getByRole("radio", { name: "Failed" }).click();
  await page.locator(".attempt", { hasText: "email.bounce" }).waitFor();
  shop.answer(200);
  await track(posthorn, "order.paid");
  await posthorn.settle();
  await page.getByRole("radio", { name: "All" }).click();
  await page.locator(".attempt", { hasText: "event.tracked" }).waitFor();
  const menu = async (name: string) => {
    await page.locator(".title-row .btn.only").click();
    await page.getByRole("menuitem", { name }).click();
  };
  await menu("Replay…");
  await dialog.getByRole("radio", { name: "30 days" }).click();
  await dialog.getByRole("button", { name: "Replay" }).click();
  await page.getByText("There is nothing to send.").waitFor();
  await menu("Replay…");
  await dialog.getByRole("radio", { name: "30 days" }).click();
  await dialog.getByText("Also send what was already delivered").click();
  await eva.check();
  await dialog.getByRole("button", { name: "Replay" }).click();
  await page.getByText("1 event is sent.").waitFor();
  await posthorn.settle();
  await menu("Switch off");
  await page.getByText("This webhook is off.").waitFor();
  await eva.check();
  await page.getByRole("button", { name: "Switch on" }).click();
  await page.locator(".title-row").getByText("on", { exact: true }).waitFor();
  await menu("Remove…");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await page.locator(".empty").getByText("No webhook yet").waitFor();
});

journey("The webhook secret is shown when somebody asks for it, and replaced after a question", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/webhooks");
  const lines = page.locator(".panel:not(.list) pre");
  await soon(async () => expect(await lines.textContent()).toContain("whsec_…"));
  await page.getByRole("button", { name: "Insert the secret" }).click();
  const before = (await posthorn.call("GET /workspace")).body.webhookSecret;
  await soon(async () => expect(await lines.textContent()).toContain(before));
  await page.getByRole("button", { name: "Replace the secret…" }).click();
  await eva.check();
  await page.getByRole("dialog").getByRole("button", { name: "Replace" }).click();
  await page.getByText("The code now contains the new secret.").waitFor();
  const after = (await posthorn.call("GET /workspace")).body.webhookSecret;
  expect(after).not.toBe(before);
  await soon(async () => expect(await lines.textContent()).toContain(after));
});

journey("Owners see what this server is, and whether it is kept; others are told whom to ask", async () => {
  const stream = freshDirectory();
  await using posthorn = await startPosthorn({
    config: { backup: { stream: stream.path }, relay: { provider: "generic" } },
  });
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  await eva.open("/settings/server");
  await eva.page.getByText(pathOf(posthorn, "generic")).waitFor();
  await eva.page.getByText("none yet").first().waitFor();
  await eva.page.getByText("This server sends no email.").waitFor();
  await eva.page.getByText(posthorn.dataDir, { exact: true }).waitFor();
  await eva.page.getByText(stream.path, { exact: true }).waitFor();
  await eva.page.getByText("none follows. On a second machine: posthorn standby").waitFor();
  await using bob = await visit(posthorn);
  await signIn(bob.context, posthorn, "ADMIN");
  await bob.open("/settings/server");
  await bob.page.getByText("Ask an owner of the installation.").waitFor();
  stream.remove();
});

journey(
  "A domain's key is replaced and the domain removed, each after a question; its records go as a file or a mail",
  async () => {
    await using posthorn = await startPosthorn();
    const { id, records } = (await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } })).body;
    await using eva = await visit(posthorn, { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
    const { page } = eva;
    await signIn(eva.context, posthorn);
    await eva.open(`/settings/domains/${id}`);
    const letter = await page.getByRole("link", { name: "Email my admin" }).getAttribute("href");
    expect(decodeURIComponent(letter ?? "")).toContain(records[0].value);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Zone file" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("shop.example.zone");
    await page.getByRole("button", { name: "More" }).first().click();
    await page.getByRole("menuitem", { name: "Replace the DKIM key…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Replace the DKIM key" }).click();
    await page.getByRole("region", { name: /^DKIM/ }).nth(1).waitFor();
    await page.getByRole("button", { name: "More" }).first().click();
    await eva.check();
    await page.getByRole("menuitem", { name: "Remove the domain…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove the domain" }).click();
    await page.waitForURL(/\/settings\/domains$/);
    await page.getByText("shop.example").waitFor({ state: "detached" });
    await page.getByRole("link", { name: /example.test/ }).click();
    await page.getByRole("link", { name: "All domains" }).click();
    await page.waitForURL(/\/settings\/domains$/);
  },
);

journey("A host of links is set, its records are shown, it is refused with a reason, and it is used", async () => {
  const zones: Record<string, Zone> = {};
  await using posthorn = await startPosthorn({ resolver: new TableResolver(zones) });
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn);
  await eva.open("/settings/workspace");
  const panel = page.locator(".panel", { has: page.getByRole("heading", { name: "Host of links" }) });
  const dialog = page.getByRole("dialog");
  await panel.getByRole("button", { name: "Set a host" }).click();
  await dialog.getByRole("textbox", { name: "Host name" }).fill("localhost");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.locator(".fault").waitFor();
  await eva.check();
  await dialog.getByRole("textbox", { name: "Host name" }).fill("links.example.test");
  await dialog.getByRole("button", { name: "Save" }).click();
  await panel.getByText("does not lead here yet").waitFor();
  await panel.getByText("_posthorn.links.example.test").waitFor();
  await panel.getByRole("button", { name: "Check now" }).click();
  await panel.getByText("links.example.test has no address in the DNS.", { exact: false }).waitFor();
  await eva.check();
  zones["links.example.test"] = { A: ["127.0.0.1"] };
  await panel.getByRole("button", { name: "Check now" }).click();
  await panel.getByText("in use").waitFor();
  await panel.getByText("are at links.example.test", { exact: false }).waitFor();
  await eva.check();
  await panel.getByRole("button", { name: "Remove" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await panel.getByText("These serve links that were sent", { exact: false }).waitFor();
  await eva.check();
});
