// Events and statistics in a browser: what happens as it happens, what a name tells, and how mail fares by group.
import { expect } from "bun:test";
import { journey, soon, visit } from "../support/browser.ts";
import { startPosthorn, type Posthorn } from "../support/posthorn.ts";
import { ask } from "../support/scenario.ts";
import { letter } from "../support/mails.ts";
import { signIn } from "../support/signed-in.ts";
import { sendTracked, visit as fetched } from "../support/tracking.ts";

function track(posthorn: Posthorn, email: string, event: string, data: object = {}) {
  return ask(posthorn, "POST /v1/track", { body: { email, event, data } });
}

async function shop(): Promise<Posthorn> {
  const posthorn = await startPosthorn();
  await track(posthorn, "ada@gmail.com", "order.placed", { total: 42, ship: { city: "Graz" } });
  await track(posthorn, "eve@gmx.de", "page.turned", { book: "Middlemarch" });
  return posthorn;
}

journey("A developer watches events come in, sees what a name tells, and makes something of it", async () => {
  await using posthorn = await shop();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn);
  const { page } = eva;
  const rows = page.locator(".events-list > button.line");
  await eva.open("/events");
  await page.getByRole("button", { name: /page\.turned eve@gmx\.de book Middlemarch/ }).waitFor();
  await eva.check();
  await page.locator(".live", { hasText: /^live$/ }).waitFor();
  await track(posthorn, "ada@gmail.com", "order.placed", { total: 7 });
  await page.getByRole("button", { name: /order\.placed ada@gmail\.com total 7/ }).waitFor();
  await soon(async () => expect(await rows.count()).toBe(3));

  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await track(posthorn, "eve@gmx.de", "cart.left");
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: /cart\.left/ }).waitFor();
  await soon(async () => expect(await rows.count()).toBe(4));

  await page.getByRole("button", { name: /total 42/ }).click();
  await page.getByText('"city"').waitFor();
  await soon(async () =>
    expect(await page.getByRole("link", { name: "Open contact" }).getAttribute("href")).toContain("/app/people/"),
  );
  await eva.check();
  await page.getByRole("button", { name: "Only events with this name" }).click();
  await page.getByText("In the newest 2.").waitFor();
  await page.getByText("ship.city").waitFor();
  await page.getByText("42").first().waitFor();
  expect(page.url()).toContain("name=order.placed");
  await soon(async () => expect(await rows.count()).toBe(2));
  await eva.check();

  await page.getByRole("button", { name: "Save this view" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Orders");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "Orders" }).waitFor();
  await page.getByRole("link", { name: "Names" }).click();
  await page.getByRole("link", { name: /^cart\.left 1/ }).waitFor();
  await eva.check();
  // Events of emails by a tag.
  await ask(posthorn, "POST /v1/send", { body: { ...letter, tags: ["receipt", "plan:pro"] } });
  await posthorn.settle();
  await posthorn.settle();
  await eva.open("/events");
  await page.getByRole("button", { name: /email\.sent .* receipt ?plan:pro/ }).click();
  await page.getByRole("button", { name: "plan:pro", exact: true }).click();
  await soon(async () => expect(await rows.count()).toBe(1));
  expect(page.url()).toContain("tag=plan");
  await page.getByLabel("Tag of the email").fill("other");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("No event matches.").waitFor();
  await eva.check();
  await eva.open("/events?person=nobody@example.com");
  await page.getByText("No contact has this email address.").waitFor();
  await eva.open("/events?person=eve@gmx.de");
  await page.getByRole("button", { name: /cart\.left/ }).waitFor();
  await soon(async () => expect(await rows.count()).toBe(2));
  await page.getByRole("link", { name: "Orders" }).click();
  await page.getByText("ship.city").waitFor();

  await page.getByRole("button", { name: "Segment of people who did it" }).click();
  await page.getByRole("button", { name: /^1 left after: event order\.placed/ }).waitFor();
  // Nothing was written yet, so nothing asks on the way back.
  await page.goBack();
  await page.getByRole("button", { name: "Start a workflow from it" }).click();
  await page.getByRole("heading", { level: 1, name: "After order.placed" }).waitFor();
  expect((await ask(posthorn, "GET /workflows")).body.data[0]).toMatchObject({
    enabled: false,
    triggerConfig: { eventName: "order.placed" },
  });
  await eva.open("/people?status=SUBSCRIBED");
  await page.getByRole("button", { name: "Save this view" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Readers");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "Readers" }).waitFor();
  await page.getByRole("button", { name: "Remove the view “Readers”" }).click();
  await page.getByRole("link", { name: "Readers" }).waitFor({ state: "detached" });
  const campaign = { name: "Spring", subject: "Spring", body: "<p>Spring</p>", from: "hello@example.test" };
  await ask(posthorn, "POST /campaigns", { body: { ...campaign, audienceType: "ALL" } });
  const view = { list: "campaigns", name: "Spring drafts", filter: { search: "spring", status: "DRAFT" } };
  await ask(posthorn, "POST /views", { body: view });
  await eva.open("/campaigns");
  await page.getByRole("link", { name: "Spring drafts" }).click();
  await page.getByRole("button", { name: "Remove the view “Spring drafts”" }).waitFor();
  await soon(async () => expect(await page.getByRole("searchbox").inputValue()).toBe("spring"));
  await eva.check();
});

journey("Marketing sees who bounces, and opens those mails", async () => {
  await using posthorn = await shop();
  posthorn.transport.answer = ({ envelope }) =>
    envelope.recipient.startsWith("eve")
      ? { kind: "bounced", reply: "550 5.1.1 No" }
      : { kind: "accepted", reply: "250" };
  const from = "hello@example.test";
  const words = {
    name: "Receipt",
    subject: "Your receipt",
    body: "<p>Thanks</p>",
    type: "TRANSACTIONAL",
    from,
    tags: ["receipt"],
  };
  const template = (await ask(posthorn, "POST /templates", { body: words })).body.id;
  const to = ["ada@gmail.com", "bob@gmail.com", "eve@gmx.de"];
  await ask(posthorn, "POST /v1/send", { body: { to, template, from } });
  await ask(posthorn, "POST /v1/send", { body: { ...letter, to: "ada@gmail.com", tags: ["plan:pro"] } });
  await posthorn.settle();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "MARKETER");
  const { page } = eva;
  const days = "from=2026-02-25T00:00:00.000Z&to=2026-03-02T00:00:00.000Z";
  await eva.open(`/statistics?${days}`);
  await page.getByRole("row", { name: /^Gmail 3 / }).waitFor();
  await page.getByText("Too many. Stop sending to old or bought lists.").first().waitFor();
  await page.getByText("With fewer than 100 emails a rate says little.").waitFor();
  await page.getByRole("img", { name: /^Emails by time/ }).waitFor();
  await eva.check();
  await page.getByRole("radio", { name: "Template" }).click();
  await page.getByRole("row", { name: /^Receipt 2 / }).waitFor();
  expect(page.url()).toContain("group=template");
  await page.getByRole("radio", { name: "Campaign" }).click();
  await page.getByText("No campaign was sent in these days.").waitFor();
  await page.getByRole("radio", { name: "Tag" }).click();
  await page.getByRole("row", { name: /^plan:pro 1 / }).waitFor();
  await eva.check();
  await page
    .getByRole("row", { name: /^receipt 2 / })
    .getByRole("link", { name: "2", exact: true })
    .click();
  await page.getByText("tag:receipt").waitFor();
  await page.getByText("bob@gmail.com").first().waitFor();
  await soon(async () => expect(await page.getByText("plan:pro").count()).toBe(0));
  await eva.open(`/statistics?${days}&group=provider`);
  await page
    .getByRole("row", { name: /^GMX 0 / })
    .getByRole("link", { name: "1" })
    .click();
  await page.getByText("provider:gmx").waitFor();
  await page.getByText("eve@gmx.de").first().waitFor();
  await soon(async () => expect(await page.getByText("bob@gmail.com").count()).toBe(0));
});

journey("Marketing opens the mails that were read, from the statistics and from the person", async () => {
  await using posthorn = await startPosthorn({ tracking: true });
  const { id, pixel } = await sendTracked(posthorn, "<p>Hi</p>");
  await fetched(posthorn, pixel, { userAgent: "Mozilla/5.0 (X11) Firefox/140" });
  const { to, contactId } = (await ask(posthorn, `GET /emails/${id}`)).body;
  await ask(posthorn, "POST /v1/send", { body: { ...letter, to: "unread@example.com" } });
  await posthorn.settle();
  await using eva = await visit(posthorn);
  await signIn(eva.context, posthorn, "MARKETER");
  const { page } = eva;
  await eva.open("/statistics?from=2026-02-25T00:00:00.000Z&to=2026-03-03T00:00:00.000Z");
  const opened = page.locator(".of-mails .num").filter({ hasText: /opened/i });
  await opened.getByRole("link", { name: "1" }).click();
  await page.getByText("happened:opened").waitFor();
  await page.getByText(to).first().waitFor();
  await soon(async () => expect(await page.locator(".mails a.line").count()).toBe(1));
  await eva.check();
  await eva.open(`/people/${contactId}`);
  await page
    .locator(".counts .num")
    .filter({ hasText: /opened/i })
    .getByRole("link", { name: "1" })
    .click();
  await page.waitForURL(/happened=opened/);
  await page.locator(".mails a.line").waitFor();
});

journey("Support reads events and statistics on a phone", async () => {
  await using posthorn = await shop();
  await using eva = await visit(posthorn, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await signIn(eva.context, posthorn, "SUPPORT");
  await eva.open("/events?name=page.turned");
  await eva.page.getByText("In the newest 1.").waitFor();
  const button = eva.page.getByRole("button", { name: "Start a workflow from it" });
  await soon(async () => expect(await button.getAttribute("aria-disabled")).toBe("true"));
  await eva.check();
  await eva.open("/statistics");
  await eva.page.getByText("No email in these days.").waitFor();
  await eva.check();
});
