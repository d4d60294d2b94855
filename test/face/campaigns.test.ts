// Campaigns in the face: from an empty workspace to a sent campaign, checked before and accounted for after.
import { expect } from "bun:test";
import type { Locator, Page, Route } from "playwright-core";
import { addReaders, look, send } from "../support/campaigns.ts";
import { journey, soon, visit } from "../support/browser.ts";
import { mailsSent } from "../support/mails.ts";
import { startPosthorn } from "../support/posthorn.ts";
import { signIn } from "../support/signed-in.ts";

journey("A campaign is written, checked, sent, paused, accounted for", async () => {
  await using posthorn = await startPosthorn();
  await addReaders(posthorn, 4);
  await posthorn.call("POST /contacts", { email: "gone@example.com", subscribed: false });
  await posthorn.call("POST /contacts", { email: "ada@example.com", data: { name: "Ada", plan: "pro" } });
  await using eva = await visit(posthorn, { offends: /500/ });
  const { page } = eva;
  await signIn(eva.context, posthorn, "MARKETER");

  // The list teaches; a campaign is made and written.
  await eva.open("/campaigns");
  await page.getByRole("button", { name: "New campaign" }).first().click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Spring news");
  await page.getByRole("radio", { name: "Code" }).click();
  await eva.check();
  await page.getByRole("dialog").getByRole("button", { name: "New campaign" }).click();
  const images = `<img src="" alt=""><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`;
  await code(page, `<p>Spring, {{ name }}.</p><p><a href="">See it</a></p>${images}`);
  await page.getByText(/saved \d/).waitFor();
  // The checks lead to each fault, and Send says why it is off.
  await tab(page, "Check");
  await page.getByText("The link “See it” goes nowhere.").waitFor();
  await page.getByText("The subject is the name of the campaign.").waitFor();
  await page.getByText("An image has no URL.").waitFor();
  await page.getByText("An image is inside the email.").waitFor();
  await page.getByText("An image has no alt text.").waitFor();
  await page.getByText("4 people have no “name”.").waitFor();
  await eva.check();
  const sending = page.getByRole("button", { name: /^Send to 5 people/ });
  await soon(async () => expect(await sending.getAttribute("aria-disabled")).toBe("true"));
  await page.locator(".disabled-reason").getByRole("link", { name: "To the text" }).click();
  await page.getByRole("textbox", { name: "Subject" }).fill("{{ name }}, it is spring");
  await code(page, `<p>Spring.</p><p><a href="https://shop.example/spring">See it</a></p>`);
  // Its name, sender and tags are in a window of their own.
  await page.locator(".meta-field").getByRole("button", { name: "Change" }).first().click();
  const settings = page.getByRole("dialog");
  await settings.getByLabel("Tags").fill("news spring");
  await eva.check();
  await settings.getByRole("button", { name: "Save" }).click();
  await settings.waitFor({ state: "detached" });
  expect((await posthorn.call("GET /campaigns")).body.data[0].tags).toEqual(["news", "spring"]);
  // A test email shows the person of the preview. It goes to those who are chosen, and they are remembered.
  await page.getByRole("button", { name: /^Preview as/ }).click();
  await page.getByRole("menuitem", { name: "Ada" }).click();
  await page.getByRole("button", { name: "Choose who gets test emails" }).click();
  await page.getByText("It shows the data of Ada").waitFor();
  await page.getByRole("textbox", { name: "Other addresses" }).fill("boss@example.com");
  await eva.check();
  await page.getByRole("button", { name: "Send test" }).click();
  await page.getByText(/^Sent to .+, boss@example\.com\.$/).waitFor();
  await page.getByRole("button", { name: "Send to 2 people", exact: true }).waitFor();
  await posthorn.settle();
  // Two copies leave side by side, in either order.
  const [copy] = await mailsSent(posthorn);
  expect([copy?.subject, posthorn.transport.recipients.toSorted()]).toEqual([
    "[TEST] Ada, it is spring",
    ["boss@example.com", expect.stringMatching(/^eva\.\d+@example\.test$/)],
  ]);
  // Each number of the audience opens as its people, and so does the one above the content.
  await page.locator(".meta-field", { hasText: "Everybody" }).getByRole("link", { name: "5 people" }).click();
  await soon(async () => expect(await page.locator(".audience-people > .line").count()).toBe(5));
  await page.locator(".sum").getByRole("link", { name: "1", exact: true }).click();
  await page.getByText("gone@example.com").waitFor();
  await eva.check();
  await page.getByRole("radio", { name: "A condition" }).click();
  await page.getByRole("button", { name: "Add a filter" }).click();
  await page.getByRole("searchbox", { name: "Find a field" }).fill("plan");
  await page.keyboard.press("Enter");
  await page.locator("input:focus").waitFor();
  await page.keyboard.type("pro");
  await page.locator(".sum", { hasText: "1will receive" }).waitFor();
  // A changed filter that could not be saved is not saved over the next choice.
  const changes = "**/campaigns/*";
  const refuse = (route: Route) =>
    route.request().method() === "GET" ? route.continue() : route.fulfill({ status: 500, json: {} });
  await page.route(changes, refuse);
  await page.keyboard.type("x");
  await page.getByText("not saved", { exact: true }).waitFor();
  await page.unroute(changes);
  // Without a segment it is for nobody, and not for everybody.
  await page.getByRole("radio", { name: "A segment" }).click();
  await page.getByText("Nobody yet. Choose a segment.").waitFor();
  await soon(async () => expect(await page.locator(".sum").count()).toBe(0));
  await tab(page, "Write");
  await page.locator(".meta-field").getByText("Nobody yet. Choose a segment.").waitFor();
  await tab(page, "Audience");
  // A choice that could not be saved says so, and is saved on request.
  await page.route(changes, refuse);
  await page.getByRole("radio", { name: "Everybody" }).click();
  await page.getByText("not saved", { exact: true }).waitFor();
  await eva.check();
  await page.unroute(changes);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator(".sum", { hasText: "5will receive" }).waitFor();
  // It is sent by keys alone; ten seconds of Undo take it back.
  await tab(page, "Check");
  await page.getByText("All 2 links have a target.").waitFor();
  // As somebody without a name reads it: the variable is not counted.
  await page.getByText("The subject has 14 characters.").waitFor();
  await sending.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Send to 5 people now?" }).waitFor();
  await page.getByText("reader1@example.com, reader2@example.com").waitFor();
  await eva.check();
  await page.keyboard.press("Enter");
  await page.getByText(/^Sending/).waitFor();
  const { id } = (await posthorn.call("GET /campaigns")).body.data[0];
  expect((await look(posthorn, id)).status).toBe("SCHEDULED");
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Undone. Nothing was sent.").waitFor();
  // The button is gone with its banner.
  await page.locator(".tabs [aria-current=page]:focus").waitFor();
  expect((await look(posthorn, id)).status).toBe("DRAFT");
  // Sent again, it leaves; it is paused while the relay is slow, and every person is in the account.
  await sending.click();
  await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText(/^Sending/).waitFor();
  const { promise: isFree, resolve: letGo } = Promise.withResolvers<void>();
  posthorn.transport.answer = async ({ envelope: { recipient } }) => {
    await isFree;
    if (recipient.startsWith("reader2")) return { kind: "failed", reply: "554 5.7.1 looks like spam" };
    return { kind: "accepted", reply: "250 Ok" };
  };
  posthorn.clock.advance(10_000);
  const moving = posthorn.settle();
  await page.locator(".pace").waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("Nothing is sent until it is resumed.").waitFor();
  await soon(async () => expect(await page.locator(".pace").count()).toBe(0));
  expect((await look(posthorn, id)).paused).toBe(true);
  letGo();
  await moving;
  await eva.open("/mail");
  await page.keyboard.press("Control+k");
  await page.getByRole("menuitem").first().waitFor();
  await page.keyboard.type("resume spr");
  await page.getByRole("menuitem", { name: "Resume Spring news" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Spring news is resumed.").waitFor();
  await posthorn.settle();
  await eva.open(`/campaigns/${id}`);
  await page.locator(".pill", { hasText: /^sent$/ }).waitFor();
  // Nothing has ever reported a delivery.
  await page.locator(".fate .line", { hasText: "accepted by the relay" }).getByText("4", { exact: true }).waitFor();
  expect(await page.locator(".fate .line", { hasText: "delivered" }).count()).toBe(0);
  await page.locator(".parts-row", { hasText: "5 = 4 sent + 1 failed + 0 skipped + 0 queued + 0 cancelled" }).waitFor();
  await eva.check();

  // What would be so now is not told of what has left: the account has that.
  await tab(page, "Audience");
  await page.getByText("The audience was fixed when sending started.").waitFor();
  await tab(page, "Check");
  await page.getByText("It has been sent with this content.").waitFor();
  await soon(async () => expect(await page.locator(".sum").count()).toBe(0));
  await eva.check();
  await page.getByRole("link", { name: "See results" }).click();

  // What was sent when is shown first; people against whom nothing is have no column of reasons.
  await page.getByRole("radio", { name: "sent", checked: true }).waitFor();
  await page
    .locator(".parts-row")
    .getByRole("link", { name: /queued/ })
    .click();
  await page.locator(".account-people").waitFor();
  await soon(async () => expect(await page.locator(".account-people .head").getByText("Reason").count()).toBe(0));

  // A part opens as its people with their reasons; they are sent it again, and make a segment.
  await page.locator(".parts-row").getByRole("link", { name: "1 failed" }).click();
  const failed = page.locator(".account-people .line", { hasText: "reader2@example.com" });
  await failed.getByText("Refused as spam").waitFor();
  await failed.getByText("554 5.7.1").waitFor();
  await eva.check();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  expect(file.suggestedFilename()).toBe("Spring news failed.csv");
  await page.getByRole("button", { name: "Save as segment" }).click();
  // A segment that could not be filled goes again, so that the next attempt can have its name.
  const members = /\/segments\/[^/]+\/members$/;
  const refusal = { error: { code: "VALIDATION_ERROR", message: "The segment takes nobody." } };
  await page.route(members, (route) => route.fulfill({ status: 422, json: refusal }));
  await page.getByRole("dialog").getByRole("button", { name: "Save segment" }).click();
  await page.getByRole("dialog").getByText("The segment takes nobody.").waitFor();
  expect((await posthorn.call("GET /segments")).body).toEqual([]);
  await page.unroute(members);
  await page.getByRole("dialog").getByRole("button", { name: "Save segment" }).click();
  await page.getByText("1 person is in the segment.").waitFor();
  await page.getByRole("button", { name: "Send again to this one" }).click();
  await page.getByText("is a draft for exactly these people").waitFor();
  await posthorn.settle();
  await page.getByRole("button", { name: /^Send to 1 person/ }).waitFor();
  expect((await posthorn.call("GET /segments")).body).toMatchObject([{ name: "Spring news: failed", memberCount: 1 }]);

  // In the list both are found, with their states and numbers.
  await eva.open("/campaigns?search=SPRING");
  await page.locator(".line", { hasText: /Spring news \(Again\).*draft/ }).waitFor();
  await page.locator(".line", { hasText: /Spring news .*sent/ }).waitFor();
});

journey("Marketing comes from an empty workspace to a sent campaign in few clicks and key strokes", async () => {
  await using posthorn = await startPosthorn();
  await using eva = await visit(posthorn);
  const { page } = eva;
  await signIn(eva.context, posthorn, "MARKETER");
  let strokes = 0;
  const click = async (what: Locator) => (strokes++, what.click());
  const press = async (keys: string) => ((strokes += keys.split("+").length), page.keyboard.press(keys));
  const type = async (letters: string) => ((strokes += letters.length), page.keyboard.type(letters));

  const side = page.getByRole("navigation", { name: "Posthorn" });

  await eva.open("/");
  await click(side.getByRole("link", { name: "Contacts" }));
  await click(page.getByRole("button", { name: "Add a contact" }).first());
  await page.getByRole("textbox", { name: "Email address" }).waitFor();
  await page.keyboard.insertText("ada@example.com");
  await press("Enter");
  await page.getByText("Added.").waitFor();
  await click(side.getByRole("link", { name: "Campaigns" }));
  await click(page.getByRole("button", { name: "New campaign" }).first());
  await page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
  await type("Spring");
  await press("Enter");
  const subject = page.getByRole("textbox", { name: "Subject" });
  await click(subject);
  await press("Control+a");
  await page.keyboard.insertText("It is spring");
  await click(page.getByRole("textbox", { name: "Email", exact: true }));
  await press("Control+a");
  await page.keyboard.insertText("The windows are open again.");
  await click(page.getByRole("navigation", { name: "Campaign sections" }).getByRole("link", { name: "Check" }));
  await click(page.locator("button:not([aria-disabled])", { hasText: /^Send to 1 person/ }));
  await page.getByRole("dialog").waitFor();
  await press("Enter");
  await page.getByText(/^Sending/).waitFor();
  posthorn.clock.advance(10_000);
  await posthorn.settle();
  await page.locator(".parts-row", { hasText: "1 = 1 sent" }).waitFor();
  const [mail, ...others] = posthorn.transport.sent;
  expect(others).toEqual([]);
  expect(mail?.raw.toString()).toContain("The windows are open again.");
  expect(strokes).toBeLessThan(40);
});

journey("A campaign whose domain is no longer verified is held, says so, and leads to the domain", async () => {
  await using posthorn = await startPosthorn();
  await addReaders(posthorn, 1);
  const id = await send(posthorn);
  await posthorn.store.write((tx) => tx.run`update domains set verified_at = null`);
  await posthorn.settle();
  await using eva = await visit(posthorn, { locale: "de-DE" });
  await signIn(eva.context, posthorn, "SUPPORT");
  await eva.open(`/campaigns/${id}`);
  await eva.page.getByText("Die Domain, von der sie gesendet wird, ist nicht bestätigt.").waitFor();
  // Support sees everything, and why it may not act.
  const pause = eva.page.getByRole("button", { name: "Pausieren" });
  await soon(async () =>
    expect([await pause.getAttribute("aria-disabled"), await pause.getAttribute("title")]).toEqual([
      "true",
      expect.stringContaining("Rolle"),
    ]),
  );
  await eva.page.getByRole("link", { name: "Zur Domain" }).click();
  await eva.page.getByRole("heading", { name: "example.test" }).first().waitFor();
});

async function tab(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Campaign sections" }).getByRole("link", { name }).click();
}

/** Writes the whole text anew. */
async function code(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "The email, as HTML with Liquid" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}
