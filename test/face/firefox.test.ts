// The main journey once more in Firefox: in by the link, a mail found, read and sent again, and out. Its policy is another engine's.
import { expect } from "bun:test";
import { welcomeToken } from "../../src/team/link.ts";
import { visit } from "../support/browser.ts";
import { journeyInFirefox, openedFirefox } from "../support/firefox.ts";
import { PASSWORD } from "../support/people.ts";
import { startPosthorn } from "../support/posthorn.ts";
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
    await page.getByLabel("E-mail", { exact: true }).fill("ada@example.com");
    await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
    await page.getByLabel("Password", { exact: true }).last().fill(PASSWORD);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

    await ada.open("/mail");
    await page.getByRole("link", { name: /^Bounced/ }).click();
    await page.waitForFunction("document.querySelectorAll('a.line').length === 1");
    await page.locator("a.line").filter({ hasText: "ben@example.org" }).click();
    await page.getByText("The mailbox does not exist.").first().waitFor();
    await page.frameLocator("iframe").getByText("Thank you.").waitFor();
    await ada.check();
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
    await page.getByRole("button", { name: "Open it" }).click();
    await page.getByText("Repeats an earlier mail.").waitFor();
    expect((await posthorn.call("GET /emails?search=ben@example.org")).body.data.length).toBe(2);

    await page.getByRole("button", { name: "Ada Lovelace" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Posthorn" }).waitFor();
  },
);
