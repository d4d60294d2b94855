// What the screen of mail tells beyond one state: who sent a mail and what it set off, why mails were refused, views
// that are kept.
import { expect } from "bun:test";
import { markReturned } from "../../src/mail/emails/feedback/feedback.ts";
import { mailById, type ToldMail } from "../../src/mail/emails/queries.ts";
import { journey, soon, visit } from "../support/browser.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { signIn } from "../support/signed-in.ts";
import { RecordingTransport } from "../support/transport.ts";
import { addWorkflow } from "../support/workflows.ts";

const LETTER = { from: "hello@example.test", subject: "Your receipt", body: "<p>Thank you.</p>" };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

journey("A mail's past says who sent it and how, which server took it, and what webhooks that set off", async () => {
  const host = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("noted") });
  const config = {
    delivery: { transport: "smtp" as const },
    relay: { host: "relay.example" },
    webhooks: { allow: ["127.0.0.1"], timeoutSeconds: 1 },
  };
  await using shop = await startPosthorn({ config });
  const steps = [
    { type: "WEBHOOK", name: "Tell", config: { url: `http://127.0.0.1:${host.port}/` } },
    { type: "EXIT", name: "End", config: {} },
  ];
  await addWorkflow(shop, steps, { name: "After a mail", eventName: "email.sent" });
  const key = { bearer: (await ask(shop, "POST /keys", { body: { name: "shop" } })).body.secret };
  const headers = { "x-request-id": "order-17" };
  const { body } = await ask(shop, "POST /v1/send", { key, headers, body: { ...LETTER, to: "ada@example.com" } });
  await shop.settle();
  await using eva = await visit(shop);
  const { page } = eva;
  await signIn(eva.context, shop, "SUPPORT");
  await eva.open(`/mail/${body.data.emails[0].email}`);
  const past = page.locator(".tl");
  await past.getByText("Webhook delivered").waitFor();
  const lines = (await past.locator("li").allTextContents()).join("\n");
  for (const said of [
    /With the key “shop”, by POST \/v1\/send\.request order-17/,
    /Sent to relay\.exampleIt went to ada@example\.com\./,
    /The workflow “After a mail” called 127\.0\.0\.1:\d+\.200 noted/,
  ])
    expect(lines).toMatch(said);
  await eva.check();
  await host.stop(true);
});

journey("What has failed is counted by its reason, and a number opens those mails", async () => {
  const transport = new RecordingTransport();
  transport.answer = ({ envelope: { recipient } }) =>
    recipient.startsWith("spam")
      ? { kind: "failed", reply: "554 5.7.1 This looks like spam" }
      : { kind: "failed", reply: "552 5.3.4 Message too large" };
  await using shop = await startPosthorn({ transport });
  for (const to of ["spam1@example.com", "spam2@example.com", "large@example.com"])
    await shop.call("POST /v1/send", { ...LETTER, to });
  await shop.settle();
  await using eva = await visit(shop, PHONE);
  const { page } = eva;
  await signIn(eva.context, shop, "SUPPORT");
  await eva.open("/mail?status=FAILED");
  const reasons = page.getByRole("group", { name: "By reason" });
  await reasons.waitFor();
  await soon(async () =>
    expect(await reasons.getByRole("button").allTextContents()).toEqual(["Refused as spam 2", "Too large 1"]),
  );
  await reasons.getByRole("button", { name: /Refused as spam/ }).click();
  await page.waitForURL(/reason=SPAM/);
  await soon(async () => expect(await page.locator("a.line").count()).toBe(2));
  await eva.check();
  await reasons.getByRole("button", { name: /Refused as spam/ }).click();
  await soon(async () => expect(await page.locator("a.line").count()).toBe(3));
});

journey("A filter that is used again is saved under a name, and forgotten again", async () => {
  await using shop = await startPosthorn();
  await using eva = await visit(shop);
  const { page } = eva;
  await signIn(eva.context, shop, "SUPPORT");
  await eva.open("/mail?status=BOUNCED&search=ben&since=7d");
  await page.getByRole("button", { name: "Save this view" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Ben's bounces");
  await eva.check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await eva.open("/mail");
  await page.getByRole("link", { name: "Ben's bounces" }).click();
  await page.waitForURL(/status=BOUNCED/);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    ...{ status: "BOUNCED", search: "ben", since: "7d" },
  });
  await page.getByRole("button", { name: "Remove the view “Ben's bounces”" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("link", { name: "Ben's bounces" }).waitFor();
  await eva.check();
});

journey(
  "A report that comes later is told as one, and the way to the domains stands at the line about them",
  async () => {
    const transport = new RecordingTransport();
    transport.answer = ({ envelope: { recipient } }) =>
      recipient.startsWith("spam")
        ? { kind: "failed", reply: "554 5.7.1 This looks like spam" }
        : { kind: "accepted", reply: "250 2.0.0 Ok" };
    await using shop = await startPosthorn({ transport });
    const [gone, spam] = await Promise.all(
      ["gone@example.com", "spam@example.com"].map(async (to) => {
        const { body } = await ask(shop, "POST /v1/send", { body: { ...LETTER, to } });
        return body.data.emails[0].email as string;
      }),
    );
    await shop.settle();
    await shop.store.write(async (tx) => {
      const mail = await mailById(tx, 1, gone as string);
      await markReturned(tx, mail as ToldMail, { reason: "550 5.1.1 No such user", byCarrier: false }, "Permanent");
    });
    await using eva = await visit(shop);
    const { page } = eva;
    await signIn(eva.context, shop, "SUPPORT");
    await eva.open(`/mail/${gone}`);
    await page
      .locator(".tl li", { hasText: "Bounce report" })
      .getByText("550 5.1.1 No such user", { exact: true })
      .waitFor();
    expect(await page.getByText("Refused at attempt").count()).toBe(0);
    await eva.open(`/mail/${spam}`);
    await page.locator(".tl").getByText("Refused at attempt 1").waitFor();
    await page
      .locator("li", { hasText: "Check SPF, DKIM and DMARC" })
      .getByRole("link", { name: "See the domains" })
      .waitFor();
    await eva.check();
  },
);
