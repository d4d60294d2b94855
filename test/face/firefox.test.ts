// Two journeys once more in Firefox: in by the link, a mail found, read and sent again, and out; a campaign written in
// blocks and sent. Its policy, its editing and its frames are another engine's.
import { expect } from "bun:test";
import { welcomeToken } from "../../src/operator/team/invitations/link.ts";
import { soon, visit } from "../support/browser.ts";
import { journeyInFirefox, openedFirefox } from "../support/firefox.ts";
import { PASSWORD } from "../support/people.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";
import { liftSuppressions } from "../support/suppressed.ts";
import { RecordingTransport } from "../support/transport.ts";

const LETTER = { from: "hello@example.test", subject: "Your receipt", body: "<p>Thank you.</p>" };
const NOBODY = "550 5.1.1 <ben@example.org>: user unknown";

journeyInFirefox(
  "In Firefox the first owner comes in, finds what bounced, reads it, sends it again and goes",
  async () => {
    const transport = new RecordingTransport();
    transport.answer = ({ envelope: { recipient } }) =>
      recipient.startsWith("ben") ? { kind: "bounced", reply: NOBODY } : { kind: "accepted", reply: "250 2.0.0 Ok" };
    await using posthorn = await startPosthorn({ transport });
    for (const to of ["ada@example.com", "ben@example.org"]) await posthorn.call("POST /v1/send", { ...LETTER, to });
    await posthorn.settle();
    const token = await posthorn.store.write(welcomeToken);
    await using ada = await visit(posthorn, { browser: openedFirefox() });
    const { page } = ada;

    await ada.open(`/welcome#${token}`);
    await page.getByLabel("Email address", { exact: true }).fill("ada@example.com");
    await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
    await page.getByLabel("Password", { exact: true }).last().fill(PASSWORD);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { level: 1, name: "Set up this server" }).waitFor();

    await ada.open("/mail");
    await page.getByRole("link", { name: /^Bounced/ }).click();
    await soon(async () => expect(await page.locator("a.line").count()).toBe(1));
    await page.locator("a.line").filter({ hasText: "ben@example.org" }).click();
    await page.getByText("The mailbox does not exist.").first().waitFor();
    await liftSuppressions(posthorn);
    await page.frameLocator("iframe").getByText("Thank you.").waitFor();
    await ada.check();
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
    await page.getByRole("button", { name: "Open it" }).click();
    await page.getByText("Repeats an earlier email.").waitFor();
    expect((await posthorn.call("GET /emails?search=ben@example.org")).body.data.length).toBe(2);

    await page.getByRole("button", { name: "Ada Lovelace" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Posthorn" }).waitFor();
  },
);

journeyInFirefox("In Firefox a campaign is written in blocks, looked at as somebody, checked and sent", async () => {
  await using posthorn = await startPosthorn();
  await posthorn.call("POST /contacts", { email: "ada@example.com", subscribed: true, data: { name: "Ada" } });
  await using eva = await visit(posthorn, { browser: openedFirefox() });
  const { page } = eva;
  await signIn(eva.context, posthorn, "MARKETER");
  await eva.open("/campaigns?make=true");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Spring");
  await page.keyboard.press("Enter");

  const sheet = page.getByRole("textbox", { name: "Email", exact: true });
  await sheet.locator("p").last().click();
  await page.keyboard.type("The windows are open again.");
  await page.getByRole("button", { name: "Button" }).click();
  await page.getByLabel("Link URL").click();
  await page.keyboard.type("https://shop.example/spring");
  await page.getByRole("textbox", { name: "Subject" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" is here");
  await page.getByRole("button", { name: "Preview as" }).click();
  await page.getByRole("menuitem", { name: "Ada" }).click();
  const mail = page.frameLocator("iframe").last();
  await mail.getByText("Hello Ada,").waitFor();
  await mail.getByText("The windows are open again.").waitFor();
  await eva.check();

  await page.getByRole("navigation", { name: "Campaign sections" }).getByRole("link", { name: "Check" }).click();
  await page.locator("button:not([aria-disabled])", { hasText: /^Send to 1 person/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText(/^Sending/).waitFor();
  posthorn.clock.advance(10_000);
  await posthorn.settle();
  const [sent, ...others] = posthorn.transport.sent;
  expect([sent?.envelope.recipient, others]).toEqual(["ada@example.com", []]);
  expect(sent?.raw.toString()).toContain("The windows are open again.");
});
